package trcfmt

import (
	"math"
	"strings"
)

// A doc is a document: text with places where lines may break. The layout decides at which of these
// places lines break. The algorithm is from Wadler, "A prettier printer".
type doc struct {
	kind docKind
	text string
	kids []*doc
}

type docKind uint8

const (
	docText    docKind = iota
	docConcat          // kids, one after the other
	docNest            // kids, with one more indent for their lines
	docGroup           // kids: either all of their lines break or no line does
	docLine            // a blank or a new line
	docFill            // a blank, or a new line if its kid, which comes next, does not fit
	docHard            // a new line
	docComment         // a new line, the text of a comment from column 1, a new line
)

const (
	layoutWidth  = 96 // columns, without the backslash
	layoutIndent = 4
)

func text(s string) *doc { return &doc{kind: docText, text: s} }

func concat(kids ...*doc) *doc { return &doc{kind: docConcat, kids: kids} }

func group(kids ...*doc) *doc { return &doc{kind: docGroup, kids: kids} }

func nest(kids ...*doc) *doc { return &doc{kind: docNest, kids: kids} }

func line() *doc { return &doc{kind: docLine} }

func hard() *doc { return &doc{kind: docHard} }

// A layouter makes lines of a document.
type layouter struct {
	lines []layoutLine
	buf   strings.Builder // the current line
	col   int
}

type layoutLine struct {
	text    string
	comment bool
}

func (l *layouter) emit(d *doc, indent int, flat bool) {
	switch d.kind {
	case docText:
		l.write(d.text)
	case docNest:
		for _, k := range d.kids {
			l.emit(k, indent+1, flat)
		}
	case docGroup:
		flat = flat || width(d, layoutWidth-l.col) <= layoutWidth-l.col
		fallthrough
	case docConcat:
		for _, k := range d.kids {
			l.emit(k, indent, flat)
		}
	case docLine:
		if flat {
			l.write(" ")
			return
		}
		l.newline(indent)
	case docFill:
		if room := layoutWidth - l.col - 1; flat || width(d.kids[0], room) <= room {
			l.write(" ")
			return
		}
		l.newline(indent)
	case docHard:
		l.newline(indent)
	case docComment:
		l.finish()
		l.lines = append(l.lines, layoutLine{d.text, true})
		l.newline(indent)
	}
}

func (l *layouter) write(s string) {
	l.buf.WriteString(s)
	l.col += characters(s)
}

// finish ends the current line unless it is empty.
func (l *layouter) finish() {
	if s := strings.TrimRight(l.buf.String(), " "); s != "" {
		l.lines = append(l.lines, layoutLine{s, false})
	}
	l.buf.Reset()
	l.col = 0
}

func (l *layouter) newline(indent int) {
	l.finish()
	l.write(strings.Repeat(" ", indent*layoutIndent))
}

// width returns the number of columns of d on one line, or a number above limit.
func width(d *doc, limit int) int {
	switch d.kind {
	case docText:
		return characters(d.text)
	case docLine, docFill:
		return 1
	case docHard, docComment:
		return math.MaxInt32
	}
	n := 0
	for _, k := range d.kids {
		if n += width(k, limit-n); n > limit {
			break
		}
	}
	return n
}

// continued writes the lines of a stanza. All but the last continue, with their backslashes in one
// column as far as possible.
func (l *layouter) continued(b *strings.Builder) {
	last, column := 0, 0
	for i, ln := range l.lines {
		if !ln.comment {
			last = i
		}
	}
	for _, ln := range l.lines[:last] {
		if n := characters(ln.text); !ln.comment && n <= layoutWidth {
			column = max(column, n)
		}
	}
	for i, ln := range l.lines {
		b.WriteString(ln.text)
		if i < last && !ln.comment {
			b.WriteString(strings.Repeat(" ", max(column-characters(ln.text), 0)))
			b.WriteString(` \`)
		}
		b.WriteByte('\n')
	}
}
