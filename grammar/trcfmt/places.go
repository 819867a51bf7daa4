package trcfmt

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// places converts offsets to positions. It continues from the last offset, so that offsets in
// rising order cost one pass over the file.
type places struct {
	file string
	src  string
	last int // offset of the position below
	line int // from 1
	col  int // characters before it in the line
}

// at returns the position of an offset.
func (p *places) at(off int) lexer.Position {
	if off < p.last {
		p.back(off)
	}
	gap := p.src[p.last:off]
	if n := strings.Count(gap, "\n"); n > 0 {
		p.line += n
		p.col = 0
		gap = gap[strings.LastIndexByte(gap, '\n')+1:]
	}
	p.col += characters(gap)
	p.last = off
	return lexer.Position{Filename: p.file, Offset: off, Line: p.line, Column: p.col + 1}
}

// back moves to an offset before the last position. Parsing looks back over a few characters only.
// A newline between them requires a recount of the line.
func (p *places) back(off int) {
	gap := p.src[off:p.last]
	p.last = off
	n := strings.Count(gap, "\n")
	if n == 0 {
		p.col -= characters(gap)
		return
	}
	p.line -= n
	p.col = characters(p.src[strings.LastIndexByte(p.src[:off], '\n')+1 : off])
}

// characters counts the bytes that do not continue a character. Unlike with utf8.RuneCountInString,
// counts of parts can be added and subtracted, wherever the text is cut.
func characters(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if utf8.RuneStart(s[i]) {
			n++
		}
	}
	return n
}
