// Package filter compiles filter expressions to predicates on records.
//
// The language is that of trace-cmd report -F, such as
// "sched_switch: prev_prio < 100", and works for all systems. [Parse] reads
// filters, [Compile] binds one to an event. Evaluation does not allocate.
// A comparison with a field that the event lacks is false.
//
// # What a filter means
//
// An event passes a [List] when it passes one of the filters that speak of it; an event that none
// speaks of does not.
//
// A comparison is false when a value is missing: the event has no such field, or the record no
// value of it, because it is optional or the record ends before. So !(x == 1) is true then, and x
// != 1 is not. Arithmetic with a missing value is missing. This is what trace-cmd does with fields
// that an event lacks. A number alone is true when it is there and not 0.
//
// Numbers are compared by their value, whatever their sign: -1 is less than any unsigned one.
// Equality goes by 64 bits, so that a negative number equals the hexadecimal one that is printed.
// Where one side is a float, or a number such as 1.5, both are compared as floats of 64 bits. Bits
// of floats (& | ^ % ~) are missing. Arithmetic wraps at 64 bits, and is unsigned where one side
// is: bytes_req - bytes_alloc < 0 is never true of unsigned fields.
//
// A number of fewer than 64 bits that has a sign equals what its bits are without one, too:
// 0xffffff9c is the -100 of 32 bits.
//
// Texts are compared without their NUL. Bytes and arrays compare with texts as the characters up to
// the first NUL, as in trace-cmd. A number compares with a text by its name: the one that the text
// of the event has for it, that of an enumeration's value, or else that of the symbol at an address
// as wide as a pointer; it is missing without one.
//
// A comparison with a list (an array of numbers, a value that a record may have several times) is
// true when it is for one of the elements. In a comparison of two lists it is for two elements at
// the same place.
//
// Events of all systems have COMM, the name of the thread, CPU, TIMESTAMP in nanoseconds (or ticks
// of the clock), and common_pid, the id of the thread; each may be missing, too.
package filter

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Event is a kind of event that filters are compiled for: how it is called, and what describes it.
type Event struct {
	System string
	Names  []string // all that it is called
	IR     *ir.Event
	Target ir.Target // the machine that its records come from
	// Words says that an argument of a system call is the word that was recorded, as for
	// trace-cmd, and not what it is shown as: an int.
	Words bool
	// Hold takes memory for the compiled condition, which lives as long as the recording. If it has
	// none, the predicate is refused. Nil has no bound.
	Hold func(what string, bytes int64) error
}

// List is several filters.
type List []*grammar.Filter

// Parse reads filters. The error joins those of all.
func Parse(texts []string) (list List, err error) {
	for _, text := range texts {
		f, e := grammar.Parse(text)
		if err = errors.Join(err, e); e == nil {
			list = append(list, f)
		}
	}
	return list, err
}

// Matches reports whether a filter speaks of an event.
func (l List) Matches(system string, names ...string) bool {
	for _, f := range l {
		if f.Matches(system, names...) {
			return true
		}
	}
	return false
}

// Compile returns the predicate of the filters that speak of an event.
func (l List) Compile(e *Event) *Predicate {
	first := slices.IndexFunc(l, func(f *grammar.Filter) bool { return f.Matches(e.System, e.Names...) })
	if first < 0 {
		return never
	}
	return compiled(e, l[first], func(c *compiler) *Predicate {
		all := constant(false)
		for _, f := range l {
			if f.Matches(e.System, e.Names...) {
				all = c.or(all, c.filter(f))
			}
		}
		return all
	})
}

// Compile returns the predicate of one filter for an event, whatever that is called.
func Compile(f *grammar.Filter, e *Event) *Predicate {
	return compiled(e, f, func(c *compiler) *Predicate { return c.filter(f) })
}

// nodeBytes is about what a node of a condition takes, compiled: its Predicate or value, its
// closure, and what that holds.
const nodeBytes = 64

// compiled compiles for an event. f names the filter in messages. The text, which takes more memory
// than the rest and is seldom asked for, comes with another run.
func compiled(e *Event, f *grammar.Filter, compile func(*compiler) *Predicate) *Predicate {
	c := newCompiler(e)
	p := compile(c)
	if p.Constant != 0 {
		return p
	}
	if e.Hold != nil {
		what := fmt.Sprintf("filter %q of %s", shortened(f.Source), e.Names[0])
		if err := e.Hold(what, int64(c.nodes)*nodeBytes); err != nil {
			return &Predicate{fn: never.fn, text: never.text, Constant: -1, Refused: fmt.Errorf("%s: %w", what, err)}
		}
	}
	p.Comm = c.comm
	p.text = func(dst []byte) []byte {
		c := newCompiler(e)
		c.texts = true
		return compile(c).text(dst)
	}
	return p
}

// shortened returns the beginning of a filter, for a message.
func shortened(source string) string {
	const most = 60
	if len(source) <= most {
		return source
	}
	return strings.ToValidUTF8(source[:most], "") + "…"
}

// Predicate reports whether records of an event pass. Any number of goroutines may use it, each
// with a Subject of its own.
type Predicate struct {
	fn   func(*Subject) bool
	text phrase
	in   *members // the condition is that a field is one of some numbers; nil: it is another
	// Constant is 1 when every record passes, -1 when none does.
	Constant int
	// Comm reports whether the name of the thread counts.
	Comm bool
	// Refused is the error of a filter that takes more memory than Event.Hold has. The predicate is
	// then unusable, and the caller must fail with this error.
	Refused error
}

// Pass reports whether a record passes. It does not allocate.
func (p *Predicate) Pass(s *Subject, r *record.Record) bool {
	s.record, s.decoded = r, nil
	return p.fn(s)
}

// String returns the filter as it came out for the event, in the way of trace-cmd report -T.
func (p *Predicate) String() string { return string(p.text(nil)) }

// Subject is what one goroutine needs to evaluate predicates.
type Subject struct {
	// Comm is the name of the record's thread, nil where that is not known. It is asked for by
	// predicates that say so.
	Comm []byte

	record  *record.Record
	symbols render.Symbols
	machine *interp.Machine
	outcome render.Outcome
	decoded *values // whose values kept holds
	kept    []kept
	index   int // of the elements of lists
	scratch []byte
}

// NewSubject returns a Subject for records of a machine and with the tables that env holds. It uses
// its Outcome.
func NewSubject(env *render.Env) *Subject {
	s := &Subject{symbols: env.Symbols}
	env.Outcome = &s.outcome
	s.machine = interp.NewMachine(env)
	s.machine.Keep = s.keep
	return s
}
