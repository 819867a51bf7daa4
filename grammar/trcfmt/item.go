package trcfmt

import (
	"fmt"
	"strings"
)

// A closer ends a list of nodes.
type closer uint8

const (
	closeEnd   closer = iota // the end of the stanza
	closeBrace               // }
	closeFunc                // }}
)

// items reads nodes up to a closer, which it leaves. `}}` closes a function only if no brace is
// open (aix.md 4.16). This needs no check: the body of a brace ends at its first `}`.
func (p *parser) items(until closer) []Node {
	var nodes []Node
	if !p.enter() {
		return nil
	}
	defer p.leave()
	for {
		p.skip()
		switch {
		case p.off >= p.end,
			until == closeBrace && p.src[p.off] == '}',
			until == closeFunc && strings.HasPrefix(p.rest(), "}}"):
			return nodes
		}
		n := p.item()
		if n == nil {
			continue
		}
		p.setBlank(n)
		nodes = append(nodes, n)
	}
}

// setBlank finds out whether white space follows a node. The package comment lists where that
// matters.
func (p *parser) setBlank(n Node) {
	next := p.blankEnd(p.off, false)
	blank := next > p.off && next < p.end
	if _, word := n.(*Word); !word {
		blank = blank && p.src[next] != ',' && p.src[next] != '}'
	}
	n.(interface{ setBlank(bool) }).setBlank(blank)
}

func (b *Base) setBlank(v bool) { b.Blank = v }

// item reads one node of a list. It returns nil after an error.
func (p *parser) item() Node {
	switch b := p.src[p.off]; b {
	case '{':
		return p.braces()
	case '}':
		p.strayByte(b, "} without {")
		return nil
	case ',':
		p.strayByte(b, "a comma that does not follow a value: put text with commas in quotes, and results of several elements in braces")
		return nil
	}
	n := p.element()
	switch n.(type) {
	case *Code, *Macro, *Sub:
		return p.switchTail(n)
	}
	return n
}

// strayByte reports a meaningless character, once per stanza.
func (p *parser) strayByte(b byte, msg string) {
	if !p.stray[b] {
		p.complain(p.off, CodeItem, msg)
		if p.stray == nil {
			p.stray = make(map[byte]bool)
		}
		p.stray[b] = true
	}
	p.off++
}

// element reads a node that may be the result of a case without braces.
func (p *parser) element() Node {
	from := p.off
	switch b := p.src[from]; b {
	case '"':
		return &String{Base: p.base(from), Value: p.quoted()}
	case '`':
		return p.backQuote()
	case '$':
		return p.dollar()
	case '\\':
		return p.escape()
	}
	if c := p.code(); c != nil {
		return c
	}
	if name := p.callName(); name != "" {
		return p.call(name)
	}
	word := p.wordText()
	switch word {
	case "LOOP":
		return p.loop(from)
	case "BITFLAGS":
		return p.bitFlags(from)
	}
	p.warnNear(from, word)
	return &Word{Base: p.base(from), Value: word}
}

// escape reads \n and \t.
func (p *parser) escape() Node {
	from := p.off
	b := p.byteAt(from + 1)
	p.off = min(from+2, p.end)
	switch b {
	case 'n':
		return &Newline{Base: p.base(from)}
	case 't':
		return &Tab{Base: p.base(from)}
	case '*':
		p.complain(from, CodeSwitch, `\* outside the cases of a switch: is a comma missing before it?`)
		return nil
	}
	p.complain(from, CodeItem, "expected \\n, \\t, \\* or the end of the line after a backslash, found "+
		quote(string(rune(b))))
	return nil
}

// code reads a format code, or returns nil and reads nothing (aix.md 4.2).
func (p *parser) code() *Code {
	text := p.codeRun()
	if p.off == p.castEnd || !endsCode(p.byteAt(p.off+len(text))) {
		return nil
	}
	c, ok := parseCode(text)
	if !ok {
		return nil
	}
	c.Base = p.base(p.off)
	p.off += len(text)
	return c
}

// codeRun returns the next characters that may be part of a format code.
func (p *parser) codeRun() string {
	n := p.off
	for n < p.end && (isAlnum(p.src[n]) || p.src[n] == '.') {
		n++
	}
	return p.src[p.off:n]
}

// endsCode reports whether a format code may end before b; 0 is the end of the stanza.
func endsCode(b byte) bool {
	return b == 0 || b == '\n' || isBlank(b) || strings.IndexByte(",\\\"`{}&+-*/)", b) >= 0
}

// isDelimiter reports whether b ends bare words.
func isDelimiter(b byte) bool { return strings.IndexByte("$\"`{},\\", b) >= 0 }

// wordText takes a bare word.
func (p *parser) wordText() string {
	from := p.off
	for p.off < p.end && !isBlank(p.src[p.off]) && p.src[p.off] != '\n' && !isDelimiter(p.src[p.off]) {
		p.off++
	}
	return p.src[from:p.off]
}

// warnNear warns about words that may have been intended as something else.
func (p *parser) warnNear(from int, word string) {
	at := strings.LastIndexAny(word, "=:(") + 1
	last := word[at:]
	n := 0
	for n < len(word) && (isAlnum(word[n]) || word[n] == '.') {
		n++
	}
	switch first := word[:n]; {
	case word == "&":
		p.warn(from, CodeNear, "& is text: a mask is a number, and a comma and the cases of a switch follow it")
	case word[0] == '#' && p.at(from).Column > 1 && strings.Trim(p.lineBefore(from), blanks) == "":
		p.warn(from, CodeComment, "a line that starts with # is a comment only if # is in column 1: this is text")
	case nearCode(first):
		if _, ok := parseCode(first); !ok {
			p.warn(from, CodeNear, fmt.Sprintf("%s is text: unknown format code", quote(first)))
			return
		}
		what := "the item before it"
		if n < len(word) {
			what = "the " + quote(word[n:n+1]) + " after it"
		} else if p.off < p.end && from != p.castEnd {
			what = "the " + quote(p.src[p.off:p.off+1]) + " after it"
		}
		p.warn(from, CodeNear, fmt.Sprintf("%s is text, not a format code, because of %s", quote(first), what))
	case at > 0 && at < len(word):
		if _, ok := parseCode(last); ok {
			p.warn(from+at, CodeNear, fmt.Sprintf("%s is part of the text %s: a format code comes after a blank or a string",
				quote(last), quote(word)))
		}
	}
	p.warnCall(from, word)
}

// warnCall warns about a name with an opening parenthesis in text.
func (p *parser) warnCall(from int, word string) {
	i := strings.IndexByte(word, '(')
	if i <= 0 || !isName(word[i-1]) {
		return
	}
	start := i
	for start > 0 && isName(word[start-1]) {
		start--
	}
	name := word[start:i]
	switch {
	case start == 0 && !isDigit(name[0]):
		p.warn(from, CodeNear, fmt.Sprintf("%s is text: neither this file nor trcrpt defines such a function",
			quote(name+"(")))
	case p.isFunction(name):
		p.warn(from+start, CodeNear, fmt.Sprintf("%s is part of the text %s: a call comes after a blank or a string",
			quote(name+"("), quote(word)))
	}
}

// lineBefore returns the line up to off.
func (p *parser) lineBefore(off int) string {
	return p.src[strings.LastIndexByte(p.src[:off], '\n')+1 : off]
}
