package summary

import (
	"io"
	"strconv"
	"strings"
)

const rule = "===================="

// printFunctions prints the table of functions.
func printFunctions(rows []*row, columns []column, opts *Options, w io.Writer) error {
	if opts.Table.CSV {
		return printCSV(rows, columns, w)
	}
	var out []byte
	if len(columns) > 0 {
		name := "Function"
		if opts.Table.SrcLine {
			name = "Function [Source]"
		}
		out = appendHeading(out, columns, name)
	}
	for _, r := range rows {
		for i := range columns {
			out = append(out, "  "...)
			out = columns[i].text(out, r, opts.Table.Color)
		}
		out = append(append(out, "  "...), r.name...)
		if opts.Table.SrcLine {
			out = appendSource(out, r)
		}
		out = append(out, '\n')
	}
	_, err := w.Write(out)
	return err
}

// appendHeading appends the titles and the line below them.
func appendHeading(dst []byte, columns []column, name string) []byte {
	for i := range columns {
		dst = append(dst, "  "...)
		start := len(dst)
		dst = alignRight(append(dst, columns[i].title...), start, columns[i].width)
	}
	dst = append(append(append(dst, "  "...), name...), '\n')
	for i := range columns {
		dst = append(dst, "  "...)
		for range columns[i].width {
			dst = append(dst, '=')
		}
	}
	return append(dst, "  "+rule+"\n"...)
}

func appendSource(dst []byte, r *row) []byte {
	if r.sym == nil || r.sym.File == "" || r.sym.Type == 'w' { // as in uftrace, weak symbols have no place
		return dst
	}
	dst = append(append(append(dst, " ["...), r.sym.File...), ':')
	return append(strconv.AppendInt(dst, int64(r.sym.Line), 10), ']')
}

// printCSV prints the rows as comma-separated values with times in nanoseconds. As in uftrace's
// development version, times of calls keep their blanks from the table, and deviations have no
// sign. Names with commas are quoted, unlike in uftrace.
func printCSV(rows []*row, columns []column, w io.Writer) error {
	out := []byte{'#'}
	for i := range columns {
		out = append(append(out, columns[i].title...), ',')
	}
	out = append(out, "Function\n"...)
	for _, r := range rows {
		for i := range columns {
			switch c := &columns[i]; {
			case c.value != nil:
				out = strconv.AppendUint(out, c.value(r), 10)
			case c.ratio != nil:
				out = strconv.AppendFloat(out, c.ratio(r), 'f', 2, 64)
			case c.centred:
				out = appendQuoted(out, strings.Trim(string(c.text(nil, r, nil)), " "))
			default:
				out = c.text(out, r, nil)
			}
			out = append(out, ',')
		}
		out = append(appendQuoted(out, r.name), '\n')
	}
	_, err := w.Write(out)
	return err
}

// appendQuoted appends a name. It quotes a name with a comma or a quote, as in C++.
func appendQuoted(dst []byte, name string) []byte {
	plain := true
	for i := range len(name) {
		if c := name[i]; c == ',' || c == '"' || c == '\n' {
			plain = false
		}
	}
	if plain {
		return append(dst, name...)
	}
	dst = append(dst, '"')
	for i := range len(name) {
		if name[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, name[i])
	}
	return append(dst, '"')
}
