package page

import (
	"bytes"
	"fmt"
	"go/format"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"
)

// Maximum widths of lines. Code is wider if it cannot be broken.
const (
	codeWidth    = 120
	commentWidth = 100
)

// wrap breaks the long lines of declarations. The text is already formatted.
func wrap(text []byte) ([]byte, error) {
	if !hasLong(text) {
		return text, nil
	}
	var out []byte
	for len(text) > 0 {
		n := declarationEnd(text)
		part, err := wrapOne(text[:n])
		if err != nil {
			return nil, err
		}
		out, text = append(out, part...), text[n:]
	}
	return out, nil
}

func hasLong(text []byte) bool {
	for line := range bytes.Lines(text) {
		if tooWide(string(line)) {
			return true
		}
	}
	return false
}

// tooWide reports whether a line is too long. The limits of code and comments differ.
func tooWide(line string) bool {
	if isComment(line) {
		return width(line) > commentWidth
	}
	return width(line) > codeWidth
}

// width returns the width of a line, with tabs of four columns.
func width(line string) int {
	line = strings.TrimRight(line, "\n")
	return utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
}

func isComment(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, "\t"), "// ") }

// declarationEnd finds the end of the first declaration. It is an empty line before a line that is
// not indented.
func declarationEnd(text []byte) int {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte("\n\n"))
		if i < 0 || at+i+2 >= len(text) {
			return len(text)
		}
		at += i + 2
		if text[at] != '\t' && text[at] != '}' && text[at] != ')' {
			return at
		}
	}
}

// rowStart is the start of a row of a table. A row is a value in braces, in the list of a variable.
var rowStart = []byte("\n\t{")

// wrapOne breaks the long lines of a declaration. In a table, it only formats the rows with long
// lines: the layouts of a kernel have ten thousand lines.
func wrapOne(text []byte) ([]byte, error) {
	if !hasLong(text) {
		return text, nil
	}
	head, rows, end := cutTable(text)
	if rows == nil || hasLong(head) {
		return wrapPart(text)
	}
	out := slices.Clone(head)
	for _, row := range rows {
		if !hasLong(row) {
			out = append(out, row...)
			continue
		}
		if broken, ok := wrapRow(row); ok {
			out = append(out, broken...)
			continue
		}
		alone, err := wrapPart(slices.Concat(rowHead, row, rowEnd))
		if err != nil {
			return nil, err
		}
		out = append(out, bytes.TrimSuffix(bytes.TrimPrefix(alone, rowHead), rowEnd)...)
	}
	return append(out, end...), nil
}

// rowHead and rowEnd turn a row into a declaration.
var rowHead, rowEnd = []byte("var _ = []T{\n"), []byte("}\n")

// wrapRow breaks a row whose first line alone is too long and that ends with a list. The lines of
// the list are then indented by one more tab. ok is false if the row must be formatted.
func wrapRow(row []byte) (broken []byte, ok bool) {
	first, rest, _ := bytes.Cut(row, []byte("\n"))
	if tooWide(string(first)) && len(rest) > 0 && !hasLong(rest) && bytes.HasSuffix(first, []byte("{")) &&
		bytes.HasSuffix(rest, []byte("\n\t}},\n")) {
		var out strings.Builder
		if b := wrapCode(&out, string(first)+"\n"); b.depth == 1 && b.comma && !b.otherwise {
			for line := range bytes.Lines(rest) {
				out.WriteByte('\t')
				out.Write(line)
			}
			text := []byte(out.String())
			return text, !hasLong(text)
		}
	}
	return nil, false
}

// cutTable returns the rows of a table and the text around them. There must be no lines between the
// rows. If the declaration is not a table, there are no rows.
func cutTable(text []byte) (head []byte, rows [][]byte, end []byte) {
	at := bytes.Index(text, rowStart) + 1
	last := bytes.LastIndex(text, []byte("\n}")) + 1
	if at == 0 || last <= at || !bytes.HasSuffix(text[:at], []byte("{\n")) || bytes.IndexByte(text, '`') >= 0 {
		return nil, nil, nil
	}
	head, end = text[:at], text[last:]
	for rest := text[at:last]; len(rest) > 0; {
		n := bytes.Index(rest, rowStart) + 1
		if n == 0 {
			n = len(rest)
		}
		if !bytes.HasSuffix(rest[:n], []byte("},\n")) {
			return nil, nil, nil
		}
		rows, rest = append(rows, rest[:n]), rest[n:]
	}
	return head, rows, end
}

