package csv

import (
	"bytes"

	"github.com/tracec/tracec/export/columns"
)

// style returns the style of values in cells.
func style(spreadsheet bool) *columns.Style {
	return &columns.Style{
		Text: func(dst, text []byte) []byte { return appendText(dst, text, spreadsheet) },
		List: appendJSON,
	}
}

// nestedStyle is the style of JSON inside quotes.
var nestedStyle = &columns.Style{
	Null: "null",
	Text: func(dst, text []byte) []byte {
		for _, c := range text {
			if special[c] || c < ' ' {
				at := len(dst)
				dst = columns.AppendJSON(dst, text)
				return double(dst, at, bytes.Count(dst[at:], []byte{'"'}))
			}
		}
		return append(append(append(dst, `""`...), text...), `""`...)
	},
	List: appendDoubled,
}

// appendJSON appends JSON, which is UTF-8 without line breaks, as a cell.
func appendJSON(dst, json []byte) []byte {
	return append(appendDoubled(append(dst, '"'), json), '"')
}

// appendDoubled appends a text with its quotes doubled.
func appendDoubled(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '"') + 1
		if i == 0 {
			return append(dst, text...)
		}
		dst = append(append(dst, text[:i]...), '"')
		text = text[i:]
	}
}

// nested returns the layout of a JSON object inside quotes.
func nested(fields []columns.Column) columns.Layout {
	l := columns.Object(fields)
	for i := range l.Cells {
		l.Cells[i].Before = string(appendDoubled(nil, []byte(l.Cells[i].Before)))
	}
	if len(l.Cells) == 0 {
		l.End = `"` + l.End + `"`
		return l
	}
	l.Cells[0].Before = `"` + l.Cells[0].Before
	l.End += `"`
	return l
}

// special marks bytes that a cell cannot hold unchanged.
var special = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 0x80 || c == 0
	}
	for _, c := range []byte(",\"\\\r\n") {
		t[c] = true
	}
	return t
}()

// appendText appends a text as a cell.
func appendText(dst, text []byte, spreadsheet bool) []byte {
	if len(text) == 0 {
		return append(dst, `""`...)
	}
	if spreadsheet && isFormula(text[0]) {
		return appendQuoted(dst, "'", text)
	}
	for _, c := range text {
		if special[c] {
			return appendQuoted(dst, "", text)
		}
	}
	return append(dst, text...)
}

// isFormula reports whether spreadsheets treat a text with this first byte as a formula
// (https://owasp.org/www-community/attacks/CSV_Injection).
func isFormula(first byte) bool {
	switch first {
	case '=', '+', '-', '@', '\t', '\r':
		return true
	}
	return false
}

// appendQuoted appends a text, in quotes if necessary.
func appendQuoted(dst []byte, before string, text []byte) []byte {
	start := len(dst)
	dst = columns.AppendValid(append(append(dst, '"'), before...), text)
	quotes, needed := 0, before != ""
	for _, c := range dst[start+1:] {
		switch c {
		case '"':
			quotes++
		case 0:
			quotes += 3 // NUL becomes \x00
		case ',', '\r', '\n':
			needed = true
		}
	}
	if quotes == 0 && !needed {
		copy(dst[start:], dst[start+1:])
		return dst[:len(dst)-1]
	}
	return append(double(dst, start+1, quotes), '"')
}

// double doubles the quotes in dst from a position on, and replaces NULs by \x00. n is the number
// of added bytes.
func double(dst []byte, from, n int) []byte {
	end := len(dst)
	for range n {
		dst = append(dst, 0)
	}
	to := len(dst)
	for i := end - 1; i >= from && to > i+1; i-- {
		switch dst[i] {
		case '"':
			to -= 2
			dst[to], dst[to+1] = '"', '"'
		case 0:
			to -= 4
			copy(dst[to:], `\x00`)
		default:
			to--
			dst[to] = dst[i]
		}
	}
	return dst
}
