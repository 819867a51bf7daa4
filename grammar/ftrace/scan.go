package ftrace

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// A token is a C token. It has 24 bytes and no pointers, so that the garbage collector need not
// scan the reused array. The text of the token is src[off:end].
type token struct {
	kind     kind
	off, end int32 // bytes from the start of the scanned text
	line     int32
	col      int32
	match    int32 // for an opening parenthesis: index of the closing one, or 0
}

// scanner cuts C text into tokens.
type scanner struct {
	src       string
	at        int
	line      int
	lineStart int // offset of column 1; it is moved forward for bytes that continue a character
	toks      []token
	open      []int32 // parentheses without their match so far
	bad       string  // message about the tBad token
	badCode   string
	// format is set for a print fmt: the leading literals are its format. literals stays true as
	// long as all tokens are literals.
	format, literals bool
	// A method to distinguish inner quotes from closing ones (outerQuote) that failed once is not
	// tried again. Each attempt may read the rest of the text.
	pairsFailed, innerFailed bool
}

// scan fills s.toks; the last token is tEOF. At text that is not C, it emits tBad and stops. start
// is the position of src[0]. Offsets of tokens are relative to src[0].
func (s *scanner) scan(src string, start lexer.Position, format bool) {
	*s = scanner{
		src: src, line: start.Line, lineStart: 1 - start.Column, toks: s.toks[:0], open: s.open[:0],
		format: format, literals: true,
	}
	for s.bad == "" {
		s.skipBlanks()
		if s.at >= len(src) {
			break
		}
		if len(s.toks) >= MaxTokens {
			s.refuse(s.at, CodeLimit, fmt.Sprintf("more than %d tokens", MaxTokens))
			break
		}
		s.next()
	}
	s.emit(tEOF, len(src))
}

func (s *scanner) emit(k kind, from int) {
	s.toks = append(s.toks, token{
		kind: k, off: int32(from), end: int32(s.at), line: int32(s.line), col: int32(from - s.lineStart + 1),
	})
}

func (s *scanner) refuse(from int, code string, msg string) {
	if from == s.at && s.at < len(s.src) {
		s.at++
	}
	s.bad, s.badCode = msg, code
	s.emit(tBad, from)
}

func (s *scanner) skipBlanks() {
	for s.at < len(s.src) {
		switch b := s.src[s.at]; {
		case b == '\n':
			s.at++
			s.line++
			s.lineStart = s.at
		case isBlank(b):
			s.at++
		case b == '/' && strings.HasPrefix(s.src[s.at:], "/*"):
			// Kernels do not write comments, but people who edit such files do.
			n := strings.Index(s.src[s.at+2:], "*/")
			if n < 0 {
				s.refuse(s.at, "", "comment without end")
				return
			}
			s.skipText(s.at + 2 + n + 2)
		case b == '\\' && s.at+1 < len(s.src) && s.src[s.at+1] == '\n':
			s.at++
		default:
			return
		}
	}
}

// skipText moves to an offset over text that may hold newlines.
func (s *scanner) skipText(to int) {
	for ; s.at < to; s.at++ {
		switch b := s.src[s.at]; {
		case b == '\n':
			s.line++
			s.lineStart = s.at + 1
		case !utf8.RuneStart(b):
			s.lineStart++
		}
	}
}

// next emits one token.
func (s *scanner) next() {
	from, b := s.at, s.src[s.at]
	switch {
	case isIdentStart(b):
		for s.at < len(s.src) && isIdent(s.src[s.at]) {
			s.at++
		}
		name := s.src[from:s.at]
		s.emit(keyword(name), from)
		for i := 0; i < len(name); i++ {
			if !utf8.RuneStart(name[i]) {
				s.lineStart++
			}
		}
	case b >= '0' && b <= '9':
		s.number()
	case b == '"':
		s.stringLit()
		return
	case b == '\'':
		s.charLit()
	default:
		s.operator()
	}
	s.literals = false
}

