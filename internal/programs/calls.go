package programs

import (
	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Calls compiles the functions and the recorder's events in a recording of uftrace. It is for one
// goroutine.
type Calls struct {
	// Form is the form of values, Colors their prefix. They do not affect programs that were
	// already returned.
	Form   compiler.Form
	Colors *compiler.Colors

	hold     Hold
	recorded *recorded.Compilation
	target   ir.Target
	programs [2]Table[Program] // for calls and returns, by Symbol.Index
	events   [compiler.Callsite - compiler.ReadStatm + 1]*Program
}

// NewCalls returns the Calls of a recording, with values in the form of replay.
func NewCalls(rec *uftrace.Recording) *Calls {
	return &Calls{hold: rec.HoldFor, recorded: recorded.New(rec), target: recorded.Target(rec.Info())}
}

// Env returns the environment for texts of values. names finds names of addresses and may be nil.
func (c *Calls) Env(names render.Symbols) *render.Env {
	return &render.Env{BigEndian: c.target.BigEndian, WordSize: c.target.WordSize, Symbols: names}
}

// Call returns the program for the arguments of a call of sym, or for its results if exit is set. A
// function with a spec that cannot be compiled has no text, like a spec that uftrace rejects.
func (c *Calls) Call(sym *uftrace.Symbol, exit bool) *Program {
	if exit {
		return c.Results(sym)
	}
	return c.Args(sym)
}

// Args is Call for calls.
func (c *Calls) Args(sym *uftrace.Symbol) *Program {
	if list, i := c.programs[0], uint(sym.Index); i < uint(len(list)) && list[i] != nil {
		return list[i]
	}
	return c.compile(sym, 0)
}

// Results is Call for returns.
func (c *Calls) Results(sym *uftrace.Symbol) *Program {
	if list, i := c.programs[1], uint(sym.Index); i < uint(len(list)) && list[i] != nil {
		return list[i]
	}
	return c.compile(sym, 1)
}

func (c *Calls) compile(sym *uftrace.Symbol, side int) *Program {
	return c.programs[side].At(uint32(sym.Index), func() *Program {
		ev, err := c.recorded.Compile(sym, side == 1, compiler.Options{Form: c.Form, Colors: c.Colors})
		return NewProgram(ev, c.target, err, c.hold)
	})
}

// Event returns the program of an event of the recorder. It returns nil for an id with data of
// unknown layout.
func (c *Calls) Event(id uint32) *Program {
	if id < compiler.ReadStatm || id > compiler.Callsite {
		return nil
	}
	p := &c.events[id-compiler.ReadStatm]
	if *p == nil {
		if ev := compiler.Event(id, c.Form, c.target.WordSize); ev != nil {
			*p = NewProgram(ev, c.target, nil, c.hold)
		}
	}
	return *p
}

// Addresses finds the names of addresses in the program of a session. It is the render.Symbols of
// values.
type Addresses struct {
	Session *uftrace.Session             // if nil, addresses have no names
	Time    uint64                       // in ns, since libraries are loaded and unloaded
	Name    func(*uftrace.Symbol) string // returns the name of a symbol; nil means Symbol.Shown
	Quoted  bool                         // names are for the inside of a JSON string: operator""s
}

// Symbol implements render.Symbols.
func (a *Addresses) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	if a.Session == nil {
		return "", 0, false
	}
	sym, offset := a.Session.Find(addr, a.Time)
	if sym == nil {
		return "", 0, false
	}
	if a.Name != nil {
		name = a.Name(sym)
	} else {
		name = sym.Shown()
	}
	if a.Quoted {
		name = compiler.Quote(name)
	}
	return name, offset, true
}
