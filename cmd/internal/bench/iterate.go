package main

import (
	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// iterateTime is decodeTime by a loop over all events in place of callbacks.
func iterateTime(path string) (int64, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	var s sums
	var w decoders.Walk
	for r, u := range decoders.Events(rec, &w) {
		switch u.Kind {
		case decoders.KindSchedSwitch:
			e := u.SchedSwitch
			s.add(uint64(e.PrevPID), uint64(e.NextPID), uint64(e.PrevState), r.Time)
		case decoders.KindSchedStatRuntime:
			e := u.SchedStatRuntime
			s.add(uint64(e.PID), e.Runtime, e.Vruntime, r.Time)
		case decoders.KindSchedWakeup:
			e := u.SchedWakeup
			s.add(uint64(e.PID), uint64(e.Prio), uint64(e.TargetCPU), r.Time)
		case decoders.KindSchedWaking:
			e := u.SchedWaking
			s.add(uint64(e.PID), uint64(e.Prio), uint64(e.TargetCPU), r.Time)
		case decoders.KindSoftirqRaise:
			e := u.SoftirqRaise
			s.add(uint64(e.Vec), uint64(r.CPU), uint64(r.Task), r.Time)
		case decoders.KindSoftirqEntry:
			e := u.SoftirqEntry
			s.add(uint64(e.Vec), uint64(r.CPU), uint64(r.Task), r.Time)
		case decoders.KindSoftirqExit:
			e := u.SoftirqExit
			s.add(uint64(e.Vec), uint64(r.CPU), uint64(r.Task), r.Time)
		case decoders.KindIRQHandlerEntry:
			e := u.IRQHandlerEntry
			s.add(uint64(e.IRQ), uint64(len(e.Name())), uint64(r.CPU), r.Time)
		case decoders.KindIRQHandlerExit:
			e := u.IRQHandlerExit
			s.add(uint64(e.IRQ), uint64(e.Ret), uint64(r.CPU), r.Time)
		case decoders.KindHrtimerInit:
			e := u.HrtimerInit
			s.add(e.Hrtimer, uint64(e.Clockid), uint64(e.Mode), r.Time)
		case decoders.KindHrtimerStart:
			e := u.HrtimerStart
			s.add(e.Hrtimer, e.Function, uint64(e.Expires), uint64(e.Softexpires))
		case decoders.KindHrtimerExpireEntry:
			e := u.HrtimerExpireEntry
			s.add(e.Hrtimer, e.Function, uint64(e.Now), r.Time)
		case decoders.KindHrtimerExpireExit:
			e := u.HrtimerExpireExit
			s.add(e.Hrtimer, uint64(r.CPU), uint64(r.Task), r.Time)
		case decoders.KindTimerInit:
			e := u.TimerInit
			s.add(e.Timer, uint64(r.CPU), uint64(r.Task), r.Time)
		case decoders.KindTimerStart:
			e := u.TimerStart
			s.add(e.Timer, e.Function, e.Expires, uint64(e.Flags))
		case decoders.KindTimerCancel:
			e := u.TimerCancel
			s.add(e.Timer, uint64(r.CPU), uint64(r.Task), r.Time)
		case decoders.KindTimerExpireEntry:
			e := u.TimerExpireEntry
			s.add(e.Timer, e.Function, e.Now, r.Time)
		case decoders.KindTimerExpireExit:
			e := u.TimerExpireExit
			s.add(e.Timer, uint64(r.CPU), uint64(r.Task), r.Time)
		case decoders.KindSysEnterNewfstatat:
			e := u.SysEnterNewfstatat
			s.add(e.Dfd, e.Filename, e.Statbuf, e.Flag)
		case decoders.KindSysEnterOpenat:
			e := u.SysEnterOpenat
			s.add(e.Dfd, e.Filename, e.Flags, e.Mode)
		case decoders.KindSysEnterMmap:
			e := u.SysEnterMmap
			s.add(e.Addr, e.Len, e.Prot, e.Flags)
		case decoders.KindSysEnterClose:
			e := u.SysEnterClose
			s.add(e.FD, uint64(e.SyscallNr), uint64(r.Task), r.Time)
		case decoders.KindSysEnterMprotect:
			e := u.SysEnterMprotect
			s.add(e.Start, e.Len, e.Prot, r.Time)
		case decoders.KindSysEnterRead:
			e := u.SysEnterRead
			s.add(e.FD, e.Buf, e.Count, r.Time)
		case decoders.KindSysExitNewfstatat:
			e := u.SysExitNewfstatat
			s.exit(r, e.SyscallNr, e.Ret)
		case decoders.KindSysExitOpenat:
			e := u.SysExitOpenat
			s.exit(r, e.SyscallNr, e.Ret)
		case decoders.KindSysExitMmap:
			e := u.SysExitMmap
			s.exit(r, e.SyscallNr, e.Ret)
		case decoders.KindSysExitClose:
			e := u.SysExitClose
			s.exit(r, e.SyscallNr, e.Ret)
		case decoders.KindSysExitMprotect:
			e := u.SysExitMprotect
			s.exit(r, e.SyscallNr, e.Ret)
		case decoders.KindSysExitRead:
			e := u.SysExitRead
			s.exit(r, e.SyscallNr, e.Ret)
		}
	}
	sink += s.sum
	return int64(s.events), w.Err()
}

// fewCPU passes one record in a hundred to a typed callback, CPU after CPU.
func fewCPU(path string) (int64, error) {
	return decodeBy(path, (*sums).few, (*decoders.Decoder).RunStreams)
}

// fewTime does so in time order.
func fewTime(path string) (int64, error) { return decodeBy(path, (*sums).few, (*decoders.Decoder).Run) }

// few sets the callback of an event that is one of 107 records of the trace.
func (s *sums) few() *decoders.Decoder {
	return &decoders.Decoder{HrtimerInit: func(r *record.Record, e *decoders.HrtimerInit) error {
		return s.add(e.Hrtimer, uint64(e.Clockid), uint64(e.Mode), r.Time)
	}}
}

// iterateFew is fewTime by a loop.
func iterateFew(path string) (int64, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	var s sums
	var w decoders.Walk
	for r, e := range decoders.HrtimerInitEvents(rec, &w) {
		s.add(e.Hrtimer, uint64(e.Clockid), uint64(e.Mode), r.Time)
	}
	sink += s.sum
	return int64(s.events), w.Err()
}
