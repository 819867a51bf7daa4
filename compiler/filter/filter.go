// Package filter compiles filter expressions to predicates on records.
//
// The language is the one of trace-cmd report -F, such as "sched_switch: prev_prio < 100". It works
// for all systems. [Parse] reads filters, and [Compile] binds one to an event. Evaluation does not
// allocate. A comparison with a field that the event lacks is false.
//
// # Meaning of a filter
//
// A filter applies to the events that it names. An event passes a [List] if it passes one of the
// filters that apply to it. An event without such a filter does not pass.
//
// A comparison is false when a value is missing. A value is missing if the event has no such field,
// if the field is optional and the record lacks it, or if the record ends before it. So !(x == 1)
// is true for a missing x, and x != 1 is false. Arithmetic with a missing value is missing.
// trace-cmd treats fields that an event lacks in the same way. A number alone is true when it is
// present and not 0.
//
// Numbers are compared by their value, whatever their sign: -1 is less than any unsigned number.
// Equality compares 64 bits, so that a negative number equals the hexadecimal number that is
// printed for it. If one side is a float, or a number such as 1.5, both are compared as floats of
// 64 bits. The bit operators and the remainder (& | ^ % ~) of a float are missing. Arithmetic wraps
// at 64 bits. It is unsigned if one side is unsigned: bytes_req - bytes_alloc < 0 is never true for
// unsigned fields.
//
// A signed number of fewer than 64 bits also equals the unsigned number with the same bits:
// 0xffffff9c equals -100 in 32 bits.
//
// Texts are compared without their NUL. Bytes and arrays compare with texts as the characters up to
// the first NUL, as in trace-cmd. A number compares with a text by its name. The name is the one in
// the text of the event, or the name of an enumeration's value. For other numbers as wide as a
// pointer, it is the name of the symbol at that address. A number without a name is missing.
//
// A comparison with a list (an array of numbers, or a value that a record may have several times)
// is true when it is true for one of the elements. A comparison of two lists is true when it is
// true for two elements at the same index.
//
// Events of all systems have four more fields. COMM is the name of the thread. CPU is the CPU.
// TIMESTAMP is in nanoseconds, or in ticks of the clock. common_pid is the id of the thread. Each
// of them may be missing.
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

// Event is a kind of event that filters are compiled for: its names and its description.
type Event struct {
	System string
	Names  []string // all names of the event
	IR     *ir.Event
	Target ir.Target // the machine that wrote the records
	// Words declares that a filter sees an argument of a system call as the recorded word, as
	// trace-cmd does. Without it, a filter sees the argument as it is shown, for instance as an
	// int.
	Words bool
	// Hold accounts for the memory of the compiled condition, which lives as long as the recording.
	// If Hold returns an error, the predicate is refused. Without Hold, the memory has no limit.
	Hold func(what string, bytes int64) error
}

// List is a set of filters. A record needs to pass only one of them.
type List []*grammar.Filter

// Parse reads filters. The error joins the errors of all texts.
func Parse(texts []string) (list List, err error) {
	for _, text := range texts {
		f, e := grammar.Parse(text)
		if err = errors.Join(err, e); e == nil {
			list = append(list, f)
		}
	}
	return list, err
}

// Matches reports whether a filter applies to an event with one of these names.
func (l List) Matches(system string, names ...string) bool {
	for _, f := range l {
		if f.Matches(system, names...) {
			return true
		}
	}
	return false
}

// Compile returns the predicate of the filters that apply to an event.
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

// Compile returns the predicate of one filter for an event. It does not look at the event's names.
func Compile(f *grammar.Filter, e *Event) *Predicate {
	return compiled(e, f, func(c *compiler) *Predicate { return c.filter(f) })
}

// nodeBytes is the approximate size of a compiled node of a condition: its Predicate or value, its
// closure, and the variables of the closure.
const nodeBytes = 64

// compiled compiles for an event. f names the filter in messages. A second run builds the text,
// which takes more memory than the rest and is seldom needed.
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
// with its own Subject.
type Predicate struct {
	fn   func(*Subject) bool
	text phrase
	in   *members // for a condition that compares one field with a set of numbers; else nil
	// Constant is 1 when every record passes, -1 when none does.
	Constant int
	// Comm reports whether the predicate uses the name of the thread.
	Comm bool
	// Refused is the error of a filter that takes more memory than Event.Hold allows. The predicate
	// is then unusable, and the caller must fail with this error.
	Refused error
}

// Pass reports whether a record passes. It does not allocate.
func (p *Predicate) Pass(s *Subject, r *record.Record) bool {
	s.record, s.decoded = r, nil
	return p.fn(s)
}

// String returns the filter as it was compiled for the event, in the format of trace-cmd report -T.
func (p *Predicate) String() string { return string(p.text(nil)) }

// Subject is the state that one goroutine needs to evaluate predicates.
type Subject struct {
	// Comm is the name of the record's thread, or nil if it is not known. Only predicates with
	// Predicate.Comm set read it.
	Comm []byte

	record  *record.Record
	symbols render.Symbols
	machine *interp.Machine
	outcome render.Outcome
	decoded *values // the values that kept holds
	kept    []kept
	index   int // the current element of lists
	scratch []byte
}

// NewSubject returns a Subject for records of one machine, with the tables of env. It sets
// env.Outcome.
func NewSubject(env *render.Env) *Subject {
	s := &Subject{symbols: env.Symbols}
	env.Outcome = &s.outcome
	s.machine = interp.NewMachine(env)
	s.machine.Keep = s.keep
	return s
}
