// Package table prints aligned tables.
package table

import (
	"strings"

	"github.com/rivo/uniseg"

	"github.com/tracec/tracec/report/style"
)

// A Column is a column of a Table.
type Column struct {
	Head    string
	Left    bool          // aligned left, else right
	Meaning style.Meaning // colour of its cells

	width int
}

// A Table is a list of rows. Columns are as wide as their widest cell. Newlines, carriage returns,
// tabs and NULs in cells are printed as \n, \r, \t and \0.
type Table struct {
	Columns []Column
	Heading style.Meaning // colour of the heads
	Style   style.Style
	Width   int // maximum width of lines: the last column is shortened to it; 0 means unlimited

	rows [][]string
}

// least is the minimum width of a shortened last cell.
const least = 8

// Add adds a row for Append.
func (t *Table) Add(cells ...string) {
	for i, cell := range cells {
		cells[i] = oneLine(cell)
		t.Columns[i].width = max(t.Columns[i].width, Width(cells[i]))
	}
	t.rows = append(t.rows, cells)
}

// Append appends the heads and the rows of Add.
func (t *Table) Append(out []byte) []byte {
	heads := Table{Columns: t.Columns}
	line := make([]string, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		line[i] = oneLine(c.Head)
		c.width = max(c.width, Width(line[i]))
	}
	head := heads.appendLine(nil, line) // the whole line is painted, not its cells
	out = append(t.Style.Append(out, t.Heading, string(head)), '\n')
	for _, row := range t.rows {
		out = append(t.appendLine(out, row), '\n')
	}
	t.rows = nil
	return out
}

// AppendRow appends a row to the output of Append. Its cells may be wider than their columns.
func (t *Table) AppendRow(out []byte, cells []string) []byte {
	for i := range cells {
		cells[i] = oneLine(cells[i])
	}
	return append(t.appendLine(out, cells), '\n')
}

// appendLine appends a line without spaces at its end.
func (t *Table) appendLine(out []byte, cells []string) []byte {
	used, spaces := 0, 0
	for i, cell := range cells {
		c := &t.Columns[i]
		if i == len(cells)-1 && t.Width > 0 {
			cell = shorten(cell, max(t.Width-used, least))
		}
		width := Width(cell)
		pad := max(0, c.width-width)
		if !c.Left {
			spaces += pad
		}
		if cell != "" {
			out = t.Style.Append(appendSpaces(out, spaces), c.Meaning, cell)
			spaces = 0
		}
		if c.Left {
			spaces += pad
		}
		spaces += 2
		used += width + pad + 2
	}
	return out
}

const blanks = "                                                                "

func appendSpaces(out []byte, n int) []byte {
	for ; n > len(blanks); n -= len(blanks) {
		out = append(out, blanks...)
	}
	return append(out, blanks[:n]...)
}

var breaks = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\x00", `\0`)

// oneLine returns a text with escapes for the characters that would break its line.
func oneLine(s string) string {
	for i := range len(s) {
		if s[i] < ' ' {
			return breaks.Replace(s)
		}
	}
	return s
}

// Width returns the number of columns of a text.
func Width(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return uniseg.StringWidth(s)
		}
	}
	return len(s)
}

// shorten returns the beginning of a text that fits in that many columns.
func shorten(text string, columns int) string {
	if Width(text) <= columns {
		return text
	}
	used, end := 0, 0
	for rest, state := text, -1; rest != ""; {
		_, next, width, after := uniseg.FirstGraphemeClusterInString(rest, state)
		if used+width > columns-1 {
			break
		}
		used, rest, state = used+width, next, after
		end = len(text) - len(rest)
	}
	return text[:end] + "…"
}
