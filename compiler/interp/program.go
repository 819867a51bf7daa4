// Package interp compiles the rendering of an event and runs it. A compiled rendering consists of
// closures and of pieces, which are literals with numbers after them. The package is the back end
// for events without generated code, and the reference for gen: both must give the same bytes for
// every record.
//
// A Program is compiled once and is immutable. A Machine holds the state of one goroutine that runs
// programs. In the steady state it allocates nothing.
package interp

import (
	"fmt"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// A Program renders the records of one event. It is safe for concurrent use. Each goroutine needs
// its own Machine.
type Program struct {
	body    *pieces
	size    int // minimum size of a record in bytes
	hasText bool

	// long is the body for records of at least longSize bytes, which are the most common ones. It
	// may be equal to body.
	long     *pieces
	longSize int

	slots int // local values
	bufs  int // local regions
	texts int // texts alive at the same time as arguments of calls
}

// The closures of nodes. Values are held in 64 bits, extended according to their type. Regions
// alias the record or a constant and must not be written to. Texts append to their argument.
type (
	valueFn  func(*Machine) uint64
	regionFn func(*Machine) []byte
	textFn   func(*Machine, []byte) []byte
)

// Compile returns the program of ev for records from a machine t. It neither changes nor keeps ev.
// The error names the invariant of the IR that ev violates.
func Compile(ev *ir.Event, t ir.Target) (*Program, error) {
	return compile(ev, t, true, false)
}

// CompileValues is like [Compile], for a program that also passes its values to Machine.Keep.
func CompileValues(ev *ir.Event, t ir.Target) (*Program, error) {
	return compile(ev, t, true, true)
}

// Decodes reports whether the values of an event come from a program. If so, they are its Values,
// otherwise its Fields.
func Decodes(ev *ir.Event) bool { return ev.Decode != nil || len(ev.Values()) > 0 }

// CompileDecode is like [CompileValues], for the program that only yields the values of an event.
func CompileDecode(ev *ir.Event, t ir.Target) (*Program, error) {
	only := *ev
	only.Text, only.HasText = ev.Decode, true
	return CompileValues(&only, t)
}

// compile can skip folding, so that a test can compare the results.
func compile(ev *ir.Event, t ir.Target, fold, keep bool) (*Program, error) {
	if err := ir.CheckEvent(ev); err != nil {
		return nil, fmt.Errorf("interp: %w", err)
	}
	p := &Program{size: ev.Size, hasText: ev.HasText, slots: ev.Slots, bufs: ev.Buffers}
	if !ev.HasText {
		return p, nil
	}
	e := *ev
	if fold {
		compiler.Fold(&e)
	}
	c := builder{big: t.BigEndian, keep: keep, tables: map[*ir.Table]render.Table{}, sure: ev.Size}
	if keep {
		c.index = make(map[*ir.Field]int)
		for i, f := range ev.AllValues() {
			c.index[f] = i
		}
	}
	c.noteReads(e.Text)
	c.whole(p, e.Text)
	p.texts = c.maxTexts
	return p, c.err
}

// whole compiles the body of a program. A program that begins with a choice by the length of the
// record gets two bodies, and the choice is made before it runs.
func (c *builder) whole(p *Program, body []ir.Stmt) {
	if len(body) == 1 {
		if x, ok := body[0].(*ir.If); ok {
			if f, n, ok := ir.MakesSure(x.Cond); ok {
				sure := c.sure
				p.longSize = f.Offset + int(n)
				c.sure = max(sure, p.longSize)
				p.long = c.statements(x.Then)
				c.sure = sure
				p.body = c.statements(x.Else)
				return
			}
		}
	}
	p.body = c.statements(body)
	p.long = p.body
}

// noteReads notes which local values a body reads.
func (c *builder) noteReads(body []ir.Stmt) {
	c.reads = map[int]bool{}
	var visit func(any)
	visit = func(part any) {
		if l, ok := part.(*ir.Local); ok {
			c.reads[l.Slot] = true
		}
		ir.Parts(part, visit)
	}
	for _, s := range body {
		visit(s)
	}
}

// Size returns the minimal size of a record of the event.
func (p *Program) Size() int { return p.size }

// HasText reports whether the description had a usable rendering. If not, AppendText appends
// nothing.
func (p *Program) HasText() bool { return p.hasText }

// A builder makes closures. Closures do not use it at run time.
type builder struct {
	big             bool              // byte order of the records
	keep            bool              // values are wanted
	index           map[*ir.Field]int // of the values
	tables          map[*ir.Table]render.Table
	texts, maxTexts int // scratch texts in use at this point, and the most so far
	sure            int // minimum size of a record at this point
	exits           int // statements so far that may end the program
	calls           []callFn
	takes           []takeFn
	sums            []sum
	reads           map[int]bool // local values that are read
	err             error
}

func (c *builder) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("interp: "+format, args...)
	}
}

// Machine runs programs: one per goroutine.
type Machine struct {
	data  []byte // the record being rendered
	env   *render.Env
	slots []uint64
	bufs  [][]byte
	texts [][]byte // scratch for rendered arguments, by nesting
	// ended is set by the statement that ends a program. If one of its statements may set it, an
	// enclosing statement checks it after each of them.
	ended bool

	// Keep receives the values of programs made by CompileValues, in their order. n is the index in
	// the event's AllValues. The value is a number extended to 64 bits by its type, or bytes that
	// alias the record. The beginning of a Struct, a Union or a List has neither. Keep must be set
	// for such programs.
	Keep func(n int, v uint64, b []byte)
}

// NewMachine returns a Machine that passes env to the render functions. env may be nil.
func NewMachine(env *render.Env) *Machine { return &Machine{env: env} }

// AppendText appends the text of the record data, by p, to dst and returns the extended slice. For
// a record that is shorter than its event, it appends a note. For an event without rendering, it
// appends nothing. data may have any contents: rendering never fails. AppendText does not keep
// data.
func (m *Machine) AppendText(dst []byte, p *Program, data []byte) []byte {
	if !p.hasText {
		return dst
	}
	if len(data) < p.size {
		return render.Short(dst, len(data), p.size)
	}
	if p.slots|p.bufs|p.texts != 0 {
		m.prepare(p)
	}
	body := p.body
	if len(data) >= p.longSize {
		body = p.long
	}
	m.data, m.ended = data, false
	dst = body.append(m, dst, data)
	m.data = nil
	return dst
}

// prepare makes room for the locals of p and empties them.
func (m *Machine) prepare(p *Program) {
	if cap(m.slots) < p.slots {
		m.slots = make([]uint64, p.slots)
	}
	m.slots = m.slots[:p.slots]
	clear(m.slots)
	if cap(m.bufs) < p.bufs {
		m.bufs = make([][]byte, p.bufs)
	}
	m.bufs = m.bufs[:p.bufs]
	clear(m.bufs)
	for len(m.texts) < p.texts {
		m.texts = append(m.texts, nil)
	}
}
