package tracecmd

import (
	"cmp"
	"sync"

	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/ftrace"
)

// compiled holds the compiled formats of a recording. All goroutines that print it share them:
// compiling a format takes as long as printing a thousand of its events.
type compiled struct {
	formats *programs.Formats
	target  ir.Target
	hold    programs.Hold

	mu          sync.Mutex
	parts       map[*ftrace.Format]func() []part
	conversions map[conversion]func() *interp.Program
	refused     error // of the first filter without memory
}

// conversion is an event with the layout of a format and another print fmt.
type conversion struct {
	format *ftrace.Format
	text   string
}

func newCompiled(rec *ftrace.Recording, t ir.Target) *compiled {
	return &compiled{
		formats: programs.NewFormats(rec.Formats(), t, rec.HoldFor), hold: rec.HoldFor, target: t,
		parts: map[*ftrace.Format]func() []part{}, conversions: map[conversion]func() *interp.Program{},
	}
}

// refuse keeps the error of a filter that exceeds the available memory. The report fails with it.
func (c *compiled) refuse(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused = cmp.Or(c.refused, err)
}

// astBytes is the memory of the syntax tree of a print fmt per byte of text. A table of 7,000 names
// takes 27.
const astBytes = 32

// partsOf returns the parts of a format's print fmt.
func (c *compiled) partsOf(f *ftrace.Format) []part {
	return once(&c.mu, c.parts, f, func() []part {
		if c.hold("the conversions of "+f.Name, int64(len(f.Text))*astBytes) != nil {
			return nil
		}
		file, _ := grammar.Parse(f.Name, f.Text)
		if file == nil || file.Print == nil {
			return nil
		}
		return split(file.Print)
	})
}

// program returns the program of a conversion, or nil if it cannot be compiled.
func (c *compiled) program(k conversion) *interp.Program {
	return once(&c.mu, c.conversions, k, func() *interp.Program {
		ev, _ := compiler.CompileEvent(k.format.System, k.format.Name, k.text, c.target)
		if ev == nil {
			return nil
		}
		return programs.NewProgram(ev, c.target, nil, c.hold).Text()
	})
}

// once returns the value for a key. It calls fn on first use.
func once[K comparable, V any](mu *sync.Mutex, made map[K]func() V, key K, fn func() V) V {
	mu.Lock()
	value := made[key]
	if value == nil {
		value = sync.OnceValue(fn)
		made[key] = value
	}
	mu.Unlock()
	return value()
}
