// Package fields prints the fields of LTTng events: ` { pid = 5, name = "x" }`.
package fields

import (
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/lttng"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/render"
)

// Printer prints the fields of the events of one trace. It is for one goroutine.
type Printer struct {
	rules    compiler.Rules
	target   ir.Target
	first    int32      // Marker.Index of the trace's first
	programs []*program // by Marker.Index, from first on
	machine  *interp.Machine
	outcome  render.Outcome
}

// program is a compiled marker, or why there is none.
type program struct {
	*interp.Program
	err error
}

// New prepares to print. Markers are compiled when they are first met. hooks, which may be nil, is asked for the names after
// numbers that Note lists.
func New(tr *lttng.Trace, hooks render.Hooks) *Printer {
	info, markers := tr.Info(), tr.Markers()
	p := &Printer{rules: recorded.Rules(info), target: recorded.Target(info), programs: make([]*program, len(markers))}
	if len(markers) > 0 {
		p.first = markers[0].Index
	}
	if hooks != nil && info.Dialect >= lttng.V20 && info.Dialect != lttng.Seed {
		p.rules.Note = Note
	}
	p.machine = interp.NewMachine(&render.Env{BigEndian: info.BigEndian, WordSize: info.WordSize, Hooks: hooks, Outcome: &p.outcome})
	return p
}

// Note returns the kind of name after a field (lttng.md 8.1).
func Note(m *lttng.Marker, field string) string {
	switch m.Channel + "." + m.Name + "." + field {
	case "kernel.syscall_entry.syscall_id":
		return process.NoteSyscall
	case "kernel.softirq_entry.softirq_id", "kernel.softirq_exit.softirq_id", "kernel.softirq_raise.softirq_id":
		return process.NoteSoftirq
	}
	if m.Name == "kprobe" && field == "ip" {
		return process.NoteKprobe
	}
	return ""
}

// Append appends the fields of an event with a blank in front, nothing for an event without. Data that ends before its fields do, or
// that no marker describes, is shown by its length.
func (p *Printer) Append(dst []byte, m *lttng.Marker, data []byte) []byte {
	if m == nil {
		return append(render.Dec(append(dst, " [unknown: "...), int64(len(data))), " bytes]"...)
	}
	q := p.programs[m.Index-p.first]
	if q == nil {
		q = p.compile(m)
	}
	if q.err != nil {
		return append(render.Dec(append(dst, " [no usable format: "...), int64(len(data))), " bytes]"...)
	}
	p.outcome = render.Outcome{}
	dst = p.machine.AppendText(dst, q.Program, data)
	if p.outcome.Reason == render.ExitShort {
		dst = render.Short(append(dst, ' '), len(data), int(p.outcome.At))
	}
	return dst
}

func (p *Printer) compile(m *lttng.Marker) *program {
	q := &program{}
	ev, err := recorded.Compile(m, p.rules)
	if err == nil {
		q.Program, err = interp.Compile(ev, p.target)
	}
	q.err = err
	p.programs[m.Index-p.first] = q
	return q
}
