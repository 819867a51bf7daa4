package trcfmt

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/tracec/tracec/grammar/diag"
)

// parser reads one stanza by descent over its characters.
//
// An error without a clear place to continue moves the parser to the end of the stanza. Every loop
// ends there, so no function needs to return errors.
type parser struct {
	*fileParser
	off, end int // the current character, the end of the stanza
	stanza   *Stanza
	text     string          // of the stanza
	declared map[string]bool // names of macros and parameters that the stanza declares
	castEnd  int             // where the last cast ended: a format code cannot start there
	nest     int
	bad      *Bad // the unparsed rest
	stray    map[byte]bool
}

// stanza reads the stanza of a token.
func (f *fileParser) stanza(t *lexer.Token) *Stanza {
	s := &Stanza{Pos: t.Pos}
	p := &parser{
		fileParser: f, stanza: s, text: t.Value, off: t.Pos.Offset, end: t.Pos.Offset + len(t.Value),
		declared: make(map[string]bool), castEnd: -1,
	}
	f.scanDeclared(t.Value, nil, p.declared)
	if p.head() {
		s.Nodes = p.items(closeEnd)
	}
	if p.bad != nil {
		s.Nodes = append(s.Nodes, p.bad)
	}
	s.End = p.at(p.end)
	return s
}

// head reads `[+] hookid V.R [L=level] label`.
func (p *parser) head() bool {
	from := p.off
	if p.peekByte() == '+' {
		p.stanza.Add = true
		p.off++
		p.skip()
	}
	if !p.hook() {
		return false
	}
	if p.stanza.Add && !p.update {
		p.complain(from, CodeUpdate, "+ is an operator of update files, whose first line is `* /etc/trcfmt`")
	}
	if !p.stanza.Add && p.update {
		p.complain(from, CodeUpdate, "expected + or - before the hook id: this is an update file")
	}
	p.skip()
	p.version()
	p.skip()
	p.level()
	p.skip()
	p.label()
	return p.bad == nil
}

func (p *parser) hook() bool {
	from := p.off
	field := p.field()
	id, ok := hookID(field)
	p.stanza.Hook = id
	if !ok {
		p.fail(from, CodeHook, "expected a hook id of three or four hexadecimal digits, found "+quote(field))
		return false
	}
	if len(field) == 4 && id.Value < 0x1000 && id.Value&0xF != 0 {
		// aix.md 1: such an id does not fit into a 12-bit hook word.
		p.complain(from, CodeHook, "a hook id of four digits below 1000 must end in 0")
	}
	return true
}

func (p *parser) version() {
	from := p.off
	n := versionLen(p.src[from:p.end])
	if n > 0 && (from+n == p.end || !isName(p.src[from+n]) && p.src[from+n] != '.') {
		v, r, _ := strings.Cut(p.src[from:from+n], ".")
		var errV, errR error
		p.stanza.Version, errV = strconv.Atoi(v)
		p.stanza.Release, errR = strconv.Atoi(r)
		p.off += n
		if errV == nil && errR == nil {
			return
		}
		p.complain(from, CodeVersion, "version "+quote(p.src[from:p.off])+" is too large")
		return
	}
	if p.off >= p.end {
		p.complain(from, CodeVersion, "expected a version V.R, found the end of the stanza")
		return
	}
	found := quote(firstField(p.src[from:p.end]))
	if isDigit(p.src[from]) {
		p.field()
	}
	p.complain(from, CodeVersion, "expected a version V.R, found "+found)
}

func (p *parser) level() {
	if !strings.HasPrefix(p.rest(), "L=") {
		return
	}
	from := p.off
	switch name := p.field(); name {
	case "L=KERN":
		p.stanza.Level = Kern
	case "L=APPL":
		p.stanza.Level = Appl
	case "L=SVC":
		p.stanza.Level = SVC
	case "L=INT":
		p.stanza.Level = Int
	case "L=0":
		p.stanza.Level = Zero
	default:
		p.complain(from, CodeLevel, "expected L=APPL, L=SVC, L=KERN, L=INT or L=0, found "+quote(name))
		return
	}
	p.stanza.HasLevel = true
}

