package lttng

import (
	"errors"
	"fmt"
	"strings"
)

// errFormat reports that a marker format cannot be laid out.
var errFormat = errors.New("a conversion that markers do not have")

var errFields = fmt.Errorf("more than %d fields", maxFields)

// sizes are the sizes of C types in the program of a marker, and the alignment of fields, which is
// 0 for packed fields.
type sizes struct{ int, long, pointer, sizeT, alignment int }

// Types are the types in the program of a marker: their sizes in bytes, and the alignment of
// fields, which is 0 for packed fields. Natural is the alignment of 2.4 and 2.5, which has no upper
// bound.
type Types struct {
	Int, Long, Pointer, SizeT, Alignment int
	Natural                              bool
}

// ParseFormat finds the fields of a marker format (lttng.md 5.3). grammar/lttng reports errors with
// their positions.
func ParseFormat(format string, t Types) ([]Field, error) {
	return layOut(format, sizes{t.Int, t.Long, t.Pointer, t.SizeT, t.Alignment}, t.Natural)
}

// layOut finds the fields of a marker format (lttng.md 5.3). natural selects the alignment of 2.4
// and 2.5.
func layOut(format string, s sizes, natural bool) ([]Field, error) {
	p := formatScanner{text: format, sizes: s, natural: natural, nameEnd: -1}
	for p.pos < len(p.text) {
		if err := p.step(); err != nil {
			return nil, err
		}
		if len(p.fields) > maxFields {
			return nil, errFields
		}
	}
	return p.fields, nil
}

// formatScanner reads a format once.
type formatScanner struct {
	text string
	pos  int
	// name and nameEnd are the bounds of the text between the previous conversion and the first #
	// or % after it.
	name, nameEnd int
	before        []byte // the characters since the previous conversion or the last blank, apart from text after a #
	source        string // the text after a # since the previous conversion
	sizes         sizes
	natural       bool
	fields        []Field
	trace         part // the text after a #, for the following %
}

// part is one half of a conversion: the trace type after #, or the C type after %.
type part struct {
	given   bool
	size    int
	conv    byte
	network bool
	compact bool
}

func (p *formatScanner) step() error {
	c := p.text[p.pos]
	p.pos++
	switch {
	case c == ' ':
		p.before = p.before[:0]
		return nil
	case c != '#' && c != '%':
		p.before = append(p.before, c)
		return nil
	case p.peek() == c: // doubled, it represents itself
		p.pos++
		p.before = append(p.before, c, c)
		return nil
	}
	p.endName()
	if c == '%' {
		return p.cType(p.pos - 1)
	}
	return p.traceType()
}

// endName is called after a # or %.
func (p *formatScanner) endName() {
	if p.nameEnd < p.name {
		p.nameEnd = p.pos - 1
	}
}

func (p *formatScanner) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// traceType reads the text after #: attributes, a size or qualifier, a conversion. Any other
// character at the place of the conversion is swallowed, even the % of `#1%d`, as in kernels and
// readers.
func (p *formatScanner) traceType() error {
	start := p.pos - 1
	p.trace = part{given: true}
	for ; p.peek() == 'n' || p.peek() == 'b'; p.pos++ {
		p.trace.network = p.trace.network || p.peek() == 'n'
		p.trace.compact = p.trace.compact || p.peek() == 'b'
	}
	qualifier := p.qualifier("hlLZzt1248")
	c := p.peek()
	switch {
	case c == '%' && qualifier == "": // attributes alone: `#n%u`
		p.trace.given = false
		p.pos++
		return p.cType(start)
	case p.pos == len(p.text):
		return nil
	}
	p.pos++
	p.trace.conv = c
	p.trace.size = p.size(qualifier, c)
	if p.trace.size < 0 { // swallowed: the conversion is ignored
		p.trace = part{}
	}
	p.source += p.text[start:p.pos]
	return nil
}

// cType reads the text after %: the conversion that makes a field. The conversion begins at begin.
func (p *formatScanner) cType(begin int) error {
	how := Conversion{Before: string(p.before)}
	for p.flag(&how) {
		p.pos++
	}
	start := p.pos
	qualifier := p.qualifier("hlLZzt")
	c := p.peek()
	size := p.size(qualifier, c)
	if size < 0 {
		return fmt.Errorf("%q at offset %d of the format: %w", "%"+p.text[start:min(p.pos+1, len(p.text))], start-1,
			errFormat)
	}
	p.pos++
	f := Field{Name: p.fieldName(), Size: size, Signed: c == 'd' || c == 'i', Pointer: c == 'p',
		Network: p.trace.network, Compact: p.trace.compact}
	if t := p.trace; t.given && c != 's' {
		f.Size, f.Signed, f.Pointer = t.size, t.conv == 'd' || t.conv == 'i', t.conv == 'p'
	}
	if f.Size == 0 {
		f.Kind = String
	}
	f.Align = p.align(f.Size)
	how.Verb = c
	f.Print = how
	// there is other text in between
	if f.Source = p.text[begin-min(begin, len(p.source)) : p.pos]; f.Source[:len(f.Source)-(p.pos-begin)] != p.source {
		f.Source = p.source + p.text[begin:p.pos]
	}
	p.fields = append(p.fields, f)
	p.trace, p.source, p.before = part{}, "", p.before[:0]
	p.name, p.nameEnd = p.pos, -1
	return nil
}

// flag reads the next character if it is a flag of a conversion.
func (p *formatScanner) flag(how *Conversion) bool {
	switch p.peek() {
	case '-':
		how.Minus = true
	case '+':
		how.Plus = true
	case ' ':
		how.Space = true
	case '#':
		how.Sharp = true
	case '0':
		how.Zero = true
	default:
		return false
	}
	return true
}

// qualifier reads a qualifier in set, or ll. hh does not exist (lttng.md 5.3).
func (p *formatScanner) qualifier(set string) string {
	c := p.peek()
	if c == 0 || strings.IndexByte(set, c) < 0 {
		return ""
	}
	p.pos++
	if c == 'l' && p.peek() == c {
		p.pos++
		return "ll"
	}
	return string(c)
}

// size returns the number of bytes of a conversion: 0 for a string, -1 for an invalid one.
func (p *formatScanner) size(qualifier string, conv byte) int {
	switch conv {
	case 's':
		return 0
	case 'p':
		return p.sizes.pointer
	case 'c':
		return 1
	case 'd', 'i', 'u', 'o', 'x', 'X':
	default:
		return -1
	}
	switch qualifier {
	case "":
		return p.sizes.int
	case "h", "2":
		return 2
	case "l":
		return p.sizes.long
	case "ll", "L", "8":
		return 8
	case "z", "Z":
		return p.sizes.sizeT
	case "t":
		return p.sizes.pointer
	case "1":
		return 1
	case "4":
		return 4
	}
	return -1
}

func (p *formatScanner) align(size int) int {
	switch {
	case size <= 1 || p.sizes.alignment == 0:
		return 1
	case p.natural:
		return size
	}
	return min(p.sizes.alignment, size)
}

// fieldName returns the first word since the previous conversion that ends with a blank. If there
// is no such word, it returns the number of the field. One blank ends the previous conversion.
// Another one makes the name empty.
func (p *formatScanner) fieldName() string {
	text := p.text[p.name:p.nameEnd]
	if len(p.fields) > 0 {
		text = strings.TrimPrefix(text, " ")
	}
	if word, _, ok := strings.Cut(text, " "); ok {
		return word
	}
	return fmt.Sprintf("field %d", len(p.fields)+1)
}
