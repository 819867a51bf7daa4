package uftrace

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// specTree is one spec (uftrace.md 1.7).
type specTree struct {
	Target   string        `parser:"@Target"`
	Index    *lexer.Token  `parser:"@Number?"`
	Format   *formatTree   `parser:"( Slash @@ )?"`
	Location *locationTree `parser:"( Percent @@ )?"`
}

type formatTree struct {
	Pos    lexer.Position
	Letter string       `parser:"( @Letter"`
	Bits   *lexer.Token `parser:"  @Number?"`
	Name   *lexer.Token `parser:"  @Name?"`
	Alone  *lexer.Token `parser:"| @Number )"`
	Rest   *lexer.Token `parser:"@Rest?"` // not read after the size of a structure
}

type locationTree struct {
	Pos  lexer.Position
	Text string `parser:"@Place?"`
}

var specRules = lexer.Rules{
	"Root": {
		{Name: "Target", Pattern: `arg|fparg|retval`, Action: lexer.Push("Index")},
		{Name: "Junk", Pattern: `(?s).`},
	},
	"Index": {
		{Name: "Number", Pattern: `[0-9]+`},
		{Name: "Slash", Pattern: `/`, Action: lexer.Push("Format")},
		{Name: "Percent", Pattern: `%`, Action: lexer.Push("Location")},
		{Name: "Junk", Pattern: `(?s).`},
	},
	"Format": {
		{Name: "Number", Pattern: `[0-9]+`, Action: lexer.Push("Size")},
		{Name: "Letter", Pattern: `[^0-9%]`, Action: lexer.Push("Size")},
		{Name: "Percent", Pattern: `%`, Action: lexer.Push("Location")},
	},
	"Size": {
		{Name: "Number", Pattern: `[0-9]+`, Action: lexer.Push("Name")},
		{Name: "Name", Pattern: `:[^%]*`, Action: lexer.Push("Name")},
		{Name: "Percent", Pattern: `%`, Action: lexer.Push("Location")},
		{Name: "Rest", Pattern: `[^0-9:%][^%]*`},
	},
	"Name": {
		{Name: "Name", Pattern: `:[^%]*`},
		{Name: "Percent", Pattern: `%`, Action: lexer.Push("Location")},
		{Name: "Rest", Pattern: `[^0-9:%][^%]*`},
	},
	"Location": {
		{Name: "Place", Pattern: `(?s).+`},
	},
}

var specGrammar = sync.OnceValue(func() *participle.Parser[specTree] {
	return participle.MustBuild[specTree](participle.Lexer(lexer.MustStateful(specRules)))
})

// formats are the letters (uftrace.md 1.7).
const formats = "diuxosScfpet"

// spec reads one word.
func (p *parser) spec(word *lexer.Token) *Spec {
	tree, err := specGrammar().ParseString("", word.Value)
	if err != nil {
		at := word.Pos
		if pe, ok := err.(participle.Error); ok {
			at = shift(word, pe.Position().Offset)
		}
		p.report(at, CodeSpec, fmt.Sprintf("expected a spec such as arg1/i32, fparg2/64 or retval, found %s", quote(word.Value)))
		return nil
	}
	s := &Spec{Pos: word.Pos, Target: map[string]Target{"arg": Arg, "fparg": Float, "retval": Result}[tree.Target]}
	before := p.count
	switch {
	case s.Target == Result && tree.Index != nil:
		p.report(shift(word, tree.Index.Pos.Offset), CodeSpec, "retval has no number")
	case s.Target != Result && tree.Index == nil:
		p.report(shift(word, len(tree.Target)), CodeSpec, "expected the number of an argument after "+tree.Target)
	case tree.Index != nil:
		s.Index = p.number(shift(word, tree.Index.Pos.Offset), tree.Index.Value)
	}
	if tree.Format != nil {
		s.Format = p.format(word, s.Target, tree.Format)
	}
	if tree.Location != nil {
		s.Location = p.location(word, s.Format, tree.Location)
	}
	if p.count > before {
		return nil
	}
	return s
}

func (p *parser) format(word *lexer.Token, target Target, t *formatTree) *Format {
	at := shift(word, t.Pos.Offset)
	f := &Format{Pos: at}
	if t.Alone != nil {
		if f.Bits = p.number(at, t.Alone.Value); target != Float {
			p.report(at, CodeFormat, "only fparg may have a size without a letter")
		}
		p.size(at, 'f', f.Bits)
		p.rest(word, t)
		return f
	}
	if len(t.Letter) != 1 || !strings.Contains(formats, t.Letter) {
		p.report(at, CodeFormat, "unknown format "+quote(t.Letter)+": it is one of d i u x o s S c f p e: t")
		return f
	}
	f.Letter = t.Letter[0]
	if t.Name != nil {
		f.Name = t.Name.Value[1:]
	}
	if t.Bits != nil {
		f.Bits = p.number(shift(word, t.Bits.Pos.Offset), t.Bits.Value)
	}
	switch {
	case f.Letter == 't':
		f.Bits, f.Bytes = 0, f.Bits
		return f
	case p.rest(word, t):
	case f.Letter == 'e':
		if f.Name == "" || t.Bits != nil {
			p.report(at, CodeFormat, "expected the name of an enum after e:")
		}
	case t.Name != nil:
		p.report(shift(word, t.Name.Pos.Offset), CodeFormat, "only e and t have a name, found "+quote(t.Name.Value))
	case t.Bits != nil:
		p.size(shift(word, t.Bits.Pos.Offset), f.Letter, f.Bits)
	}
	return f
}

// rest reports what is after a size.
func (p *parser) rest(word *lexer.Token, t *formatTree) bool {
	if t.Rest == nil {
		return false
	}
	p.report(shift(word, t.Rest.Pos.Offset), CodeFormat, "unexpected "+quote(t.Rest.Value))
	return true
}

func (p *parser) size(at lexer.Position, letter byte, bits int) {
	switch bits {
	case 8, 16, 32, 64:
	case 80:
		if letter != 'f' {
			p.report(at, CodeSize, "only floating-point values have 80 bits")
		}
	default:
		p.report(at, CodeSize, fmt.Sprintf("no value has %d bits: 8, 16, 32, 64, or 80 of f", bits))
	}
}

// location reads what is after the percent sign. Which registers there are depends on the machine: a name is a
// letter and then letters and digits. Of structures uftrace passes over what is none.
func (p *parser) location(word *lexer.Token, f *Format, t *locationTree) *Location {
	at := shift(word, t.Pos.Offset)
	l := &Location{Pos: at, Text: t.Text}
	structure := f != nil && f.Letter == 't'
	if off, ok := strings.CutPrefix(t.Text, "stack"); ok && (!structure || strings.HasPrefix(off, "+")) {
		l.Stack = true
		l.Offset, _ = strconv.Atoi(off) // uftrace takes 0 for what is no number
		return l
	}
	for _, name := range strings.Split(t.Text, "+") {
		if isRegister(name) {
			l.Registers = append(l.Registers, name)
		} else if !structure {
			p.report(at, CodeLocation, "expected a register or stack+N after %, found "+quote(t.Text))
			return l
		}
	}
	if len(l.Registers) > 1 && !structure {
		p.report(at, CodeLocation, "only structures may be in several registers, found "+quote(t.Text))
	}
	return l
}

func isRegister(name string) bool {
	for i := range len(name) {
		c := name[i] | 0x20
		if !(c >= 'a' && c <= 'z' || i > 0 && name[i] >= '0' && name[i] <= '9') {
			return false
		}
	}
	return name != ""
}