// wrapPart breaks the long lines of declarations, and formats all lines if necessary.
func wrapPart(text []byte) ([]byte, error) {
	lines := strings.SplitAfter(string(text), "\n")
	var out strings.Builder
	same, inFunc := true, false // same: the lines are in the layout of gofmt
	for i := 0; i < len(lines); {
		if isComment(lines[i]) {
			n := i
			for n < len(lines) && isComment(lines[n]) {
				n++
			}
			wrapComment(&out, lines[i:n])
			i = n
			continue
		}
		if lines[i] != "" && lines[i][0] != '\t' && lines[i][0] != '\n' {
			inFunc = strings.HasPrefix(lines[i], "func ")
		}
		b := wrapCode(&out, lines[i])
		same = same && (!tooWide(lines[i]) || b.any && !b.otherwise && inFunc && i > 0 && !goesOn(lines[i-1]) &&
			isStatement(lines[i]))
		i++
	}
	if same {
		return []byte(out.String()), nil
	}
	end := text[len(bytes.TrimRight(text, "\n")):]
	formatted, err := format.Source([]byte(out.String()))
	if err != nil {
		return nil, fmt.Errorf("breaking lines: %w", err)
	}
	return append(bytes.TrimRight(formatted, "\n"), end...), nil
}

// wrapComment refills the lines of a comment if one of them is too long.
func wrapComment(out *strings.Builder, lines []string) {
	long := false
	for _, l := range lines {
		long = long || tooWide(l)
	}
	if !long {
		out.WriteString(strings.Join(lines, ""))
		return
	}
	indent := lines[0][:strings.Index(lines[0], "//")]
	line := indent + "//"
	for _, l := range lines {
		for _, word := range strings.Fields(l)[1:] {
			if width(line)+1+len(word) > commentWidth && line != indent+"//" {
				out.WriteString(line + "\n")
				line = indent + "//"
			}
			line += " " + word
		}
	}
	out.WriteString(line + "\n")
}

// isStatement reports whether a line of a function is a whole assignment, call or return. If so,
// breaking it does not change the layout of the lines around it.
func isStatement(line string) bool {
	tokens := tokensOf(line)
	if len(tokens) == 0 || tokens[0].tok != token.IDENT && tokens[0].tok != token.RETURN {
		return false
	}
	depth := 0
	for _, t := range tokens {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.COLON, token.FUNC, token.STRUCT:
			return false
		}
	}
	return depth == 0 && !goesOn(line)
}

// goesOn reports whether the statement or the list of a line continues in the next line.
func goesOn(line string) bool {
	line = strings.TrimRight(line, " \n")
	return line != "" && strings.IndexByte(",+-*/%|&^=<>(.", line[len(line)-1]) >= 0
}

// breaking describes how a line was broken.
type breaking struct {
	any   bool
	depth int // of the first break
	comma bool
	// otherwise reports that the layout of gofmt may differ: the line was broken at several depths,
	// within an argument or a string, or a comment was moved.
	otherwise bool
}

