package filter

import "strings"

// QuoteField returns the name of a field in the form of filters: in backquotes unless it is a word.
func QuoteField(name string) string {
	if name != "" && (name[0] < '0' || name[0] > '9') && isWord(name, false) {
		return name
	}
	return "`" + name + "`"
}

// QuoteEvent returns the name of an event in the form of filters: in backquotes if it has special
// characters of regular expressions.
func QuoteEvent(name string) string {
	system, event, both := strings.Cut(name, "/")
	if isWord(system, true) && (!both || isWord(event, true)) {
		return name
	}
	return "`" + name + "`"
}

// isWord reports whether a text is a word. If colons is set, it may contain ::.
func isWord(text string, colons bool) bool {
	if colons {
		text = strings.ReplaceAll(text, "::", "_")
	}
	for i := range len(text) {
		if !isWordByte(text[i]) {
			return false
		}
	}
	return text != ""
}

// Condition parses a condition without events.
func Condition(text string) (*Filter, error) {
	p := parser{lexer: lexer{src: text}}
	cond, err := p.parse()
	if err != nil {
		return nil, err
	}
	return &Filter{Source: text, Cond: cond}, nil
}
