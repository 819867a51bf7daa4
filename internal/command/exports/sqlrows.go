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
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/report/style"
)

// cellText returns a value as text; NULL is empty.
func cellText(value any) string {
	switch v := value.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return string(columns.AppendValid(nil, v))
	case []byte:
		return hex.EncodeToString(v)
	}
	return ""
}

// alignedRows is how many rows decide how wide columns are. Later ones may be wider.
const alignedRows = 1000

// tableRows prints an aligned table.
type tableRows struct {
	w     *bufio.Writer
	style style.Style
	heads []string
	held  [][]string // the first rows
	width []int
	right []bool // columns of numbers
	begun bool
}

// Columns implements sql.Rows.
func (t *tableRows) Columns(names []string) error {
	t.width, t.right = make([]int, len(names)), make([]bool, len(names))
	for i, name := range names {
		t.heads = append(t.heads, oneLine.Replace(string(columns.AppendValid(nil, name))))
		t.width[i], t.right[i] = columnsOf(t.heads[i]), true
	}
	return nil
}

// oneLine replaces what would break the lines of a table.
var oneLine = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\x00", `\0`)

// columnsOf returns the width of a text.
func columnsOf(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return uniseg.StringWidth(s)
		}
	}
	return len(s)
}

// Row implements sql.Rows.
func (t *tableRows) Row(values []any) error {
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = oneLine.Replace(cellText(v))
		if !t.begun {
			t.width[i] = max(t.width[i], columnsOf(row[i]))
			switch v.(type) {
			case string, []byte:
				t.right[i] = false
			}
		}
	}
	if t.begun {
		return t.print(row)
	}
	if t.held = append(t.held, row); len(t.held) == alignedRows {
		return t.begin()
	}
	return nil
}

// begin prints the head and the rows that are held.
func (t *tableRows) begin() error {
	t.begun = true
	if _, err := t.w.WriteString(t.style.Paint(style.Faint, t.line(t.heads)) + "\n"); err != nil {
		return err
	}
	for _, row := range t.held {
		if err := t.print(row); err != nil {
			return err
		}
	}
	t.held = nil
	return nil
}

func (t *tableRows) print(row []string) error {
	_, err := t.w.WriteString(t.line(row) + "\n")
	return err
}

// line returns the line of a row.
func (t *tableRows) line(row []string) string {
	var b strings.Builder
	for i, cell := range row {
		pad := strings.Repeat(" ", max(0, t.width[i]-columnsOf(cell)))
		if t.right[i] {
			b.WriteString(pad + cell + "  ")
		} else {
			b.WriteString(cell + pad + "  ")
		}
	}
	return strings.TrimRight(b.String(), " ")
}

func (t *tableRows) end(_ bool, err error) error {
	if !t.begun && (len(t.held) > 0 || t.heads != nil && err == nil) {
		err = errors.Join(err, t.begin())
	}
	return errors.Join(err, t.w.Flush())
}

// csvRows prints CSV.
type csvRows struct{ w *csv.Writer }

func newCSVRows(w io.Writer) *csvRows { return &csvRows{csv.NewWriter(w)} }

// Columns implements sql.Rows.
func (c *csvRows) Columns(names []string) error { return c.w.Write(names) }

// Row implements sql.Rows.
func (c *csvRows) Row(values []any) error {
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = cellText(v)
	}
	return c.w.Write(row)
}

func (c *csvRows) end(_ bool, err error) error {
	c.w.Flush()
	return errors.Join(err, c.w.Error())
}

// jsonRows prints one object whose key rows has an object for each row.
type jsonRows struct {
	w    *bufio.Writer
	keys []string // in JSON, with a colon
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

// appendJSONValue appends a value. JSON has no infinite numbers: they are texts.
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
	return columns.AppendJSON(dst, cellText(value))
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
