package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// blocks are paragraphs and indented blocks in order.
type blocks []block

// block is a sequence of lines without blank lines between them. Lines of an indented block keep
// their indentation.
type block struct {
	indented bool
	lines    []string
}

// split splits a text into blocks, at blank lines and where the indentation begins or ends.
func split(s string) (list blocks) {
	s = strings.ReplaceAll(s, "\t", "    ")
	blank := true
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimSpace(line) == "" {
			blank = true
			continue
		}
		indented := strings.HasPrefix(line, "  ")
		if blank && !(indented && len(list) > 0 && list[len(list)-1].indented) || len(list) == 0 ||
			list[len(list)-1].indented != indented {
			list = append(list, block{indented: indented})
		} else if blank {
			list[len(list)-1].lines = append(list[len(list)-1].lines, "")
		}
		list[len(list)-1].lines = append(list[len(list)-1].lines, line)
		blank = false
	}
	return list
}

func (list blocks) write(b *bytes.Buffer) {
	for i, part := range list {
		first := i == 0
		switch items := definitions(part.lines); {
		case part.indented && items != nil:
			writeItems(b, items)
		case part.indented:
			literal(b, part.lines, first)
		default:
			if !first {
				b.WriteString(".Pp\n")
			}
			paragraph(b, part.lines)
		}
	}
}

// item is a word and its explanation.
type item struct{ word, text string }

var definition = regexp.MustCompile(`^  (\S+(?:[ ,]\S+){0,2})  +(\S.*)$`)

// definitions returns the items of a block in which each line begins an item, or continues one
// below its text. For other blocks, including commands, it returns nil.
func definitions(lines []string) (items []item) {
	for _, line := range lines {
		m := definition.FindStringSubmatch(line)
		switch {
		case m != nil && !strings.HasPrefix(m[1], "tracec ") && !strings.HasPrefix(line, "    "):
			items = append(items, item{m[1], m[2]})
		case m == nil && len(items) > 0 && strings.HasPrefix(line, "     "):
			items[len(items)-1].text += " " + strings.TrimSpace(line)
		default:
			return nil
		}
	}
	return items
}

func writeItems(b *bytes.Buffer, items []item) {
	b.WriteString(".Bl -tag -width Ds\n")
	for _, it := range items {
		fmt.Fprintf(b, ".It %s\n", plain(it.word))
		filled(b, it.text)
	}
	b.WriteString(".El\n")
}

// comment matches a command and its explanation.
var comment = regexp.MustCompile(`^(  (?:tracec|trace-cmd) .*?\S) {3,}(\S.*)$`)

// literal writes lines without their common indentation, otherwise unchanged. The explanation of a
// command is written before it, as a comment of the shell.
func literal(b *bytes.Buffer, lines []string, first bool) {
	margin := 100
	for _, line := range lines {
		if line != "" {
			margin = min(margin, len(line)-len(strings.TrimLeft(line, " ")))
		}
	}
	if first {
		b.WriteString(".Bd -literal -offset indent -compact\n")
	} else {
		b.WriteString(".Bd -literal -offset indent\n")
	}
	for _, line := range lines {
		if m := comment.FindStringSubmatch(line); m != nil {
			fmt.Fprintf(b, "%s\n", verbatim("# "+m[2]))
			line = m[1]
		}
		if line != "" {
			line = line[margin:]
		}
		fmt.Fprintf(b, "%s\n", verbatim(line))
	}
	b.WriteString(".Ed\n")
}

func paragraph(b *bytes.Buffer, lines []string) { filled(b, strings.Join(lines, " ")) }

// sentence matches the end of a sentence. mandoc requires a new line there.
var sentence = regexp.MustCompile(`([a-zA-Z0-9)\]"'][.!?]\)?) +([A-Z(])`)

// filled writes text in lines of at most 78 bytes, with each sentence on a new line.
func filled(b *bytes.Buffer, s string) {
	for line := range strings.SplitSeq(sentence.ReplaceAllString(s, "$1\n$2"), "\n") {
		width := 0
		for i, word := range strings.Fields(line) {
			word = text(word)
			switch {
			case i == 0:
			case width+1+len(word) > 78:
				b.WriteByte('\n')
				width = 0
			default:
				b.WriteByte(' ')
				width++
			}
			if width == 0 {
				word = guard(word)
			}
			b.WriteString(word)
			width += len(word)
		}
		b.WriteByte('\n')
	}
}

// guard keeps a line of text from being a request.
func guard(s string) string {
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		return `\&` + s
	}
	return s
}

// verbatim returns a line that may be copied from the page.
func verbatim(s string) string {
	return guard(escape(s, func(int) bool { return true }))
}

// text escapes the syntax of roff in text. Options keep their dashes.
func text(s string) string {
	return escape(s, func(i int) bool { return i == 0 || strings.IndexByte("- '\"([", s[i-1]) >= 0 })
}

// escape escapes the syntax of roff in text. dash selects the dashes that are printed as dashes and
// not as hyphens.
func escape(s string, dash func(i int) bool) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-' && dash(i):
			b.WriteString(`\-`)
		case r == '(' && strings.HasPrefix(s[i:], "()"): // mandoc treats it as a function, and requires a macro
			b.WriteString(`\&(`)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain returns text as arguments of a macro. Arguments that are macros themselves are guarded.
func plain(s string) string {
	fields := strings.Fields(s)
	for i, f := range fields {
		fields[i] = argument(f)
	}
	return strings.Join(fields, " ")
}

// argument returns one argument of a macro. Text that could be a macro or a delimiter is guarded.
func argument(s string) string {
	s = strings.ReplaceAll(verbatim(s), `"`, `\(dq`)
	if strings.Contains(s, " ") {
		return `"` + s + `"`
	}
	if len(s) <= 3 && !strings.HasPrefix(s, `\`) {
		return `\&` + s
	}
	return s
}
