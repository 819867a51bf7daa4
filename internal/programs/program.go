// Package programs compiles the event types of open recordings on first use. It prints events of
// kernels, functions, markers and hooks. It serves package tracec, and the reports, which have
// their own layouts.
package programs

import (
	"cmp"
	"sync"
	"sync/atomic"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/runtime/render"
)

// A Program is the compiled description of an event type.
type Program struct {
	Event *ir.Event // the event type; nil without a description
	Err   error     // errors of the description, complete after Text; there is then no text

	Target ir.Target // the machine that recorded the events
	once   sync.Once
	text   atomic.Pointer[interp.Program] // nil before it is compiled
}

// Hold reserves memory for code compiled for a recording. It returns an error if the recording's
// limit is exceeded. HoldFor of a Recording returns one. If nil, there is no limit.
type Hold func(what string, bytes int64) error

// NewProgram returns the program of ev for records of a machine t. err reports unusable parts of
// the description. If hold has no memory for an event, the event only has the fields with a fixed
// place in its records, and no text.
func NewProgram(ev *ir.Event, t ir.Target, err error, hold Hold) *Program {
	if ev != nil && err == nil && hold != nil {
		if err = hold("the text of "+cmp.Or(ev.Label, ev.Name), ir.Memory(ev)); err != nil {
			bare := *ev
			bare.Text, bare.HasText, bare.Decode, bare.Why = nil, false, nil, err.Error()
			bare.Fields = bare.Fields[:len(bare.Fields)-len(bare.Values())]
			ev = &bare
		}
	}
	return &Program{Event: ev, Err: err, Target: t}
}

// noText is the program of events without a text.
var noText = &interp.Program{}

// Text returns the program that appends the text. For events without a text, it appends nothing and
// reports that.
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
// goroutine, since each text modifies it.
type Printer struct {
	_ ordered.Apart
	// Outcome is the outcome of the last text.
	Outcome render.Outcome
	// Machine runs the programs. Its Keep receives values.
	Machine *interp.Machine
	// Env is the environment of texts.
	Env *render.Env
	_   ordered.Apart
}

// NewPrinter returns a Printer for events of a machine, with the tables of env. The Outcome of env
// is the Outcome of the Printer.
func NewPrinter(env *render.Env) *Printer {
	p := &Printer{Env: env}
	env.Outcome = &p.Outcome
	p.Machine = interp.NewMachine(env)
	return p
}

// AppendText is Append for the Text of a program. The compiler inlines it, which saves a call for
// each event.
func (p *Printer) AppendText(dst []byte, text *interp.Program, data []byte) []byte {
	p.Outcome = render.Outcome{}
	return p.Machine.AppendText(dst, text, data)
}

// Append appends the text of a record.
func (p *Printer) Append(dst []byte, prog *Program, data []byte) []byte {
	return p.AppendText(dst, prog.Text(), data)
}

// A Table maps ids or positions to values.
type Table[T any] []*T

// At returns the value for an id. It calls make on first use.
func (t *Table[T]) At(id uint32, make func() *T) *T {
	if uint64(id) < uint64(len(*t)) && (*t)[id] != nil {
		return (*t)[id]
	}
	return t.first(id, make)
}

func (t *Table[T]) first(id uint32, make func() *T) *T {
	for uint32(len(*t)) <= id {
		*t = append(*t, nil)
	}
	v := make()
	(*t)[id] = v
	return v
}

// MaxID bounds tables by id: common_type and hook ids have 16 bits. A damaged description can hold
// larger ids.
const MaxID = 1<<16 - 1