// number scans a preprocessing number: digits and letters. The parser checks whether it is a valid
// number.
func (s *scanner) number() {
	from := s.at
	for s.at < len(s.src) && (isIdent(s.src[s.at]) && s.src[s.at] < utf8.RuneSelf) {
		s.at++
	}
	if s.at < len(s.src) && s.src[s.at] == '.' && !strings.HasPrefix(s.src[s.at:], "..") {
		s.at++
		s.refuse(from, "", "expected an integer: a print fmt has no floating point")
		return
	}
	s.emit(tNumber, from)
}

func (s *scanner) charLit() {
	from, at := s.at, s.at+1
	for at < len(s.src) && s.src[at] != '\'' && s.src[at] != '\n' {
		if s.src[at] == '\\' && at+1 < len(s.src) {
			at++
		}
		at++
	}
	if at >= len(s.src) || s.src[at] != '\'' {
		s.refuse(from, "", "character without closing quote")
		return
	}
	s.at = at + 1
	s.emit(tChar, from)
	s.lineStart += at - from - utf8.RuneCountInString(s.src[from:at])
}

// operator takes the longest operator.
func (s *scanner) operator() {
	from, src := s.at, s.src[s.at:]
	b := src[0]
	var b1, b2 byte
	if len(src) > 1 {
		b1 = src[1]
	}
	if len(src) > 2 {
		b2 = src[2]
	}
	k, n := tBad, 1
	switch b {
	case '(':
		k = tLParen
	case ')':
		k = tRParen
	case '[':
		k = tLBrack
	case ']':
		k = tRBrack
	case '{':
		k = tLBrace
	case '}':
		k = tRBrace
	case ',':
		k = tComma
	case ';':
		k = tSemi
	case ':':
		k = tColon
	case '?':
		k = tQuestion
	case '~':
		k = tNot
	case '.':
		k = tDot
		if b1 == '.' && b2 == '.' {
			k, n = tEllipsis, 3
		}
	case '!':
		k, n = orEqual(tNot, tEq, b1)
	case '=':
		k, n = orEqual(tAssign, tEq, b1)
	case '*':
		k, n = orEqual(tStar, tAssign, b1)
	case '/', '%':
		k, n = orEqual(tSlash, tAssign, b1)
	case '^':
		k, n = orEqual(tXor, tAssign, b1)
	case '&':
		k, n = doubled(b, b1, tAnd, tAndAnd)
	case '|':
		k, n = doubled(b, b1, tOr, tOrOr)
	case '+':
		k, n = doubled(b, b1, tPlus, tInc)
	case '-':
		if k, n = doubled(b, b1, tPlus, tInc); b1 == '>' {
			k, n = tArrow, 2
		}
	case '<', '>':
		switch {
		case b1 == b && b2 == '=':
			k, n = tAssign, 3
		case b1 == b:
			k, n = tShift, 2
		default:
			k, n = orEqual(tLess, tLess, b1)
		}
	}
	if k == tBad {
		s.refuse(from, "", fmt.Sprintf("unexpected character %q", rune(b)))
		return
	}
	s.at += n
	s.emit(k, from)
	s.pair(k)
}

// pair matches parentheses.
func (s *scanner) pair(k kind) {
	last := int32(len(s.toks) - 1)
	switch n := len(s.open); {
	case k == tLParen:
		s.open = append(s.open, last)
	case k == tRParen && n > 0:
		s.toks[s.open[n-1]].match = last
		s.open = s.open[:n-1]
	}
}

// orEqual selects an operator or the same operator with = after it.
func orEqual(plain, equal kind, next byte) (kind, int) {
	if next == '=' {
		return equal, 2
	}
	return plain, 1
}

// doubled selects an operator, its double or its assignment.
func doubled(b, next byte, plain, double kind) (kind, int) {
	if next == b {
		return double, 2
	}
	return orEqual(plain, tAssign, next)
}
