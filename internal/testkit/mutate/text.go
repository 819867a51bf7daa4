package mutate

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// text changes a file in the way of somebody who edits it.
func (m *Mutant) text(r *rand.Rand, file string) {
	b := m.Tree[file]
	if len(b) == 0 {
		return
	}
	out, off, what := Text(r, b)
	m.Tree[file] = out
	m.note(file, off, "%s", what)
}

// Text returns a changed copy of a text: moved lines and words, other values of numbers, and
// characters with a meaning to its parsers. It also returns the offset of the change and its name.
func Text(r *rand.Rand, text []byte) (out []byte, off int, what string) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	i, j := r.IntN(len(lines)), r.IntN(len(lines))
	off = len(bytes.Join(lines[:i], nil))
	line := lines[i]
	switch r.IntN(10) {
	case 0:
		lines = slices.Delete(lines, i, i+1)
		what = "a line deleted"
	case 1:
		lines = slices.Insert(lines, i, line)
		what = "a line doubled"
	case 2:
		lines[i], lines[j] = lines[j], lines[i]
		off, what = len(bytes.Join(lines[:min(i, j)], nil)), "lines changed places"
	case 3, 4:
		lines[i], what = changeNumber(r, line), "a number changed"
	case 5, 6:
		lines[i], what = insert(r, line), "characters inserted"
	case 7:
		lines[i], what = swapWords(r, line, lines[j]), "a word of another line"
	case 8:
		lines[i], what = line[:r.IntN(len(line)+1)], "a line cut"
	default:
		lines[i], what = bytes.Repeat(line, 1+r.IntN(1<<r.IntN(11))), "a line repeated"
	}
	return bytes.Join(lines, nil), off, what
}

var (
	numbers = regexp.MustCompile(`0[xX][0-9a-fA-F]+|[0-9]+`)
	words   = regexp.MustCompile(`[A-Za-z_0-9]+|[^\sA-Za-z_0-9]+`)
)

func changeNumber(r *rand.Rand, line []byte) []byte {
	all := numbers.FindAllIndex(line, -1)
	if len(all) == 0 {
		return insert(r, line)
	}
	at := all[r.IntN(len(all))]
	old, _ := strconv.ParseUint(string(line[at[0]:at[1]]), 0, 64)
	size := 1 << r.IntN(4)
	v := Number(r, old, size)
	if size < 8 {
		v &= 1<<(8*size) - 1
	}
	text := strconv.FormatUint(v, 10)
	switch r.IntN(5) {
	case 0:
		text = "0x" + strconv.FormatUint(v, 16)
	case 1:
		text = "-" + text
	case 2:
		text += strings.Repeat("9", r.IntN(25))
	}
	return slices.Concat(line[:at[0]], []byte(text), line[at[1]:])
}

// special are texts with a meaning to the parsers of descriptions.
var special = []string{
	`"`, `'`, `\`, `\n`, "%", "%s", "%d", "%*.*s", "%n", "%p", "%pI6c", "%lld", "%c", "%1000000000d", "(", ")", "((((",
	"))", "{", "}", "[", "]",
	"[]", "[0]", "[4294967295]", ",", ";", ":", "::", "?", "?:", "->", "REC->", "*", "&", "|", "^", "~", "!", "<<",
	">>", "<<64", "/0", "%0", "+",
	"-", "=", "==", "<", ">", "@", "#", "$", "$D1", "$SKIP", "$BREAK", "LOOP", "switch", "case", "__data_loc",
	"__rel_loc", "__get_str(x)",
	"__print_symbolic(", "__print_flags(REC->a, \"|\", {1, \"a\"})", "sizeof(int)", "(unsigned char)", "unsigned",
	"long long", "char[]", "0",
	"-1", "0x", "1e9", "18446744073709551616", "\x00", "\xff", "\xef\xbb\xbf", "\r\n", "\n", "\t", " ", "\x1b[31m", "é",
	"/", "../", "event", "text",
	"type", "func", "<", "</", "<!--", "<![CDATA[", "&lt;", "&#0;", "/>", "signed:1;", "offset:65535;", "size:0;",
	"size:2147483647;",
}

func insert(r *rand.Rand, line []byte) []byte {
	at := r.IntN(len(line) + 1)
	s := special[r.IntN(len(special))]
	if r.IntN(16) == 0 {
		s = strings.Repeat(s, 1+r.IntN(3000))
	}
	return slices.Concat(line[:at], []byte(s), line[at:])
}

// swapWords replaces a word of a line by a word of another line.
func swapWords(r *rand.Rand, line, other []byte) []byte {
	a, b := words.FindAllIndex(line, -1), words.FindAllIndex(other, -1)
	if len(a) == 0 || len(b) == 0 {
		return insert(r, line)
	}
	x, y := a[r.IntN(len(a))], b[r.IntN(len(b))]
	return slices.Concat(line[:x[0]], other[y[0]:y[1]], line[x[1]:])
}
