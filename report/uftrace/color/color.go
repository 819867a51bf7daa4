// Package color holds the colours of uftrace's output, as escape sequences of terminals.
package color

import (
	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// Palette holds the escape sequences. The zero value and a nil palette have no colours.
type Palette struct {
	Reset, Gray, Green, Red string
	// Units are the colours of the units of a duration, by their size. The first has no colour.
	Units [5]string
	// Named are the colours of triggers, by number.
	Named [callstack.ColorGray + 1]string
	// Growth and Loss are the colours of differences, first for large ones, then for small ones.
	Growth, Loss [2]string
}

// New returns a palette whose sequences begin with escape: the escape character, or its replacement
// (report.Terminal.Mark).
func New(escape string) *Palette {
	code := func(n string) string { return escape + "[" + n + "m" }
	p := &Palette{Reset: code("0"), Gray: code("90"), Green: code("32"), Red: code("91")}
	p.Units = [5]string{"", p.Green, code("33"), p.Red, p.Red}
	p.Named = [callstack.ColorGray + 1]string{
		callstack.ColorRed: p.Red, callstack.ColorGreen: p.Green, callstack.ColorBlue: code("94"),
		callstack.ColorYellow:  code("93"),
		callstack.ColorMagenta: code("35"), callstack.ColorCyan: code("36"), callstack.ColorBold: code("1"),
		callstack.ColorGray: p.Gray,
	}
	p.Growth = [2]string{p.Red, p.Named[callstack.ColorMagenta]}
	p.Loss = [2]string{p.Named[callstack.ColorBlue], p.Named[callstack.ColorCyan]}
	return p
}

// AppendDuration appends a duration in nanoseconds like line.AppendDuration. Its unit has the
// colour of its size.
func (p *Palette) AppendDuration(dst []byte, ns uint64) []byte {
	dst = line.AppendDuration(dst, ns)
	if p == nil || ns == 0 {
		return dst
	}
	end := len(dst) - 2
	unit := string(dst[end:])
	code := p.unit(unit)
	if code == "" {
		return dst
	}
	return append(append(append(dst[:end], code...), unit...), p.Reset...)
}

// unit returns the colour of a unit from line.AppendDuration.
func (p *Palette) unit(text string) string {
	switch text {
	case "ms":
		return p.Units[1]
	case " s":
		return p.Units[2]
	case " m":
		return p.Units[3]
	case " h":
		return p.Units[4]
	}
	return p.Units[0]
}

// AppendTask appends the name of a thread in a tree below another, and ends the line.
func (p *Palette) AppendTask(dst []byte, name string) []byte {
	if p == nil {
		return append(append(dst, name...), '\n')
	}
	return append(append(append(append(dst, p.Green...), name...), '\n'), p.Reset...)
}