// levelWord matches a misplaced level.
var levelWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^L=(?:APPL|SVC|KERN|INT|0)(?:[ \t\r\n\\]|$)`) })

func (p *parser) label() {
	from := p.off
	switch b := p.peekByte(); {
	case p.off >= p.end:
		p.complain(from, CodeLabel, `expected an event label ("" for none), found the end of the stanza`)
	case b == '"':
		p.stanza.LabelQuoted = true
		p.stanza.Label = p.quoted()
	case isDelimiter(b):
		p.complain(from, CodeLabel, `expected an event label ("" for none), found `+quote(firstField(p.rest())))
	default:
		p.stanza.Label = p.wordText()
	}
	if strings.HasPrefix(p.rest(), "L=") {
		p.complain(p.off, CodeLevel, "L= must follow the version")
	} else if next := p.blankEnd(p.off, false); levelWord().MatchString(p.src[next:p.end]) {
		p.warn(next, CodeLevel, quote(firstField(p.src[next:p.end]))+
			" after the label is text: L= must follow the version")
	}
}

// field takes the characters up to white space.
func (p *parser) field() string {
	from := p.off
	for p.off < p.end && !isBlank(p.src[p.off]) && p.src[p.off] != '\n' && p.src[p.off] != '\\' {
		p.off++
	}
	return p.src[from:p.off]
}

func (p *parser) rest() string { return p.src[p.off:p.end] }

// peekByte returns the current character, 0 at the end.
func (p *parser) peekByte() byte { return p.byteAt(p.off) }

func (p *parser) byteAt(off int) byte {
	if off >= p.end {
		return 0
	}
	return p.src[off]
}

// complain reports an error and parsing continues.
func (p *parser) complain(off int, code string, msg string) {
	p.stanza.Broken, p.stanza.Source = true, p.text
	p.report(diag.Diagnostic{Pos: p.at(off), Code: code, Msg: fmt.Sprintf("hook %s: %s", p.stanza.Hook.Text, msg)})
}

// fail reports an error and gives up the rest of the stanza.
func (p *parser) fail(off int, code string, msg string) {
	if p.bad != nil {
		return
	}
	p.complain(off, code, msg)
	p.bad = &Bad{Base: p.base(off), Text: p.src[off:p.end]}
	p.off = p.end
}

func (p *parser) warn(off int, code string, msg string) {
	p.report(diag.Diagnostic{Pos: p.at(off), Severity: diag.Warning, Code: code,
		Msg: fmt.Sprintf("hook %s: %s", p.stanza.Hook.Text, msg)})
}

func (p *parser) base(off int) Base { return Base{Pos: p.at(off)} }

// found describes the text at the current place, for messages.
func (p *parser) found() string {
	off := p.blankEnd(p.off, false)
	if off >= p.end {
		return "the end of the stanza"
	}
	return quote(firstField(p.src[off:p.end]))
}

// enter opens a level and reports whether that is allowed. leave closes it.
func (p *parser) enter() bool {
	if p.nest++; p.nest > MaxNesting {
		p.fail(p.off, CodeLimit, fmt.Sprintf("nested more than %d levels deep", MaxNesting))
		return false
	}
	return true
}

func (p *parser) leave() { p.nest-- }

// skip skips white space, the backslashes that continue lines, and comment lines.
func (p *parser) skip() { p.off = p.blankEnd(p.off, true) }

// blankEnd returns the end of the white space at off. If note is set, it collects the comments in
// it.
func (p *parser) blankEnd(off int, note bool) int {
	for off < p.end {
		switch b := p.src[off]; {
		case isBlank(b) || b == '\n':
			off++
		case b == '\\':
			next := p.continued(off, note)
			if next == off {
				return off
			}
			off = next
			for off < p.end {
				stop := min(lineEnd(p.src, off), p.end)
				if !isCommentLine(p.src[off:stop], p.update) {
					break
				}
				if note {
					text := strings.TrimRight(p.src[off:stop], blanks)
					p.stanza.Comments = append(p.stanza.Comments, &Comment{Pos: p.at(off), Text: text})
				}
				off = min(stop+1, p.end)
			}
		default:
			return off
		}
	}
	return off
}

// continued returns the start of the next line if the backslash at off ends its line, else off.
func (p *parser) continued(off int, note bool) int {
	next := skipBlanks(p.src, off+1, p.end)
	if next < p.end && p.src[next] != '\n' {
		return off
	}
	if note && strings.Trim(p.src[off+1:next], "\r") != "" {
		p.warn(off, CodeContinue, "blanks after the backslash: trcrpt may not accept it as a continuation of the line")
	}
	return min(next+1, p.end)
}
