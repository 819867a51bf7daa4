package exports

import (
	"bufio"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/report/table"
)

// appendCell appends a value as text. NULL is empty.
func appendCell(dst []byte, value any) []byte {
	switch v := value.(type) {
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		return strconv.AppendFloat(dst, v, 'g', -1, 64)
	case string:
		return columns.AppendValid(dst, v)
	case []byte:
		return hex.AppendEncode(dst, v)
	}
	return dst
}

// cells converts the values of rows to texts. The texts of a row share one string.
type cells struct {
	text []byte
	ends []int
	list []string
}

// of returns the texts of a row. The slice is valid until the next call.
func (c *cells) of(values []any) []string {
	c.text, c.ends, c.list = c.text[:0], c.ends[:0], c.list[:0]
	for _, v := range values {
		c.text = appendCell(c.text, v)
		c.ends = append(c.ends, len(c.text))
	}
	text, from := string(c.text), 0
	for _, end := range c.ends {
		c.list = append(c.list, text[from:end])
		from = end
	}
	return c.list
}

// alignedRows is the number of rows that determine the widths of columns. Later rows may be wider.
const alignedRows = 1000

// tableRows prints an aligned table.
type tableRows struct {
	w     io.Writer
	table table.Table
	cells cells
	out   []byte
	rows  int
	named bool // Columns was called
	begun bool // the first rows are printed
}

// flushBytes is the number of bytes of lines to write at once.
const flushBytes = 32 << 10

func newTableRows(w io.Writer, s style.Style) *tableRows {
	return &tableRows{w: w, table: table.Table{Style: s, Heading: style.Faint}}
}

// Columns implements sql.Rows.
func (t *tableRows) Columns(names []string) error {
	t.named = true
	for _, name := range names {
		t.table.Columns = append(t.table.Columns, table.Column{Head: string(columns.AppendValid(nil, name))})
	}
	return nil
}

// Row implements sql.Rows.
func (t *tableRows) Row(values []any) error {
	row := t.cells.of(values)
	if t.begun {
		t.out = t.table.AppendRow(t.out, row)
		if len(t.out) < flushBytes {
			return nil
		}
		return t.flush()
	}
	for i, v := range values {
		switch v.(type) {
		case string, []byte:
			t.table.Columns[i].Left = true
		}
	}
	t.table.Add(slices.Clone(row)...)
	if t.rows++; t.rows == alignedRows {
		t.begun, t.out = true, t.table.Append(t.out)
	}
	return nil
}

func (t *tableRows) flush() error {
	_, err := t.w.Write(t.out)
	t.out = t.out[:0]
	return err
}

func (t *tableRows) end(_ bool, err error) error {
	if !t.begun && (t.rows > 0 || t.named && err == nil) {
		t.out = t.table.Append(t.out)
	}
	return errors.Join(err, t.flush())
}

// csvRows prints CSV.
type csvRows struct {
	w     *csv.Writer
	cells cells
}

func newCSVRows(w io.Writer) *csvRows { return &csvRows{w: csv.NewWriter(w)} }

// Columns implements sql.Rows.
func (c *csvRows) Columns(names []string) error { return c.w.Write(names) }

// Row implements sql.Rows.
func (c *csvRows) Row(values []any) error { return c.w.Write(c.cells.of(values)) }

func (c *csvRows) end(_ bool, err error) error {
	c.w.Flush()
	return errors.Join(err, c.w.Error())
}

// jsonRows prints an object with the key rows, which holds an object for each row.
type jsonRows struct {
	w    *bufio.Writer
	keys []string // JSON texts, each with a colon
	rows int
	line []byte
}

func newJSONRows(w io.Writer) *jsonRows { return &jsonRows{w: bufio.NewWriter(w)} }

// Columns implements sql.Rows.
func (j *jsonRows) Columns(names []string) error {
	uses := map[string]int{}
	for _, name := range names {
		if uses[name]++; uses[name] > 1 {
			name = fmt.Sprintf("%s_%d", name, uses[name])
		}
		j.keys = append(j.keys, string(columns.AppendJSON(nil, name))+": ")
	}
	tool, err := json.Marshal(command.Version())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(j.w, "{\n  \"schema\": \"tracec-sql/1\",\n  \"tracec\": %s,\n  \"rows\": [", tool)
	return err
}

// Row implements sql.Rows.
func (j *jsonRows) Row(values []any) error {
	b := j.line[:0]
	if j.rows++; j.rows > 1 {
		b = append(b, ',')
	}
	b = append(b, "\n    {"...)
	for i, v := range values {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendJSONValue(append(b, j.keys[i]...), v)
	}
	j.line = append(b, '}')
	_, err := j.w.Write(j.line)
	return err
}

// appendJSONValue appends a value. Infinite numbers, which JSON lacks, are texts.
func appendJSONValue(dst []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		if !math.IsInf(v, 0) {
			return strconv.AppendFloat(dst, v, 'g', -1, 64)
		}
	case string:
		return columns.AppendJSON(dst, v)
	}
	return columns.AppendJSON(dst, string(appendCell(nil, value)))
}

func (j *jsonRows) end(limited bool, err error) error {
	if j.keys == nil {
		return err // nothing was printed
	}
	text := "\n  ]"
	if j.rows == 0 {
		text = "]"
	}
	if limited {
		text += ",\n  \"limited\": true"
	}
	j.w.WriteString(text + "\n}\n") // Flush returns its error
	return errors.Join(err, j.w.Flush())
}