// wrapCode breaks a line. A comment at its end is moved before it.
func wrapCode(out *strings.Builder, line string) (b breaking) {
	if !tooWide(line) {
		out.WriteString(line)
		return b
	}
	tokens := tokensOf(line)
	indent := line[:len(line)-len(strings.TrimLeft(line, "\t"))]
	if n := len(tokens) - 1; n >= 0 && tokens[n].tok == token.COMMENT && n > 0 {
		wrapComment(out, []string{indent + tokens[n].text + "\n"})
		line, tokens = strings.TrimRight(line[:tokens[n].at], " \t")+"\n", tokens[:n]
		b.otherwise = true
	}
	start := len(indent)
	quote := "" // before the rest of a string
	for first := true; ; first = false {
		if !first {
			indent += "\t"
		}
		room := codeWidth - 4*len(indent) - len(quote)
		tokens = after(tokens, start)
		at, inString := -1, false
		if len(line)-1-start > room {
			at, inString = breakAt(tokens, start, room)
		}
		if at < 0 {
			out.WriteString(indent + quote + line[start:])
			return b
		}
		b.add(tokens, at, inString)
		out.WriteString(indent + quote)
		if inString { // one constant becomes a sum of two constants
			out.WriteString(line[start:at] + `" +` + "\n")
			quote = `"`
			tokens = after(tokens, at)
			tokens[0].text, tokens[0].at = `"`+tokens[0].text[at-tokens[0].at:], at-1
		} else {
			out.WriteString(strings.TrimRight(line[start:at], " ") + "\n")
			for quote = ""; line[at] == ' '; {
				at++
			}
		}
		start = at
		if !first {
			indent = indent[1:]
		}
	}
}

// add notes a break at a place.
func (b *breaking) add(tokens []lexeme, at int, inString bool) {
	i := slices.IndexFunc(tokens, func(t lexeme) bool { return t.at+len(t.text) >= at })
	depth, comma := tokens[i].depth, tokens[i].tok == token.COMMA
	if !b.any {
		b.any, b.depth, b.comma = true, depth, comma
	}
	b.otherwise = b.otherwise || inString || !breaks(tokens[i].tok) || depth != b.depth || comma != b.comma ||
		!comma && depth > 0
}

// after removes the tokens that end at a place or before.
func after(tokens []lexeme, at int) []lexeme {
	for len(tokens) > 0 && tokens[0].at+len(tokens[0].text) <= at {
		tokens = tokens[1:]
	}
	return tokens
}

// lexeme is a token of a line.
type lexeme struct {
	at    int
	tok   token.Token
	text  string
	depth int // number of enclosing brackets
}

func tokensOf(line string) []lexeme {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(line))
	s.Init(file, []byte(line), func(token.Position, string) {}, scanner.ScanComments)
	var out []lexeme
	depth := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		switch tok {
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		text := lit
		if text == "" {
			text = tok.String()
		}
		out = append(out, lexeme{file.Offset(pos), tok, text, depth})
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		}
	}
}

// breakAt finds the place to break a line of which room columns from start on fit. It breaks after
// the operator or comma within the fewest parentheses, and after the last of several. If there is
// none, it breaks within a string or after a parenthesis. If the line cannot be broken, at is
// negative.
func breakAt(tokens []lexeme, start, room int) (at int, inString bool) {
	at, depth, open := -1, 0, -1
	for _, t := range tokens {
		end := t.at + len(t.text)
		switch {
		case end <= start:
		case end-start <= room && breaks(t.tok) && (at < 0 || t.depth <= depth):
			at, depth = end, t.depth
		case end-start <= room && (t.tok == token.LPAREN || t.tok == token.LBRACE):
			open = end
		case end-start <= room:
		case at >= 0:
			return at, false
		case t.tok == token.STRING && t.text[0] == '"' && stringBreak(t, start+room-len(`" +`)) > t.at+1:
			return stringBreak(t, start+room-len(`" +`)), true
		case open >= 0:
			return open, false
		case breaks(t.tok): // beyond the room
			return end, false
		}
	}
	return at, false
}

func breaks(t token.Token) bool {
	switch t {
	case token.COMMA, token.ADD, token.OR, token.LAND, token.LOR:
		return true
	}
	return false
}

// stringBreak returns a place in a quoted string, at most at the limit and not within an escape. If
// deep blocks leave no room for any character, it is the beginning of the string.
func stringBreak(t lexeme, limit int) int {
	at := t.at + 1
	for i := 1; i < len(t.text)-1; {
		n := 1
		if t.text[i] == '\\' {
			switch t.text[i+1] {
			case 'x':
				n = 4
			case 'u':
				n = 6
			case 'U':
				n = 10
			case '0', '1', '2', '3', '4', '5', '6', '7':
				n = 4
			default:
				n = 2
			}
		} else {
			_, n = utf8.DecodeRuneInString(t.text[i:])
		}
		i += n
		if t.at+i > limit {
			break
		}
		at = t.at + i
	}
	return at
}
