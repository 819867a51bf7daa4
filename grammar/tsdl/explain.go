package tsdl

import (
	"cmp"
	"errors"
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/grammar/diag"
)

// A declaration is parsed as a whole, so that participle reports an error within its braces for the
// enclosing statement. The first innermost statement with its own error is more precise.

var (
	entries  = parserOf[Entry]()
	settings = parserOf[Setting]()
	labels   = parserOf[Label]()
)

// mostExplained limits the words and marks that are parsed again to explain the errors of a text.
// The words of nested statements count once for each enclosing statement.
const mostExplained = 1 << 14

// inner returns the error of the first statement or label between braces that has an error, or nil.
func (p *parsing) inner(tokens []lexer.Token) error {
	type body struct {
		start int // of the current statement or label
		enum  bool
	}
	stack := []body{{}}
	for i, t := range tokens {
		if t.Type != tokMark {
			continue
		}
		top := &stack[len(stack)-1]
		part := tokens[top.start : i+1]
		var err error
		switch {
		case p.explained > mostExplained:
			return nil
		case t.Value == "{":
			stack = append(stack, body{i + 1, isEnum(part)})
			continue
		case len(stack) == 1:
			continue
		case top.enum && (t.Value == "," || t.Value == "}") && len(part) > 1:
			p.explained += len(part)
			err = label(part[:len(part)-1], t)
		case top.enum:
		case t.Value == ";" || t.Value == "}" && len(part) > 1:
			p.explained += len(part)
			err = statement(part)
		}
		if err != nil {
			return err
		}
		switch {
		case t.Value == "}":
			stack = stack[:len(stack)-1]
		case t.Value == ";", t.Value == "," && top.enum:
			top.start = i + 1
		}
	}
	return nil
}

// isEnum reports whether the brace after some tokens begins the labels of an enumeration.
func isEnum(tokens []lexer.Token) bool {
	for i := len(tokens) - 1; i >= 0; i-- {
		if t := tokens[i]; t.Type == tokReserved {
			return t.Value == "enum"
		}
	}
	return false
}

// label returns the error of a label in front of a mark.
func label(tokens []lexer.Token, mark lexer.Token) error {
	err := begins(labels(), tokens, false)
	var e *participle.UnexpectedTokenError
	if errors.As(err, &e) && e.Unexpected.EOF() {
		e.Unexpected = mark
	}
	return err
}

// statement returns the error of a statement. If the statement begins like a setting, it returns
// the error of the setting.
func statement(tokens []lexer.Token) error {
	err := begins(entries(), tokens, true)
	if err == nil {
		return nil
	}
	if peeking, failed := lexer.Upgrade(&list{tokens: tokens}); failed == nil && new(Target).Parse(peeking) == nil {
		err = cmp.Or(begins(settings(), tokens, true), err)
	}
	return err
}

// begins parses tokens, or the beginning of them.
func begins[T any](parser *participle.Parser[T], tokens []lexer.Token, more bool) error {
	peeking, err := lexer.Upgrade(&list{tokens: tokens})
	if err == nil {
		_, err = parser.ParseFromLexer(peeking, participle.AllowTrailing(more))
	}
	return err
}

// explain returns the place of a parser error, the text that was found there, and the text that was
// expected.
func explain(err error, first lexer.Position) (lexer.Position, string) {
	var e *participle.UnexpectedTokenError
	if !errors.As(err, &e) {
		if e := (participle.Error)(nil); errors.As(err, &e) {
			return e.Position(), e.Message()
		}
		return first, err.Error()
	}
	found := diag.Quote(e.Unexpected.Value)
	if e.Unexpected.EOF() {
		found = "the end"
	}
	_, expect, _ := strings.Cut(strings.TrimSuffix(e.Message(), ")"), " (expected ")
	if want := wanted(expect); want != "" {
		return e.Position(), found + " is in the place of " + want
	}
	return e.Position(), found + " is not expected here"
}

// firstWanted returns the first part that participle expects: a mark or a production.
var firstWanted = regexp.MustCompile(`^\(*("[^"]+"|<?\w+>?)`)

// wanted describes the text that participle expects. It is empty if this is unknown.
func wanted(expect string) string {
	var words []string
	for part := range strings.SplitSeq(expect, " | ") {
		m := firstWanted.FindStringSubmatch(part)
		switch {
		case m == nil:
			return ""
		case m[1][0] == '"':
			words = append(words, m[1])
		case inWords[m[1]] == "":
			return ""
		default:
			words = append(words, inWords[m[1]])
		}
	}
	return strings.Join(words, " or ")
}

// inWords maps the productions in participle's messages to readable names.
var inWords = map[string]string{
	"Value": "a number, a text or a path", "Declarator": "a type or a name", "Word": "a type or a name",
	"<word>": "a name", "Label": "a label", "Entry": "a statement", "Setting": "an attribute",
	"Fields": "a type", "Alias": "a type", "Target": "a name",
}
