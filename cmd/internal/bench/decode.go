package main

import (
	"context"

	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// decodeCPU passes every record to typed callbacks, CPU after CPU.
func decodeCPU(path string) (int64, error) { return decode(path, (*decoders.Decoder).RunStreams) }

// decodeTime does so in time order.
func decodeTime(path string) (int64, error) { return decode(path, (*decoders.Decoder).Run) }

func decode(path string, run func(*decoders.Decoder, context.Context, *ftrace.Recording) error) (int64, error) {
	return decodeBy(path, (*sums).decoder, run)
}

// decodeBy runs a decoder of s, and returns how many events it received.
func decodeBy(path string, decoder func(s *sums) *decoders.Decoder, run func(*decoders.Decoder, context.Context, *ftrace.Recording) error) (int64, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	var s sums
	if err := run(decoder(&s), context.Background(), rec); err != nil {
		return 0, err
	}
	sink += s.sum
	return int64(s.events), nil
}

// sums is what the callbacks compute: each reads four fields where its event has as many, so that none can be left out.
type sums struct{ events, sum uint64 }

func (s *sums) add(a, b, c, d uint64) error {
	s.events++
	s.sum += a ^ b ^ c ^ d
	return nil
}

// decoder sets a callback for the 30 events that are six of seven records of the trace.
func (s *sums) decoder() *decoders.Decoder {
	d := &decoders.Decoder{}
	s.set(d)
	return d
}

// set sets the callbacks of a decoder.
func (s *sums) set(d *decoders.Decoder) {
	s.scheduling(d)
	s.interrupts(d)
	s.timers(d)
	s.calls(d)
}

func (s *sums) scheduling(d *decoders.Decoder) {
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		return s.add(uint64(e.PrevPID), uint64(e.NextPID), uint64(e.PrevState), r.Time)
	}
	d.SchedStatRuntime = func(r *record.Record, e *decoders.SchedStatRuntime) error {
		return s.add(uint64(e.PID), e.Runtime, e.Vruntime, r.Time)
	}
	d.SchedWakeup = func(r *record.Record, e *decoders.SchedWakeup) error {
		return s.add(uint64(e.PID), uint64(e.Prio), uint64(e.TargetCPU), r.Time)
	}
	d.SchedWaking = func(r *record.Record, e *decoders.SchedWaking) error {
		return s.add(uint64(e.PID), uint64(e.Prio), uint64(e.TargetCPU), r.Time)
	}
}

func (s *sums) interrupts(d *decoders.Decoder) {
	d.SoftirqRaise = func(r *record.Record, e *decoders.SoftirqRaise) error {
		return s.add(uint64(e.Vec), uint64(r.CPU), uint64(r.Task), r.Time)
	}
	d.SoftirqEntry = func(r *record.Record, e *decoders.SoftirqEntry) error {
		return s.add(uint64(e.Vec), uint64(r.CPU), uint64(r.Task), r.Time)
	}
	d.SoftirqExit = func(r *record.Record, e *decoders.SoftirqExit) error {
		return s.add(uint64(e.Vec), uint64(r.CPU), uint64(r.Task), r.Time)
	}
	d.IRQHandlerEntry = func(r *record.Record, e *decoders.IRQHandlerEntry) error {
		return s.add(uint64(e.IRQ), uint64(len(e.Name())), uint64(r.CPU), r.Time)
	}
	d.IRQHandlerExit = func(r *record.Record, e *decoders.IRQHandlerExit) error {
		return s.add(uint64(e.IRQ), uint64(e.Ret), uint64(r.CPU), r.Time)
	}
}

func (s *sums) timers(d *decoders.Decoder) {
	d.HrtimerInit = func(r *record.Record, e *decoders.HrtimerInit) error {
		return s.add(e.Hrtimer, uint64(e.Clockid), uint64(e.Mode), r.Time)
	}
	d.HrtimerStart = func(r *record.Record, e *decoders.HrtimerStart) error {
		return s.add(e.Hrtimer, e.Function, uint64(e.Expires), uint64(e.Softexpires))
	}
	d.HrtimerExpireEntry = func(r *record.Record, e *decoders.HrtimerExpireEntry) error {
		return s.add(e.Hrtimer, e.Function, uint64(e.Now), r.Time)
	}
	d.HrtimerExpireExit = func(r *record.Record, e *decoders.HrtimerExpireExit) error {
		return s.add(e.Hrtimer, uint64(r.CPU), uint64(r.Task), r.Time)
	}
	d.TimerInit = func(r *record.Record, e *decoders.TimerInit) error {
		return s.add(e.Timer, uint64(r.CPU), uint64(r.Task), r.Time)
	}
	d.TimerStart = func(r *record.Record, e *decoders.TimerStart) error {
		return s.add(e.Timer, e.Function, e.Expires, uint64(e.Flags))
	}
	d.TimerCancel = func(r *record.Record, e *decoders.TimerCancel) error {
		return s.add(e.Timer, uint64(r.CPU), uint64(r.Task), r.Time)
	}
	d.TimerExpireEntry = func(r *record.Record, e *decoders.TimerExpireEntry) error {
		return s.add(e.Timer, e.Function, e.Now, r.Time)
	}
	d.TimerExpireExit = func(r *record.Record, e *decoders.TimerExpireExit) error {
		return s.add(e.Timer, uint64(r.CPU), uint64(r.Task), r.Time)
	}
}

func (s *sums) calls(d *decoders.Decoder) {
	d.SysEnterNewfstatat = func(r *record.Record, e *decoders.SysEnterNewfstatat) error {
		return s.add(e.Dfd, e.Filename, e.Statbuf, e.Flag)
	}
	d.SysEnterOpenat = func(r *record.Record, e *decoders.SysEnterOpenat) error {
		return s.add(e.Dfd, e.Filename, e.Flags, e.Mode)
	}
	d.SysEnterMmap = func(r *record.Record, e *decoders.SysEnterMmap) error { return s.add(e.Addr, e.Len, e.Prot, e.Flags) }
	d.SysEnterClose = func(r *record.Record, e *decoders.SysEnterClose) error {
		return s.add(e.FD, uint64(e.SyscallNr), uint64(r.Task), r.Time)
	}
	d.SysEnterMprotect = func(r *record.Record, e *decoders.SysEnterMprotect) error {
		return s.add(e.Start, e.Len, e.Prot, r.Time)
	}
	d.SysEnterRead = func(r *record.Record, e *decoders.SysEnterRead) error { return s.add(e.FD, e.Buf, e.Count, r.Time) }
	d.SysExitNewfstatat = func(r *record.Record, e *decoders.SysExitNewfstatat) error { return s.exit(r, e.SyscallNr, e.Ret) }
	d.SysExitOpenat = func(r *record.Record, e *decoders.SysExitOpenat) error { return s.exit(r, e.SyscallNr, e.Ret) }
	d.SysExitMmap = func(r *record.Record, e *decoders.SysExitMmap) error { return s.exit(r, e.SyscallNr, e.Ret) }
	d.SysExitClose = func(r *record.Record, e *decoders.SysExitClose) error { return s.exit(r, e.SyscallNr, e.Ret) }
	d.SysExitMprotect = func(r *record.Record, e *decoders.SysExitMprotect) error { return s.exit(r, e.SyscallNr, e.Ret) }
	d.SysExitRead = func(r *record.Record, e *decoders.SysExitRead) error { return s.exit(r, e.SyscallNr, e.Ret) }
}

func (s *sums) exit(r *record.Record, nr int32, ret int64) error {
	return s.add(uint64(nr), uint64(ret), uint64(r.Task), r.Time)
}
