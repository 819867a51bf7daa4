// Package programs compiles what open recordings describe when it is asked for first, and prints by
// it: events of kernels, functions, markers and hooks. It is for what prints in a layout of its
// own, as the reports do; package dynamic reads events of any kind, with their fields.
package programs

import (
	"sync"
	"sync/atomic"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// Program is what the description of one kind of event was compiled to.
type Program struct {
	Event *ir.Event // what was compiled, nil where nothing says what there is
	Err   error     // what of the description cannot be, known for sure after Text; there is no text then

	Target ir.Target // the machine that records come from
	once   sync.Once
	text   atomic.Pointer[interp.Program] // nil before it is compiled
}

// NewProgram returns the program of ev, whose records come from a machine t. err says what of the
// description cannot be, nil for nothing.
func NewProgram(ev *ir.Event, t ir.Target, err error) *Program {
	return &Program{Event: ev, Err: err, Target: t}
}

// noText is the program of events without a text.
var noText = &interp.Program{}

// Text returns the program that appends the text. It appends nothing, and says so, for events
// without one.
func (p *Program) Text() *interp.Program {
	if text := p.text.Load(); text != nil {
		return text
	}
	return p.late()
}

// late compiles the text, unless another goroutine does.
func (p *Program) late() *interp.Program {
	p.once.Do(func() { p.text.Store(p.compile()) })
	return p.text.Load()
}

func (p *Program) compile() *interp.Program {
	if p.Err != nil || p.Event == nil || !p.Event.HasText {
		return noText
	}
	prog, err := interp.Compile(p.Event, p.Target)
	if err != nil {
		p.Err = err
		return noText
	}
	return prog
}

// Printer appends texts of programs. In the steady state it allocates nothing. It is for one
// goroutine.
type Printer struct {
	// Outcome says how the text that was appended last ended.
	Outcome render.Outcome
	// Machine runs the programs. Its Keep receives values.
	Machine *interp.Machine
	// Env is what texts depend on.
	Env *render.Env
}

// NewPrinter returns a Printer for events of a machine and with the tables that env holds. The
// Outcome of env is that of the Printer.
func NewPrinter(env *render.Env) *Printer {
	p := &Printer{Env: env}
	env.Outcome = &p.Outcome
	p.Machine = interp.NewMachine(env)
	return p
}

// AppendText is Append for the Text of a program. The compiler puts it in line where it is called,
// which saves a call for each event.
func (p *Printer) AppendText(dst []byte, text *interp.Program, data []byte) []byte {
	p.Outcome = render.Outcome{}
	return p.Machine.AppendText(dst, text, data)
}

// Append appends the text of a record.
func (p *Printer) Append(dst []byte, prog *Program, data []byte) []byte {
	return p.AppendText(dst, prog.Text(), data)
}

// Table holds what there is for ids or positions.
type Table[T any] []*T

// At returns what there is for an id, which make makes when it first comes.
func (t *Table[T]) At(id uint32, make func() *T) *T {
	for uint32(len(*t)) <= id {
		*t = append(*t, nil)
	}
	v := &(*t)[id]
	if *v == nil {
		*v = make()
	}
	return *v
}

// MaxID bounds tables by id: common_type has 16 bits, as hook ids have. A damaged description can
// say otherwise.
const MaxID = 1<<16 - 1
