// Package values prints what uftrace recorded of arguments, results and events. What a function's specs say is compiled when
// the function is first shown.
package values

import (
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/report/uftrace/tracepoint"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
	"github.com/tracec/tracec/runtime/uftrace/demangle"
)

// Form is the way in which values are written.
type Form = compiler.Form

// The forms.
const (
	Replay = compiler.Replay // 1, 2.500000, "str"
	Dump   = compiler.Dump   // lines such as `  args[0] i32: 0x00000001`
	JSON   = compiler.JSON   // as Replay, for the inside of a JSON string
)

// Style is the version of uftrace whose text is wanted.
type Style uint8

// The styles.
const (
	V013 Style = iota
	V019       // also of 0.14 to 0.18
)

// FullName is how the version shows a name with --demangle=full.
func (s Style) FullName(name string) string {
	if s == V013 {
		return demangle.FullOrType(name)
	}
	return demangle.Full(name)
}

// Printer prints values. It is for one goroutine.
type Printer struct {
	// Name is how a symbol that a pointer hits is called; nil is its simple name.
	Name func(*uftrace.Symbol) string
	// Color is the palette for values in Replay, nil for none.
	Color *color.Palette

	form     Form
	word     int
	target   ir.Target
	symbols  []entries // by Symbol.Index
	events   []*interp.Program
	modules  recorded.Modules
	builtin  compiler.Enums
	resolver resolver
	outcome  render.Outcome
	machine  *interp.Machine

	tracepoints *tracepoint.Printer
}

// entries are the programs of a symbol, nil before they are used.
type entries struct{ args, results *interp.Program }

// New returns a printer for the values of a recording. No text is known to differ between the styles.
func New(rec *uftrace.Recording, form Form, _ Style) *Printer {
	info := rec.Info()
	p := &Printer{
		form:    form,
		word:    info.WordSize,
		target:  ir.Target{BigEndian: info.BigEndian, WordSize: info.WordSize},
		symbols: make([]entries, len(rec.Symbols())),
		modules: recorded.Modules{},

		tracepoints: tracepoint.New(rec),
	}
	if info.Features&uftrace.FeatAutoArgs != 0 { // uftrace reads the recorder's own list only then (observed on 0.13)
		p.builtin = compiler.ParseEnums(info.EnumAuto)
	}
	if p.word != 4 {
		p.word, p.target.WordSize = 8, 8
	}
	p.resolver.printer = p
	p.machine = interp.NewMachine(&render.Env{
		BigEndian: info.BigEndian, WordSize: p.word, Symbols: &p.resolver, Outcome: &p.outcome,
	})
	return p
}

// AppendArgs appends the arguments of a call of sym: `1, "str"` without parentheses, or the lines of a dump. data is the
// payload of the entry record. sess, which may be nil, and time are where pointers are looked up.
func (p *Printer) AppendArgs(dst []byte, sess *uftrace.Session, time uint64, sym *uftrace.Symbol, data []byte) []byte {
	if sym == nil || len(sym.Args) == 0 {
		return dst
	}
	prog := &p.entries(sym).args
	if *prog == nil {
		*prog = p.compile(sym, sym.Args, false)
	}
	return p.run(dst, sess, time, *prog, data)
}

// AppendResult is AppendArgs for the payload of an exit record. Only a dump shows more than one result.
func (p *Printer) AppendResult(dst []byte, sess *uftrace.Session, time uint64, sym *uftrace.Symbol, data []byte) []byte {
	if sym == nil || len(sym.Results) == 0 {
		return dst
	}
	prog := &p.entries(sym).results
	if *prog == nil {
		*prog = p.compile(sym, sym.Results, true)
	}
	return p.run(dst, sess, time, *prog, data)
}

// Short reports whether the payload that was last appended ends before its values do: those that are wholly there were
// appended.
func (p *Printer) Short() bool { return p.outcome.Reason == render.ExitShort }

func (p *Printer) run(dst []byte, sess *uftrace.Session, time uint64, prog *interp.Program, data []byte) []byte {
	p.resolver.session, p.resolver.time = sess, time
	p.outcome = render.Outcome{}
	return p.machine.AppendText(dst, prog, data)
}

// entries are the programs of sym. A symbol that the recording came to know after New has them, too.
func (p *Printer) entries(sym *uftrace.Symbol) *entries {
	for int(sym.Index) >= len(p.symbols) {
		p.symbols = append(p.symbols, entries{})
	}
	return &p.symbols[sym.Index]
}

func (p *Printer) compile(sym *uftrace.Symbol, specs []uftrace.Spec, exit bool) *interp.Program {
	f := compiler.Function{Name: sym.Simple, Exit: exit, Values: recorded.Values(specs)}
	if sym.Module != nil {
		f.Module = sym.Module.Name
	}
	// A spec that cannot be compiled shows nothing, as one that the tool refuses.
	opts := compiler.Options{Form: p.form, Enums: []compiler.Enums{p.modules.Enums(sym.Module, f.Values), p.builtin}}
	if c := p.Color; c != nil {
		opts.Colors = &compiler.Colors{
			Text: c.Named[callstack.ColorMagenta], Enum: c.Named[callstack.ColorBlue], Joint: c.Named[callstack.ColorBold],
			Symbol: c.Named[callstack.ColorCyan], Reset: c.Reset,
		}
	}
	ev, _ := compiler.Compile(f, opts)
	return p.program(ev)
}

// program compiles what the package compiler/uftrace made, which is well-formed.
func (p *Printer) program(ev *ir.Event) *interp.Program {
	prog, err := interp.Compile(ev, p.target)
	if err != nil {
		panic("values: " + err.Error())
	}
	return prog
}

// resolver finds the names that pointers show.
type resolver struct {
	printer *Printer
	session *uftrace.Session
	time    uint64
}

// Symbol implements render.Symbols.
func (r *resolver) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	if r.session == nil {
		return "", 0, false
	}
	sym, offset := r.session.Find(addr, r.time)
	if sym == nil {
		return "", 0, false
	}
	name = sym.Simple
	if r.printer.Name != nil {
		name = r.printer.Name(sym)
	}
	if r.printer.form == JSON { // operator""s
		name = compiler.Quote(name)
	}
	return name, offset, true
}
