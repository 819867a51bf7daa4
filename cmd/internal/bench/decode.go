package main

import (
	"iter"

	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// decodeCPU decodes every record, CPU after CPU.
func decodeCPU(path string) (int64, error) { return decode(path, inStreamOrder, summed) }

// decodeTime decodes every record in time order.
func decodeTime(path string) (int64, error) { return decode(path, timely, summed) }

// timely decodes in time order.
var timely = inTime[*ftrace.Recording, record.None]((*sums).all)

// few is an event type with one record in 107 of the trace.
var few = []bind.Option{decoders.HrtimerInitEvent}

// fewCPU decodes one record in a hundred, CPU after CPU.
func fewCPU(path string) (int64, error) { return decode(path, inStreamOrder, few) }

// fewTime is fewCPU in time order.
func fewTime(path string) (int64, error) { return decode(path, timely, few) }

func inStreamOrder(rec *ftrace.Recording, d *decoders.Decoder, s *sums) error {
	o := ftrace.StreamOptions{Options: d.Select(record.Options{})}
	return record.InStreamOrder(rec.Streams(o), func(records []record.Record, _ []record.None) error {
		for i := range records {
			s.take(&records[i], d.Decode(&records[i], nil))
		}
		return nil
	})
}

// decode binds events, decodes them, and returns their number.
func decode(
	path string, run func(*ftrace.Recording, *decoders.Decoder, *sums) error, opts []bind.Option,
) (int64, error) {
	return typed(func() (*ftrace.Recording, error) { return ftrace.Open(path) },
		func(rec *ftrace.Recording) (*decoders.Decoder, error) { return decoders.Bind(rec, opts...) }, run)
}

// all adds the events of a loop.
func (s *sums) all(events iter.Seq2[*record.Record, any]) {
	for r, e := range events {
		s.take(r, e)
	}
}

// summed are the 30 event types of six in seven records of the trace.
var summed = []bind.Option{
	decoders.SchedSwitchEvent,
	decoders.SchedStatRuntimeEvent,
	decoders.SchedWakeupEvent,
	decoders.SchedWakingEvent,
	decoders.SoftirqRaiseEvent,
	decoders.SoftirqEntryEvent,
	decoders.SoftirqExitEvent,
	decoders.IRQHandlerEntryEvent,
	decoders.IRQHandlerExitEvent,
	decoders.HrtimerInitEvent,
	decoders.HrtimerStartEvent,
	decoders.HrtimerExpireEntryEvent,
	decoders.HrtimerExpireExitEvent,
	decoders.TimerInitEvent,
	decoders.TimerStartEvent,
	decoders.TimerCancelEvent,
	decoders.TimerExpireEntryEvent,
	decoders.TimerExpireExitEvent,
	decoders.SysEnterNewfstatatEvent,
	decoders.SysEnterOpenatEvent,
	decoders.SysEnterMmapEvent,
	decoders.SysEnterCloseEvent,
	decoders.SysEnterMprotectEvent,
	decoders.SysEnterReadEvent,
	decoders.SysExitNewfstatatEvent,
	decoders.SysExitOpenatEvent,
	decoders.SysExitMmapEvent,
	decoders.SysExitCloseEvent,
	decoders.SysExitMprotectEvent,
	decoders.SysExitReadEvent,
}

// take reads the fields of an event.
func (s *sums) take(r *record.Record, e any) {
	switch e := e.(type) {
	case *decoders.SchedSwitch:
		s.add(uint64(e.PrevPID), uint64(e.NextPID), uint64(e.PrevState), r.Time)
	case *decoders.SchedStatRuntime:
		s.add(uint64(e.PID), e.Runtime, e.Vruntime, r.Time)
	case *decoders.SchedWakeup:
		s.add(uint64(e.PID), uint64(e.Prio), uint64(e.TargetCPU), r.Time)
	case *decoders.SchedWaking:
		s.add(uint64(e.PID), uint64(e.Prio), uint64(e.TargetCPU), r.Time)
	case *decoders.SoftirqRaise:
		s.add(uint64(e.Vec), uint64(r.CPU), uint64(r.Task), r.Time)
	case *decoders.SoftirqEntry:
		s.add(uint64(e.Vec), uint64(r.CPU), uint64(r.Task), r.Time)
	case *decoders.SoftirqExit:
		s.add(uint64(e.Vec), uint64(r.CPU), uint64(r.Task), r.Time)
	case *decoders.IRQHandlerEntry:
		s.add(uint64(e.IRQ), uint64(len(e.Name())), uint64(r.CPU), r.Time)
	case *decoders.IRQHandlerExit:
		s.add(uint64(e.IRQ), uint64(e.Ret), uint64(r.CPU), r.Time)
	case *decoders.HrtimerInit:
		s.add(e.Hrtimer, uint64(e.Clockid), uint64(e.Mode), r.Time)
	case *decoders.HrtimerStart:
		s.add(e.Hrtimer, e.Function, uint64(e.Expires), uint64(e.Softexpires))
	case *decoders.HrtimerExpireEntry:
		s.add(e.Hrtimer, e.Function, uint64(e.Now), r.Time)
	case *decoders.HrtimerExpireExit:
		s.add(e.Hrtimer, uint64(r.CPU), uint64(r.Task), r.Time)
	case *decoders.TimerInit:
		s.add(e.Timer, uint64(r.CPU), uint64(r.Task), r.Time)
	case *decoders.TimerStart:
		s.add(e.Timer, e.Function, e.Expires, uint64(e.Flags))
	case *decoders.TimerCancel:
		s.add(e.Timer, uint64(r.CPU), uint64(r.Task), r.Time)
	case *decoders.TimerExpireEntry:
		s.add(e.Timer, e.Function, e.Now, r.Time)
	case *decoders.TimerExpireExit:
		s.add(e.Timer, uint64(r.CPU), uint64(r.Task), r.Time)
	case *decoders.SysEnterNewfstatat:
		s.add(e.Dfd, e.Filename, e.Statbuf, e.Flag)
	case *decoders.SysEnterOpenat:
		s.add(e.Dfd, e.Filename, e.Flags, e.Mode)
	case *decoders.SysEnterMmap:
		s.add(e.Addr, e.Len, e.Prot, e.Flags)
	case *decoders.SysEnterClose:
		s.add(e.FD, uint64(e.SyscallNr), uint64(r.Task), r.Time)
	case *decoders.SysEnterMprotect:
		s.add(e.Start, e.Len, e.Prot, r.Time)
	case *decoders.SysEnterRead:
		s.add(e.FD, e.Buf, e.Count, r.Time)
	case *decoders.SysExitNewfstatat:
		s.exit(r, e.SyscallNr, int64(e.Ret))
	case *decoders.SysExitOpenat:
		s.exit(r, e.SyscallNr, int64(e.Ret))
	case *decoders.SysExitMmap:
		s.exit(r, e.SyscallNr, int64(e.Ret))
	case *decoders.SysExitClose:
		s.exit(r, e.SyscallNr, int64(e.Ret))
	case *decoders.SysExitMprotect:
		s.exit(r, e.SyscallNr, int64(e.Ret))
	case *decoders.SysExitRead:
		s.exit(r, e.SyscallNr, int64(e.Ret))
	}
}

func (s *sums) exit(r *record.Record, nr int32, ret int64) {
	s.add(uint64(nr), uint64(ret), uint64(r.Task), r.Time)
}
