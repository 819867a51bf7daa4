package trcfmt

import (
	"io"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// The tokens of a template file. The value of a token is its source text without the newline that
// ends it.
const (
	tokComment lexer.TokenType = iota + 1 // one line
	tokStanza                             // its lines, including comments between them
	tokDelete                             // `- id`
	tokJunk                               // any other line, with its continuation lines
)

var tokenSymbols = map[string]lexer.TokenType{
	"EOF":     lexer.EOF,
	"Comment": tokComment,
	"Stanza":  tokStanza,
	"Delete":  tokDelete,
	"Junk":    tokJunk,
}

// itemDefinition is the lexer of template files. Blank lines are not tokens.
type itemDefinition struct{}

var (
	_ lexer.Definition       = itemDefinition{}
	_ lexer.StringDefinition = itemDefinition{}
)

func (itemDefinition) Symbols() map[string]lexer.TokenType { return tokenSymbols }

func (d itemDefinition) Lex(filename string, r io.Reader) (lexer.Lexer, error) {
	src, err := io.ReadAll(io.LimitReader(r, MaxFileBytes+1))
	if err != nil {
		return nil, err
	}
	return d.LexString(filename, string(src))
}

func (itemDefinition) LexString(filename, src string) (lexer.Lexer, error) {
	return &itemLexer{places: places{file: filename, src: src, line: 1}, update: isUpdate(src)}, nil
}

// itemLexer cuts a file into stanzas and the lines between them. It never fails: an unknown line is
// a Junk token, so that one broken line cannot hide the others.
type itemLexer struct {
	places
	update bool
	off    int // start of the next line
}

// Next returns the next token.
func (l *itemLexer) Next() (lexer.Token, error) {
	if l.off == 0 {
		l.off = mark(l.src)
	}
	for l.off < len(l.src) {
		start, end := l.off, lineEnd(l.src, l.off)
		from := skipBlanks(l.src, start, end)
		if from == end {
			l.off = end + 1
			continue
		}
		kind := l.kind(from, end)
		if kind == tokStanza || kind == tokJunk {
			end = l.extent(end)
		}
		l.off = end + 1
		for end > from && isBlank(l.src[end-1]) {
			end--
		}
		return lexer.Token{Type: kind, Value: l.src[from:end], Pos: l.at(from)}, nil
	}
	return lexer.EOFToken(l.at(len(l.src))), nil
}

// kind returns the kind of the item that begins with the line src[from:end], ignoring blanks before
// it.
func (l *itemLexer) kind(from, end int) lexer.TokenType {
	switch b := l.src[from]; {
	case b == '#', b == '*':
		return tokComment
	case b == '+':
		return tokStanza
	case b == '-':
		return tokDelete
	}
	if n := hexDigits(l.src[from:end]); n == 3 || n == 4 {
		if at := from + n; at == end || isBlank(l.src[at]) || l.src[at] == '\\' {
			return tokStanza
		}
	}
	return tokJunk
}

// extent returns the end of the stanza whose first line ends at end. The stanza ends with its first
// line without a backslash at the end (aix.md 3.1). Comment lines belong to it only if it continues
// after them.
func (l *itemLexer) extent(end int) int {
	for last := end; ; {
		if !continues(l.src[:last]) || last >= len(l.src) {
			return last
		}
		next := last + 1
		stop := lineEnd(l.src, next)
		for next < len(l.src) && isCommentLine(l.src[next:stop], l.update) {
			next = min(stop+1, len(l.src))
			stop = lineEnd(l.src, next)
		}
		line := l.src[next:stop]
		if strings.TrimLeft(line, blanks) == "" || isHeadLine(line, l.update) {
			return last
		}
		last = stop
	}
}

// mark returns the length of the byte order mark at the beginning of src, which some editors write.
func mark(src string) int {
	if strings.HasPrefix(src, "\ufeff") {
		return len("\ufeff")
	}
	return 0
}

// isUpdate reports whether the first line of src is the first line of an update file (aix.md 6).
func isUpdate(src string) bool {
	first := src[mark(src):lineEnd(src, 0)]
	return strings.HasPrefix(first, "*") && strings.Trim(first[1:], blanks) == "/etc/trcfmt"
}

// isCommentLine reports whether a line within a stanza is a comment. Its mark must be in column 1,
// because `# of pages` is plausible text further right.
func isCommentLine(line string, update bool) bool {
	return strings.HasPrefix(line, "#") || update && strings.HasPrefix(line, "*")
}

// isHeadLine reports whether a line starts a stanza (`hhh V.R …` in column 1) or deletes one, even
// if the line before ends in a backslash.
func isHeadLine(line string, update bool) bool {
	if update && strings.HasPrefix(line, "-") {
		id := strings.Trim(line[1:], blanks)
		return hexDigits(id) == len(id) && (len(id) == 3 || len(id) == 4)
	}
	if strings.HasPrefix(line, "+") {
		line = strings.TrimLeft(line[1:], blanks)
	}
	n := hexDigits(line)
	if n != 3 && n != 4 {
		return false
	}
	rest := strings.TrimLeft(line[n:], blanks)
	if len(rest) == len(line)-n {
		return false
	}
	n = versionLen(rest)
	return n > 0 && (n == len(rest) || isBlank(rest[n]))
}

// versionLen returns the length of `V.R` at the start of s, or 0.
func versionLen(s string) int {
	v := decimalDigits(s)
	if v == 0 || v == len(s) || s[v] != '.' {
		return 0
	}
	r := decimalDigits(s[v+1:])
	if r == 0 {
		return 0
	}
	return v + 1 + r
}

// continues reports whether text ends in a backslash, ignoring blanks after it.
func continues(text string) bool {
	at := len(text)
	for at > 0 && isBlank(text[at-1]) {
		at--
	}
	return at > 0 && text[at-1] == '\\'
}

// lineEnd returns the offset of the newline that ends the line at off, or of the end of src.
func lineEnd(src string, off int) int {
	if i := strings.IndexByte(src[off:], '\n'); i >= 0 {
		return off + i
	}
	return len(src)
}

func skipBlanks(src string, from, end int) int {
	for from < end && isBlank(src[from]) {
		from++
	}
	return from
}

// blanks are white space within a line. They include the carriage returns that other systems put at
// the end of lines.
const blanks = " \t\r\v\f"

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\v' || b == '\f' }

func hexDigits(s string) int {
	n := 0
	for n < len(s) && isHex(s[n]) {
		n++
	}
	return n
}

func decimalDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isHex(b byte) bool { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }

func isAlnum(b byte) bool { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'z' }

func isName(b byte) bool { return isAlnum(b) || b == '_' }
