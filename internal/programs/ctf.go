package programs

import (
	compiler "github.com/tracec/tracec/compiler/ctf"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/render"
)

// CTF are the events of a recording in the Common Trace Format. They are for one goroutine.
type CTF struct {
	rec      *ctf.Recording
	programs Table[Program] // by Event.Index
}

// NewCTF returns the events of a recording.
func NewCTF(rec *ctf.Recording) *CTF { return &CTF{rec: rec} }

// Program returns an event.
func (s *CTF) Program(e *ctf.Event) *Program {
	return s.programs.At(uint32(e.Index), func() *Program {
		ev, err := compiler.Compile(e, s.target().BigEndian, compiler.Default)
		return NewProgram(ev, s.target(), err, s.rec.HoldFor)
	})
}

func (s *CTF) target() ir.Target {
	m := s.rec.Machine()
	return ir.Target{BigEndian: m.BigEndian, WordSize: m.WordSize}
}

// Env returns the environment of texts.
func (s *CTF) Env() *render.Env {
	t := s.target()
	return &render.Env{BigEndian: t.BigEndian, WordSize: t.WordSize}
}
