package ftrace

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/tracec/tracec/grammar/diag"
)

// The tokens of a format file are its lines. The value of a token is the line without its keyword
// and without blanks around the rest. The token has the position of its value.
const (
	lineName lexer.TokenType = iota + 1
	lineID
	lineFormat
	lineField
	linePrint // the whole rest of the file: string literals of a print fmt may hold newlines
	lineJunk
)

var lineSymbols = map[string]lexer.TokenType{
	"EOF":    lexer.EOF,
	"Name":   lineName,
	"ID":     lineID,
	"Format": lineFormat,
	"Field":  lineField,
	"Print":  linePrint,
	"Junk":   lineJunk,
}

// lineDefinition is the lexer of format files. Blank lines (they separate the common fields from
// the others) are not tokens.
type lineDefinition struct{}

var (
	_ lexer.Definition       = lineDefinition{}
	_ lexer.StringDefinition = lineDefinition{}
)

func (lineDefinition) Symbols() map[string]lexer.TokenType { return lineSymbols }

func (d lineDefinition) Lex(filename string, r io.Reader) (lexer.Lexer, error) {
	src, err := io.ReadAll(io.LimitReader(r, MaxFileBytes+1))
	if err != nil {
		return nil, err
	}
	return d.LexString(filename, string(src))
}

func (lineDefinition) LexString(filename, src string) (lexer.Lexer, error) {
	return &lineLexer{file: filename, src: src, line: 1}, nil
}

// lineLexer fails only beyond MaxLines. An unknown line is a Junk token, so that one broken line
// cannot hide the others.
type lineLexer struct {
	file  string
	src   string
	off   int // start of the next line
	line  int
	count int // tokens so far
}

// Next returns the token of the next non-blank line.
func (l *lineLexer) Next() (lexer.Token, error) {
	for l.off < len(l.src) {
		start, end := l.off, len(l.src)
		next := end
		if i := strings.IndexByte(l.src[start:], '\n'); i >= 0 {
			end = start + i
			next = end + 1
		}
		line := l.line
		kind, key := lineKind(l.src[start:end])
		if kind == linePrint {
			end, next = len(l.src), len(l.src)
		}
		l.off = next
		l.line++
		from, to := start+key, end
		for from < to && isBlank(l.src[from]) {
			from++
		}
		for to > from && (isBlank(l.src[to-1]) || l.src[to-1] == '\n') {
			to--
		}
		if kind == lineJunk && from == to {
			continue
		}
		pos := lexer.Position{
			Filename: l.file,
			Offset:   from,
			Line:     line,
			Column:   1 + utf8.RuneCountInString(l.src[start:from]),
		}
		if l.count++; l.count > MaxLines {
			return lexer.Token{}, diag.Diagnostic{Pos: pos, Code: CodeLimit,
				Msg: fmt.Sprintf("more than %d lines", MaxLines)}
		}
		return lexer.Token{Type: kind, Value: l.src[from:to], Pos: pos}, nil
	}
	return lexer.EOFToken(lexer.Position{Filename: l.file, Offset: len(l.src), Line: l.line, Column: 1}), nil
}

// lineKind returns the kind of a line and the length of its keyword in bytes.
func lineKind(s string) (lexer.TokenType, int) {
	at := 0
	for at < len(s) && isBlank(s[at]) {
		at++
	}
	rest := s[at:]
	switch {
	case strings.HasPrefix(rest, "field:"):
		return lineField, at + len("field:")
	case strings.HasPrefix(rest, "field special:"):
		// The value includes the word "special", which fieldLine looks for.
		return lineField, at + len("field ")
	case strings.HasPrefix(rest, "print fmt:"):
		return linePrint, at + len("print fmt:")
	case strings.HasPrefix(rest, "name:"):
		return lineName, at + len("name:")
	case strings.HasPrefix(rest, "ID:"):
		return lineID, at + len("ID:")
	case strings.HasPrefix(rest, "format:"):
		return lineFormat, at + len("format:")
	}
	return lineJunk, at
}

// isBlank reports whether b is white space within a line. It accepts the carriage returns that
// other systems put at the end of lines.
func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\v' || b == '\f' }

func isIdentStart(b byte) bool {
	return b == '_' || b|0x20 >= 'a' && b|0x20 <= 'z' || b == '$' || b >= utf8.RuneSelf
}

func isIdent(b byte) bool { return isIdentStart(b) || b >= '0' && b <= '9' }
