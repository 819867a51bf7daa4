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

// Form is the format of values.
type Form = compiler.Form

// The forms.
const (
	Replay = compiler.Replay // 1, 2.500000, "str"
	Dump   = compiler.Dump   // lines such as `  args[0] i32: 0x00000001`
	JSON   = compiler.JSON   // as Replay, escaped for a JSON string
)

// Style is the version of uftrace whose text is printed.
type Style uint8

// The styles.
const (
	V013 Style = iota
	V014       // 0.14 to 0.16: V019 with the narrow column of thread ids
	V019       // also 0.17 and 0.18
)

// FullName returns the form of a name with --demangle=full in the version.
func (s Style) FullName(name string) string {
	if s == V013 {
		return demangle.FullOrType(name)
	}
	return demangle.Full(name)
}

// Names returns the version's names of functions, or nil if they are Symbol.Shown.
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

// New returns a printer for the values of a recording. The texts of all styles are the same, as far
// as known.
func New(rec *uftrace.Recording, form Form, _ Style) *Printer {
	p := &Printer{calls: programs.NewCalls(rec)}
	p.calls.Form, p.names.Quoted = form, form == JSON
	p.env = p.calls.Env(&p.names)
	p.values = programs.NewPrinter(p.env)
	p.kernel, p.tracepoints = programs.KernelFormats(rec)
	return p
}

// SetName sets the function for names of symbols that pointers refer to. Nil means Symbol.Shown.
func (p *Printer) SetName(name func(*uftrace.Symbol) string) { p.names.Name = name }

// SetColor sets the palette for values in Replay. It must be called before the first value. Nil
// means no colours.
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
// of a dump. data is the payload of the entry record. Pointers are looked up in sess at time. sess
// may be nil.
func (p *Printer) AppendArgs(dst []byte, sess *uftrace.Session, time uint64, sym *uftrace.Symbol, data []byte) []byte {
	if sym == nil || len(sym.Args) == 0 {
		return dst
	}
	return p.append(dst, sess, time, p.calls.Args(sym), data)
}

// AppendResult is AppendArgs for the payload of an exit record. Only a dump prints more than one
// result.
func (p *Printer) AppendResult(
	dst []byte, sess *uftrace.Session, time uint64, sym *uftrace.Symbol, data []byte,
) []byte {
	if sym == nil || len(sym.Results) == 0 {
		return dst
	}
	return p.append(dst, sess, time, p.calls.Results(sym), data)
}

// Short reports whether the last payload ended before its values. The complete values were
// appended.
func (p *Printer) Short() bool { return p.values.Outcome.Reason == render.ExitShort }

func (p *Printer) append(dst []byte, sess *uftrace.Session, time uint64, prog *programs.Program, data []byte) []byte {
	p.names.Session, p.names.Time = sess, time
	return p.values.AppendText(dst, prog.Text(), data)
}
