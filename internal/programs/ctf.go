package programs

import (
	compiler "github.com/tracec/tracec/compiler/ctf"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/render"
)

// CTF compiles the events of a recording in the Common Trace Format. It is for one goroutine.
type CTF struct {
	rec      *ctf.Recording
	programs Table[Program] // by Event.Index
}

// NewCTF returns the CTF of a recording.
func NewCTF(rec *ctf.Recording) *CTF { return &CTF{rec: rec} }

// Program returns the program of an event.
func (s *CTF) Program(e *ctf.Event) *Program {
	return s.programs.At(uint32(e.Index), func() *Program {
		ev, err := compiler.Compile(e, compiler.Default)
		return NewProgram(ev, compiler.Target, err, s.rec.HoldFor)
	})
}

// Env returns the environment of texts.
func (s *CTF) Env() *render.Env {
	return &render.Env{BigEndian: compiler.Target.BigEndian, WordSize: compiler.Target.WordSize}
}
