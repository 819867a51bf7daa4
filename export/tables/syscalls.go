package tables

import (
	"strconv"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
	"github.com/tracec/tracec/runtime/record"
)

// A Syscall is a row of [Syscalls]: a system call of a thread.
type Syscall struct {
	Row // CPU is the processor of the begin, or of the end if the begin is unknown
	// Name is the name of the call, or its number if that has no name. It is "" if unknown.
	Name   string
	Number int64 // -1 if unknown
	// Ret is the kernel's result of the call, before it handled a signal. It is valid if HasRet is
	// set. sigreturn has no result of its own, since it restores the result of an earlier call.
	Ret    int64
	HasRet bool
	// Error is the name of the error, such as ENOENT or ERESTARTSYS, or "".
	Error string
	// Interrupted is set if a signal interrupted the call. Programs do not see that result: they
	// see EINTR, or the kernel repeats the call.
	Interrupted bool
	// Restarts is the End of the interrupted call that this call repeats, or 0.
	Restarts uint64
	// GapInside is set if events were lost between the begin and the end, as far as is known at the
	// end. A processor reports a loss with its next event.
	GapInside bool
	// OnCPU is the processor time of the call, without interrupts and without time off the
	// processor. For a call without an end it is the time until its thread last left a processor or
	// was interrupted. It is -1 if unknown, as on Linux.
	OnCPU int64
	// ABI is "compat?" if the call is probably from a 32-bit program, whose numbers have other
	// names. Otherwise it is "".
	ABI string

	numbered bool
	hook     bool         // a hook of AIX: Ret is not an error
	args     []byte       // data of the event with the arguments
	argsOf   *tracec.Type // type of that event; nil for none
}

// Syscalls has a row for each system call.
var Syscalls = &Table[Syscall]{
	name: "syscalls",
	doc:  "system calls: their durations and results",
	need: kernel.SyscallEvents(), also: kernel.ExitEvents, hooks: callHooks,
	columns: spans(func(s *Syscall) *Row { return &s.Row }, syscallColumns...),
	collect: func(w *Walk, yield func(*Syscall) bool) collector { return newCallers(w, yield) },
}

var syscallColumns = []column[Syscall]{
	{
		Column{"name", "the name of the call, or its number if that has no name", Text},
		func(s *Syscall) Value { return text(s.Name) },
	},
	{Column{"number", "the number of the call", Integer}, func(s *Syscall) Value {
		if !s.numbered {
			return null
		}
		return integer(s.Number)
	}},
	{Column{"args", "its arguments", Text}, func(s *Syscall) Value { return text(string(s.AppendArgs(nil))) }},
	{Column{"ret", "its result; NULL if that is not known", Integer}, func(s *Syscall) Value {
		if !s.HasRet {
			return null
		}
		return integer(s.Ret)
	}},
	{Column{"error", "name of its error, or its number without a name", Text}, func(s *Syscall) Value {
		if s.Error == "" && s.Failed() {
			return text(strconv.FormatInt(-s.Ret, 10))
		}
		return text(s.Error)
	}},
	{Column{"interrupted", "a signal interrupted it", Bool}, func(s *Syscall) Value { return boolean(s.Interrupted) }},
	{Column{"restarts", "ts_end of the interrupted call that this one makes again", Time}, func(s *Syscall) Value {
		if s.Restarts == 0 {
			return null
		}
		return integer(int64(s.Restarts))
	}},
	{Column{"on_cpu", "AIX: its processor time, without interrupts and the time that its thread was away", Duration},
		func(s *Syscall) Value {
			if s.OnCPU < 0 {
				return null
			}
			return integer(s.OnCPU)
		}},
	{
		Column{"abi", "compat? if it is probably a call of a 32-bit program", Text},
		func(s *Syscall) Value { return text(s.ABI) },
	},
	{
		Column{"gap_inside", "events were lost between its begin and end", Bool},
		func(s *Syscall) Value { return boolean(s.GapInside) },
	},
}

// Failed reports whether the call returned an error.
func (s *Syscall) Failed() bool {
	return s.Error != "" || s.HasRet && !s.hook && s.Ret >= -maxErrno && s.Ret < 0
}

// maxErrno is MAX_ERRNO in include/linux/err.h.
const maxErrno = 4095

// AppendArgs appends the arguments of the call as a text: fd=3, buf=0x7ffc2d55c138, count=10. If
// their names are not recorded, it appends six numbers in hexadecimal. It appends nothing if the
// arguments are unknown.
func (s *Syscall) AppendArgs(dst []byte) []byte {
	if s.argsOf == nil {
		return dst
	}
	ev := tracec.Event{Record: &record.Record{Data: s.args}, Type: s.argsOf}
	first := len(dst)
	between := func() {
		if len(dst) > first {
			dst = append(dst, ", "...)
		}
	}
	number := kernel.NumberField(s.argsOf)
	for i := range s.argsOf.Fields {
		f := &s.argsOf.Fields[i]
		v, ok := ev.At(i)
		switch {
		case !ok || f.Common || i == number:
		case f.Name == "args" && v.Kind() == tracec.List: // arguments of raw_syscalls
			for k := range v.Len() {
				between()
				dst = strconv.AppendUint(append(dst, "0x"...), v.Elem(k).Uint(), 16)
			}
		default:
			between()
			dst = v.AppendShown(append(append(dst, f.Name...), '='))
		}
	}
	return dst
}

// maxArgs bounds the size of the data that are kept for arguments. Linux's own events have less.
const maxArgs = 1 << 10

// keep keeps the data of an event with the arguments, for AppendArgs.
func (s *Syscall) keep(ev *tracec.Event, t *tracec.Type) {
	s.argsOf, s.args = t, s.args[:0]
	if t != nil {
		s.args = append(s.args, ev.Data[:min(len(ev.Data), maxArgs)]...)
	}
}
