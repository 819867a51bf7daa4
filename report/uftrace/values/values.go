// Package values prints the arguments, results and data of events that uftrace recorded.
package values

import (
	compiler "github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/symbols/demangle"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
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
	V014       // of 0.14 to 0.16: V019 with the narrow column of thread ids
	V019       // also of 0.17 and 0.18
)

// FullName is how the version shows a name with --demangle=full.
func (s Style) FullName(name string) string {
	if s == V013 {
		return demangle.FullOrType(name)
	}
	return demangle.Full(name)
}

// Names returns how the version shows functions where that is not Symbol.Shown; else nil.
func (s Style) Names(rec *uftrace.Recording) func(*uftrace.Symbol) string {
	if name := s.Mangled(rec); name != nil {
		return func(sym *uftrace.Symbol) string { return name(sym.Name) }
	}
	return nil
}

// Mangled is Names for the names of the symbol table.
func (s Style) Mangled(rec *uftrace.Recording) func(name string) string {
	if s == V013 && rec.Demangle() == demangle.FormFull {
		return demangle.FullOrType
	}
	return nil
}

// Printer prints values. It is for one goroutine.
type Printer struct {
	names  programs.Addresses
	calls  *programs.Calls
	env    *render.Env
	values *programs.Printer

	kernel      *programs.Formats
	tracepoints *programs.Printer
}

// New returns a printer for the values of a recording. No text is known to differ between the
// styles.
func New(rec *uftrace.Recording, form Form, _ Style) *Printer {
	p := &Printer{calls: programs.NewCalls(rec)}
	p.calls.Form, p.names.Quoted = form, form == JSON
	p.env = p.calls.Env(&p.names)
	p.values = programs.NewPrinter(p.env)
	p.kernel, p.tracepoints = programs.KernelFormats(rec)
	return p
}

// SetName says how a symbol that a pointer hits is called; nil is Symbol.Shown.
func (p *Printer) SetName(name func(*uftrace.Symbol) string) { p.names.Name = name }

// SetColor sets the palette for values in Replay, before the first; nil is none.
func (p *Printer) SetColor(c *color.Palette) {
	if c != nil {
		p.calls.Colors = &compiler.Colors{
			Text: c.Named[callstack.ColorMagenta], Enum: c.Named[callstack.ColorBlue],
			Joint:  c.Named[callstack.ColorBold],
			Symbol: c.Named[callstack.ColorCyan], Reset: c.Reset,
		}
	}
}

// AppendArgs appends the arguments of a call of sym: `1, "str"` without parentheses, or the lines
// of a dump. data is the payload of the entry record. sess, which may be nil, and time are where
// pointers are looked up.
func (p *Printer) AppendArgs(dst []byte, sess *uftrace.Session, time uint64, sym *uftrace.Symbol, data []byte) []byte {
	if sym == nil || len(sym.Args) == 0 {
		return dst
	}
	return p.append(dst, sess, time, p.calls.Args(sym), data)
}

// AppendResult is AppendArgs for the payload of an exit record. Only a dump shows more than one
// result.
func (p *Printer) AppendResult(
	dst []byte, sess *uftrace.Session, time uint64, sym *uftrace.Symbol, data []byte,
) []byte {
	if sym == nil || len(sym.Results) == 0 {
		return dst
	}
	return p.append(dst, sess, time, p.calls.Results(sym), data)
}

// Short reports whether the payload that was last appended ends before its values do: those that
// are wholly there were appended.
func (p *Printer) Short() bool { return p.values.Outcome.Reason == render.ExitShort }

func (p *Printer) append(dst []byte, sess *uftrace.Session, time uint64, prog *programs.Program, data []byte) []byte {
	p.names.Session, p.names.Time = sess, time
	return p.values.AppendText(dst, prog.Text(), data)
}
