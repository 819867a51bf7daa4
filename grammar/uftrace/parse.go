package uftrace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// Limits on a text that is not trusted.
const (
	MaxTextBytes = 1 << 20 // the lists that uftrace saves have 15 KB
	MaxErrors    = 1000
)

// ParseSpecs reads a list of specs: `arg1/i32,fparg2/64,retval/e:kind%rax`, as after the @ of an item and in
// the A: and R: lines of debug information. The name serves positions only.
func ParseSpecs(name, text string) ([]*Spec, Errors) {
	p := newParser(name, text)
	var tree *wordsTree
	if p.ok() {
		var err error
		tree, err = wordsGrammar().ParseString(name, text)
		p.fault(err)
	}
	var specs []*Spec
	if tree != nil {
		for _, word := range tree.Words {
			if s := p.spec(word.Token); s != nil {
				specs = append(specs, s)
			}
		}
	}
	return specs, p.sorted()
}

// ParseItems reads a list of items with specs: the option -A or -R, or a saved list.
func ParseItems(name, text string) ([]*Item, Errors) { return newParser(name, text).items(false) }

// ParseTriggers reads a list of items with actions and specs: the option -T.
func ParseTriggers(name, text string) ([]*Item, Errors) { return newParser(name, text).items(true) }

// parser holds what the words of one text have in common.
type parser struct {
	name, text string
	errs       Errors
	count      int
}

func newParser(name, text string) *parser { return &parser{name: name, text: text} }

// ok refuses texts that are too long.
func (p *parser) ok() bool {
	if len(p.text) <= MaxTextBytes {
		return true
	}
	p.report(p.start(), CodeLimit, fmt.Sprintf("text of %d bytes: at most %d are read", len(p.text), MaxTextBytes))
	return false
}

func (p *parser) start() lexer.Position { return lexer.Position{Filename: p.name, Line: 1, Column: 1} }

func (p *parser) report(at lexer.Position, code ErrorCode, msg string) {
	at.Filename = p.name
	if p.count++; p.count <= MaxErrors {
		p.errs = append(p.errs, &Error{Pos: at, Code: code, Msg: msg})
	}
}

// fault reports an error of the outer grammars, which accept all that their lexers make.
func (p *parser) fault(err error) {
	if err == nil {
		return
	}
	at, msg := p.start(), err.Error()
	if pe, ok := err.(participle.Error); ok {
		at, msg = pe.Position(), pe.Message()
	}
	p.report(at, CodeItem, msg)
}

func (p *parser) sorted() Errors {
	slices.SortStableFunc(p.errs, func(a, b *Error) int { return a.Pos.Offset - b.Pos.Offset })
	return p.errs
}

func (p *parser) items(triggers bool) ([]*Item, Errors) {
	if !p.ok() {
		return nil, p.errs
	}
	tree, err := listGrammar().ParseString(p.name, p.text)
	p.fault(err)
	var items []*Item
	if tree != nil {
		for _, t := range tree.Items {
			items = append(items, p.item(t, triggers))
		}
	}
	return items, p.sorted()
}

func (p *parser) item(t *itemTree, triggers bool) *Item {
	before := p.count
	item := &Item{}
	if t.Pattern != nil {
		item.Pos, item.Pattern = t.Pattern.Pos, t.Pattern.Value
	} else {
		item.Pos = t.At.Pos
		p.report(item.Pos, CodeItem, "expected the name of a function before @")
	}
	for _, word := range t.Words {
		p.word(item, word.Token, triggers)
	}
	item.Broken = p.count > before
	return item
}

// word adds a word to its item.
func (p *parser) word(item *Item, word *lexer.Token, triggers bool) {
	name, value, hasValue := strings.Cut(word.Value, "=")
	valued, known := actions[strings.ToLower(name)]
	switch {
	case strings.HasPrefix(word.Value, "arg"), strings.HasPrefix(word.Value, "fparg"), strings.HasPrefix(word.Value, "retval"):
		if s := p.spec(word); s != nil {
			item.Specs = append(item.Specs, s)
		}
	case known && valued == hasValue:
		if item.Actions = append(item.Actions, &Action{word.Pos, name, value, hasValue}); !triggers {
			p.report(word.Pos, CodeAction, quote(name)+" is an action of triggers")
		}
	case known && valued:
		p.report(word.Pos, CodeAction, "expected "+name+"=…")
	case hasValue:
		p.report(word.Pos, CodeAction, "unknown action "+quote(name))
	case item.Module != "":
		p.report(word.Pos, CodeModule, "the item has a module already, "+quote(item.Module)+", found "+quote(word.Value))
	default:
		item.Module = word.Value
	}
}

// actions are the words of triggers, in lower case: uftrace takes any. The value reports whether they have one.
var actions = map[string]bool{
	"filter": false, "notrace": false, "backtrace": false, "trace": false, "trace_on": false, "trace-on": false,
	"traceon": false, "trace_off": false, "trace-off": false, "traceoff": false, "recover": false, "finish": false,
	"caller": false, "hide": false, "auto-args": false,
	"depth": true, "time": true, "size": true, "read": true, "color": true,
}

// number reads decimal digits.
func (p *parser) number(at lexer.Position, digits string) int {
	const most = 1 << 30
	n := 0
	for _, c := range digits {
		if n = n*10 + int(c-'0'); n > most {
			p.report(at, CodeNumber, "number "+quote(digits)+" is too big")
			return most
		}
	}
	return n
}

// shift returns the position of a byte of a token.
func shift(t *lexer.Token, offset int) lexer.Position {
	at := t.Pos
	at.Advance(t.Value[:min(offset, len(t.Value))])
	return at
}
