// Package color has the colours of uftrace, as terminals take them.
package color

import "github.com/tracec/tracec/cmd/internal/report/uftrace/play"

// Palette are the escape sequences. The zero value has none: text stays plain.
type Palette struct {
	Reset, Gray, Green, Red string
	// Units are for the units of a duration, by their size: the first, that of blanks, is plain.
	Units [5]string
	// Named are those that triggers name.
	Named [play.ColorGray + 1]string
}

// New makes a palette whose sequences begin with escape: the escape character, or what stands for it (report.Terminal.Mark).
func New(escape string) *Palette {
	code := func(n string) string { return escape + "[" + n + "m" }
	p := &Palette{Reset: code("0"), Gray: code("90"), Green: code("32"), Red: code("91")}
	p.Units = [5]string{"", p.Green, code("33"), p.Red, p.Red}
	p.Named = [play.ColorGray + 1]string{
		play.ColorRed: p.Red, play.ColorGreen: p.Green, play.ColorBlue: code("94"), play.ColorYellow: code("93"),
		play.ColorMagenta: code("35"), play.ColorCyan: code("36"), play.ColorBold: code("1"), play.ColorGray: p.Gray,
	}
	return p
}
