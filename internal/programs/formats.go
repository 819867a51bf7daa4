package programs

import (
	"sync"
	"sync/atomic"

	"github.com/tracec/tracec/compiler/ftrace/recorded"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Formats compiles the events of a kernel with format files in a recording. Any number of
// goroutines may use it, each with its own Printer.
type Formats struct {
	target   ir.Target
	hold     Hold
	formats  []*ftrace.Format // by id
	programs []lateProgram
}

// lateProgram is compiled on first use.
type lateProgram struct {
	once    sync.Once
	program atomic.Pointer[Program]
}

// NewFormats returns the Formats of a list, which was recorded on a machine t. Of several formats
// with the same id the last one counts.
func NewFormats(list []*ftrace.Format, t ir.Target, hold Hold) *Formats {
	s := &Formats{target: t, hold: hold}
	for _, f := range list {
		if f.ID < 0 || f.ID > MaxID {
			continue
		}
		for f.ID >= len(s.formats) {
			s.formats = append(s.formats, nil)
		}
		s.formats[f.ID] = f
	}
	s.programs = make([]lateProgram, len(s.formats))
	return s
}

// KernelFormats returns the Formats of the kernel in a recording of uftrace, and a Printer for
// them.
func KernelFormats(rec *uftrace.Recording) (*Formats, *Printer) {
	var t ir.Target
	t.BigEndian, t.WordSize = rec.KernelLayout()
	return NewFormats(rec.KernelFormats(), t, rec.HoldFor),
		NewPrinter(&render.Env{BigEndian: t.BigEndian, WordSize: t.WordSize})
}

// Format returns the format file of an id, or nil.
func (s *Formats) Format(id uint32) *ftrace.Format {
	if uint64(id) < uint64(len(s.formats)) {
		return s.formats[id]
	}
	return nil
}

// Program returns the program of the event with an id, or nil without a description.
func (s *Formats) Program(id uint32) *Program {
	if uint64(id) >= uint64(len(s.programs)) {
		return nil
	}
	late := &s.programs[id]
	if p := late.program.Load(); p != nil {
		return p
	}
	f := s.formats[id]
	if f == nil {
		return nil
	}
	late.once.Do(func() { late.program.Store(NewProgram(recorded.Compile(f, s.target), s.target, nil, s.hold)) })
	return late.program.Load()
}
