package replay

import (
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// gray appends a text, in gray if there are colours.
func (p *printer) gray(buf []byte, text string) []byte {
	if p.opts.Layout.Color == nil {
		return append(buf, text...)
	}
	buf = append(buf, p.colors.Gray...)
	buf = append(buf, text...)
	return append(buf, p.colors.Reset...)
}

// red ends a line with a text about damage.
func (p *printer) red(indent int, text string) {
	if p.opts.Layout.Color == nil {
		p.buf = append(appendBlanks(p.buf, indent), text...)
		return
	}
	p.buf = appendBlanks(append(p.buf, p.colors.Red...), indent)
	p.buf = append(append(p.buf, text...), p.colors.Reset...)
}

// colored appends the name of a call in the colour from a trigger.
func (p *printer) colored(buf []byte, c callstack.Color, name []byte) []byte {
	if c == callstack.ColorNone || p.opts.Layout.Color == nil {
		return append(buf, name...)
	}
	end := ""
	if n := len(name); n > 2 && string(name[n-2:]) == "()" {
		name, end = name[:n-2], "()"
	}
	buf = append(buf, p.colors.Named[c]...)
	buf = append(buf, name...)
	buf = append(buf, p.colors.Reset...)
	return append(buf, end...)
}

// appendColored appends a duration with its unit in the colour of its size.
func (p *printer) appendColored(buf []byte, total uint64) []byte {
	n := len(buf)
	buf = append(buf, noDuration...)
	if total == 0 {
		return buf
	}
	unit := putDuration((*[10]byte)(buf[n:]), total)
	if p.opts.Layout.Color == nil || unit < 1 {
		return buf
	}
	text := string(buf[n+8:])
	buf = append(buf[:n+8], p.colors.Units[unit]...)
	buf = append(buf, text...)
	return append(buf, p.colors.Reset...)
}

// insertColored inserts the duration of a leaf, which is longer than the space that begin left.
func (p *printer) insertColored(total uint64) {
	at := p.durationAt
	tail := append([]byte(nil), p.buf[at+len(noDuration):]...)
	p.buf = p.appendColored(p.buf[:at], total)
	if p.deltaAt >= 0 { // it follows the duration
		p.deltaAt += len(p.buf) - at - len(noDuration)
	}
	p.buf = append(p.buf, tail...)
}

// eventColor returns the colour of an event: the colour of the function whose trigger made it, else
// green.
func (p *printer) eventColor(c callstack.Color) string {
	if p.opts.Layout.Color == nil {
		return ""
	}
	if c != callstack.ColorNone {
		return p.colors.Named[c]
	}
	return p.colors.Green
}
