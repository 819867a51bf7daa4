package programs

import (
	"github.com/tracec/tracec/compiler/ftrace/recorded"
	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/perf"
	samples "github.com/tracec/tracec/compiler/perf/recorded"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/render"
)

// Perf compiles the events of a perf.data. It is for one goroutine.
type Perf struct {
	rec      *perf.Recording
	target   ir.Target
	formats  *Formats       // formats of tracepoints; nil if there are none
	programs Table[Program] // by Event.Index
}

// NewPerf returns the Perf of a recording.
func NewPerf(rec *perf.Recording) *Perf {
	s := &Perf{rec: rec, target: samples.Target(rec)}
	if t := rec.Tracing(); t != nil {
		s.target = recorded.Target(t)
		s.formats = NewFormats(t.Formats(), s.target, rec.HoldFor)
	}
	return s
}

// Program returns the program of an event. It returns nil for a tracepoint without a description.
func (s *Perf) Program(e *perf.Event) *Program {
	if e.IsTracepoint() {
		return s.Format(e.ID)
	}
	return s.programs.At(uint32(e.Index), func() *Program {
		ev, err := compiler.Compile(e, s.target.BigEndian)
		return NewProgram(ev, s.target, err, s.rec.HoldFor)
	})
}

// Format returns the program of the format with a number, or nil.
func (s *Perf) Format(id uint32) *Program {
	if s.formats == nil {
		return nil
	}
	return s.formats.Program(id)
}

// Env returns the environment of texts.
func (s *Perf) Env() *render.Env {
	if t := s.rec.Tracing(); t != nil {
		return recorded.Env(t, s.target)
	}
	return &render.Env{BigEndian: s.target.BigEndian, WordSize: s.target.WordSize}
}
