package dynamic

import (
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// Program is what the description of one kind of event was compiled to when the first event came. [Type] is for those who ask for fields by
// name; a Program is what the reports print by, whose tools have layouts of their own.
type Program struct {
	Event *ir.Event // what was compiled
	Err   error     // what of the description cannot be, known for sure after Text; there is no text then

	target ir.Target
	text   *interp.Program // nil before it is compiled
}

// NewProgram returns the program of ev, whose records come from a machine t. err says what of the description cannot be, nil for nothing.
func NewProgram(ev *ir.Event, t ir.Target, err error) *Program {
	return &Program{Event: ev, Err: err, target: t}
}

// noText is the program of events without a text.
var noText = &interp.Program{}

// Text returns the program that appends the text. It appends nothing, and says so, for events without one.
func (p *Program) Text() *interp.Program {
	if p.text == nil {
		p.compile()
	}
	return p.text
}

func (p *Program) compile() {
	p.text = noText
	if p.Err != nil || !p.Event.HasText {
		return
	}
	prog, err := interp.Compile(p.Event, p.target)
	if err != nil {
		p.Err = err
		return
	}
	p.text = prog
}

// Printer appends texts of programs. In the steady state it allocates nothing. It is for one goroutine.
type Printer struct {
	// Outcome says how the text that was appended last ended.
	Outcome render.Outcome
	machine *interp.Machine
}

// NewPrinter returns a Printer for events of a machine and with the tables that env holds. The Outcome of env is that of the Printer.
func NewPrinter(env *render.Env) *Printer {
	p := &Printer{}
	env.Outcome = &p.Outcome
	p.machine = interp.NewMachine(env)
	return p
}

// AppendText is Append for the Text of a program. The compiler puts it in line where it is called, which saves a call for each event.
func (p *Printer) AppendText(dst []byte, text *interp.Program, data []byte) []byte {
	p.Outcome = render.Outcome{}
	return p.machine.AppendText(dst, text, data)
}

// Append appends the text of a record.
func (p *Printer) Append(dst []byte, prog *Program, data []byte) []byte {
	if prog.text == nil {
		prog.compile()
	}
	return p.AppendText(dst, prog.text, data)
}

// known returns what there is for an id or for a position, which is made when it first comes.
func known[T any](list *[]*T, id uint32, make func() *T) *T {
	for uint32(len(*list)) <= id {
		*list = append(*list, nil)
	}
	t := &(*list)[id]
	if *t == nil {
		*t = make()
	}
	return *t
}

// maxID bounds tables by id: common_type has 16 bits, as hook ids have. A damaged description can say otherwise.
const maxID = 1<<16 - 1
