// Package tracepoint prints the kernel's events in recordings of uftrace: the recording holds their format files, which
// are compiled as those of ftrace are.
package tracepoint

import (
	"github.com/tracec/tracec/compiler/ftrace/recorded"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Printer prints events. It is for one goroutine. A nil one prints nothing.
type Printer struct {
	machine *interp.Machine
	target  ir.Target
	events  []event // by id
}

// event is compiled when it first comes.
type event struct {
	format *ftrace.Format
	prog   *interp.Program
	done   bool
}

// maxID bounds the table: common_type has 16 bits.
const maxID = 1<<16 - 1

// New returns a printer for a recording, nil when that has no kernel data.
func New(rec *uftrace.Recording) *Printer {
	formats := rec.KernelFormats()
	if len(formats) == 0 {
		return nil
	}
	big, long := rec.KernelLayout()
	p := &Printer{target: ir.Target{BigEndian: big, WordSize: long}}
	p.machine = interp.NewMachine(&render.Env{BigEndian: big, WordSize: long})
	for _, f := range formats {
		if f.ID > maxID {
			continue
		}
		for f.ID >= len(p.events) {
			p.events = append(p.events, event{})
		}
		p.events[f.ID].format = f
	}
	return p
}

// Append appends the text of an event, such as NR 9 = 1. Nothing is appended for an event without a format or without a
// text that can be rendered.
func (p *Printer) Append(dst []byte, id uint32, data []byte) []byte {
	if p == nil || uint64(id) >= uint64(len(p.events)) || p.events[id].format == nil {
		return dst
	}
	e := &p.events[id]
	if !e.done {
		e.done = true
		e.prog = compile(e.format, p.target)
	}
	if e.prog == nil {
		return dst
	}
	return p.machine.AppendText(dst, e.prog, data)
}

func compile(f *ftrace.Format, t ir.Target) *interp.Program {
	ev := recorded.Compile(f, t)
	if !ev.HasText {
		return nil
	}
	prog, err := interp.Compile(ev, t)
	if err != nil || !prog.HasText() {
		return nil
	}
	return prog
}
