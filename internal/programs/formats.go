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

// Formats are the events of a kernel with format files in a recording. Any number of goroutines may
// use them, each with its own Printer.
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

// NewFormats returns the events of a list, which were recorded on a machine t. Of several with one
// id the last counts.
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

// KernelFormats returns the events of the kernel in a recording of uftrace, and a Printer of them.
func KernelFormats(rec *uftrace.Recording) (*Formats, *Printer) {
	var t ir.Target
	t.BigEndian, t.WordSize = rec.KernelLayout()
	return NewFormats(rec.KernelFormats(), t, rec.HoldFor),
		NewPrinter(&render.Env{BigEndian: t.BigEndian, WordSize: t.WordSize})
}

// Format returns the format file of an id, nil without one.
func (s *Formats) Format(id uint32) *ftrace.Format {
	if uint64(id) < uint64(len(s.formats)) {
		return s.formats[id]
	}
	return nil
}

// Program returns the event with an id, nil when nothing describes it.
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
