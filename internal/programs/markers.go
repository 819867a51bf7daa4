package programs

import (
	compiler "github.com/tracec/tracec/compiler/lttng"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/render"
)

// Markers compiles the markers of an LTTng recording. It is for one goroutine.
type Markers struct {
	hold     Hold
	rules    func(*lttng.Trace) compiler.Rules
	programs Table[Program] // by Marker.Index
}

// NewMarkers returns the Markers of a recording. rules returns the rules for compiling the markers
// of a trace. If nil, they are compiled as recorded.
func NewMarkers(hold Hold, rules func(*lttng.Trace) compiler.Rules) *Markers {
	if rules == nil {
		rules = func(tr *lttng.Trace) compiler.Rules { return recorded.Rules(tr.Info()) }
	}
	return &Markers{hold: hold, rules: rules}
}

// Program returns the program of a marker.
func (s *Markers) Program(m *lttng.Marker) *Program {
	if i := uint(m.Index); i < uint(len(s.programs)) && s.programs[i] != nil {
		return s.programs[i]
	}
	return s.compile(m)
}

func (s *Markers) compile(m *lttng.Marker) *Program {
	return s.programs.At(uint32(m.Index), func() *Program {
		ev, err := recorded.Compile(m, s.rules(m.Trace()))
		return NewProgram(ev, recorded.Target(m.Trace().Info()), err, s.hold)
	})
}

// Append appends the fields of an event. It appends nothing for an event without fields. For data
// that end before their fields, or that no marker describes, it appends the length. The Printer
// must belong to the event's trace.
func (s *Markers) Append(dst []byte, p *Printer, m *lttng.Marker, data []byte) []byte {
	var prog *Program
	if m != nil {
		prog = s.Program(m)
	}
	return p.AppendMarker(dst, prog, data)
}

// AppendMarker is [Markers.Append] for the program of a marker, which may be nil.
func (p *Printer) AppendMarker(dst []byte, prog *Program, data []byte) []byte {
	if prog == nil {
		return append(render.Dec(append(dst, "[unknown: "...), int64(len(data))), " bytes]"...)
	}
	at := len(dst)
	dst = p.AppendText(dst, prog.Text(), data)
	switch {
	case prog.Err != nil:
		return append(render.Dec(append(dst, "[no usable format: "...), int64(len(data))), " bytes]"...)
	case p.Outcome.Reason == render.ExitShort:
		if len(dst) > at {
			dst = append(dst, ' ')
		}
		dst = render.Short(dst, len(data), int(p.Outcome.At))
	}
	return dst
}

// MarkerPrinter returns a Printer for the events of a trace. hooks, which may be nil, provides the
// names after numbers.
func MarkerPrinter(tr *lttng.Trace, hooks render.Hooks) *Printer {
	info := tr.Info()
	return NewPrinter(&render.Env{BigEndian: info.BigEndian, WordSize: info.WordSize, Hooks: hooks})
}
