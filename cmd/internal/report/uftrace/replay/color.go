package replay

import (
	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
)

// The colours of uftrace, as terminals take them.
const (
	reset = "\x1b[0m"
	gray  = "\x1b[90m"
	green = "\x1b[32m"
	red   = "\x1b[91m"
)

// unitColors are those of the units of a duration; the first is plain.
var unitColors = [...]string{"", green, "\x1b[33m", red, red}

// colorCodes are the colours that a trigger names.
var colorCodes = [...]string{
	play.ColorRed: red, play.ColorGreen: green, play.ColorBlue: "\x1b[94m", play.ColorYellow: "\x1b[93m",
	play.ColorMagenta: "\x1b[35m", play.ColorCyan: "\x1b[36m", play.ColorBold: "\x1b[1m", play.ColorGray: gray,
}

// gray appends a text in gray when colours are wanted.
func (p *printer) gray(buf []byte, text string) []byte {
	if !p.opts.Color {
		return append(buf, text...)
	}
	buf = append(buf, gray...)
	buf = append(buf, text...)
	return append(buf, reset...)
}

// colored appends the name of a call in the colour that a trigger gave it.
func (p *printer) colored(buf []byte, c play.Color, name []byte) []byte {
	if c == play.ColorNone || !p.opts.Color {
		return append(buf, name...)
	}
	end := ""
	if n := len(name); n > 2 && string(name[n-2:]) == "()" {
		name, end = name[:n-2], "()"
	}
	buf = append(buf, colorCodes[c]...)
	buf = append(buf, name...)
	buf = append(buf, reset...)
	return append(buf, end...)
}

// appendColored appends a duration, its unit in the colour of its size.
func (p *printer) appendColored(buf []byte, total uint64) []byte {
	n := len(buf)
	buf = append(buf, noDuration...)
	if total == 0 {
		return buf
	}
	unit := putDuration((*[10]byte)(buf[n:]), total)
	if !p.opts.Color || unit < 1 {
		return buf
	}
	text := string(buf[n+8:])
	buf = append(buf[:n+8], unitColors[unit]...)
	buf = append(buf, text...)
	return append(buf, reset...)
}

// insertColored writes the duration of a leaf, which takes more bytes than begin left.
func (p *printer) insertColored(total uint64) {
	at := p.durationAt
	tail := append([]byte(nil), p.buf[at+len(noDuration):]...)
	p.buf = append(p.appendColored(p.buf[:at], total), tail...)
}

// eventColor is the colour of an event: that of the function whose trigger made it, else green.
func (p *printer) eventColor(s *play.Step) string {
	if !p.opts.Color {
		return ""
	}
	if s.Color != play.ColorNone {
		return colorCodes[s.Color]
	}
	return green
}
