package metadata

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a fragment. One level of classes takes four levels of JSON.
const (
	maxNodes  = 1 << 20
	maxLevels = 4*maxDepth + 8
)

// A node is a value of JSON with its place.
type node struct {
	at       int  // offset in the text
	kind     byte // one of { [ " 0 t n
	text     string
	members  []property // of an object
	elements []*node    // of an array
}

// A property is a name in an object with its value.
type property struct {
	name  string
	at    int
	value *node
}

// nodeKinds are the kinds of nodes in words.
var nodeKinds = map[byte]string{'{': "an object", '[': "an array", '"': "a string", '0': "a number",
	't': "true or false", 'n': "null"}

// tree is one pass over the text of a fragment.
type tree struct {
	text    string
	from    int // offset of the text
	decoder *json.Decoder
	nodes   int
	depth   int
}

// placed is an error with its place.
type placed struct {
	at        int
	code, msg string
}

func (e *placed) Error() string { return e.msg }

// parse returns the value of a text that begins at an offset. The error is a *placed.
func parse(text string, from int) (*node, error) {
	if i := invalid(text); i >= 0 {
		return nil, &placed{at: from + i, code: CodeMetadata, msg: "bytes that are not UTF-8"}
	}
	t := &tree{text: text, from: from, decoder: json.NewDecoder(strings.NewReader(text))}
	t.decoder.UseNumber()
	n, err := t.value()
	if err != nil {
		return nil, err
	}
	if at := t.next(); at < len(text) {
		return nil, &placed{at: from + at, code: CodeMetadata, msg: "text after the end of a fragment"}
	}
	return n, nil
}

// invalid returns the offset of the first bytes that are not UTF-8, or -1.
func invalid(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i, c := range text {
		if c == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(text[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
}

// next returns the offset of the next token.
func (t *tree) next() int {
	at := int(t.decoder.InputOffset())
	return len(t.text) - len(strings.TrimLeft(t.text[at:], " \t\r\n,:"))
}

// fail returns an error about the next token.
func (t *tree) fail(at int, format string, args ...any) error {
	return &placed{at: t.from + at, code: CodeMetadata, msg: fmt.Sprintf(format, args...)}
}

// token returns the next token and its place.
func (t *tree) token() (json.Token, int, error) {
	at := t.next()
	token, err := t.decoder.Token()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, at, &placed{at: t.from, code: CodeCut, msg: "the text ends before this fragment does"}
	}
	if err != nil {
		return nil, at, t.fail(at, "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return token, at, nil
}

func (t *tree) value() (*node, error) {
	token, at, err := t.token()
	if err != nil {
		return nil, err
	}
	if t.nodes++; t.nodes > maxNodes {
		return nil, t.fail(at, "a fragment of more than %d values", maxNodes)
	}
	n := &node{at: t.from + at}
	switch x := token.(type) {
	case json.Delim:
		n.kind = byte(x)
		if t.depth++; t.depth > maxLevels {
			return nil, t.fail(at, "more than %d levels of objects and arrays", maxLevels)
		}
		if n.kind == '{' {
			err = t.object(n)
		} else {
			err = t.array(n)
		}
		t.depth--
	case string:
		n.kind, n.text = '"', x
	case json.Number:
		n.kind, n.text = '0', string(x)
	case bool:
		n.kind, n.text = 't', fmt.Sprint(x)
	default:
		n.kind = 'n'
	}
	return n, err
}

func (t *tree) object(n *node) error {
	seen := map[string]bool{}
	for t.decoder.More() {
		token, at, err := t.token()
		if err != nil {
			return err
		}
		name, _ := token.(string) // the decoder accepts only strings here
		if seen[name] {
			return t.fail(at, "the property %q occurs twice", name)
		}
		seen[name] = true
		value, err := t.value()
		if err != nil {
			return err
		}
		n.members = append(n.members, property{name: name, at: t.from + at, value: value})
	}
	_, _, err := t.token()
	return err
}

func (t *tree) array(n *node) error {
	for t.decoder.More() {
		value, err := t.value()
		if err != nil {
			return err
		}
		n.elements = append(n.elements, value)
	}
	_, _, err := t.token()
	return err
}

// member returns a member of an object, or nil.
func (n *node) member(name string) *node {
	if i := slices.IndexFunc(n.members, func(m property) bool { return m.name == name }); i >= 0 {
		return n.members[i].value
	}
	return nil
}

// string returns a string, or "" for other kinds.
func (n *node) string() string {
	if n == nil || n.kind != '"' {
		return ""
	}
	return n.text
}
