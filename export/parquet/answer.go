package parquet

import (
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"
)

// Rows writes rows of values to one Parquet file, such as the answer to an SQL query. The first
// rows determine the types of the columns.
type Rows struct {
	w     io.Writer
	names []string
	held  [][]any // the first rows, until the types are known
	kinds []rowKind
	out   *pq.GenericWriter[any]
	// columns holds the values of a batch, column by column, and text the bytes of its texts.
	// Writing single rows takes twice the time.
	columns [][]pq.Value
	text    []byte
	grouped int // rows written to the current row group
}

// rowKind is the type of a column. Types are ordered from NULL to types that can hold the values of
// earlier ones.
type rowKind uint8

const (
	rowNull rowKind = iota
	rowInt
	rowFloat
	rowText
	rowBytes
)

const (
	decidingRows = 4096 // number of rows that determine the types
	batchRows    = 1024 // maximum number of rows to write at once
	batchBytes   = 256 << 10
)

// NewRows returns a writer of rows with columns of these names. Names in a file are unique: a
// repeated name gets a number.
func NewRows(w io.Writer, names []string) *Rows {
	taken := columnNames{}
	r := &Rows{w: w, kinds: make([]rowKind, len(names))}
	for _, name := range names {
		r.names = append(r.names, taken.number(name))
	}
	return r
}

// kindOfValue returns the type of a column for a value.
func kindOfValue(value any) rowKind {
	switch value.(type) {
	case int64:
		return rowInt
	case float64:
		return rowFloat
	case string:
		return rowText
	case []byte:
		return rowBytes
	}
	return rowNull
}

// Add adds a row of values that are nil, int64, float64, string or []byte. An integer in a column
// of floats becomes a float. Any other value whose type differs from the column is an error.
func (r *Rows) Add(values []any) error {
	if r.out != nil {
		return r.write(values)
	}
	row := make([]any, len(values))
	for i, v := range values {
		if b, ok := v.([]byte); ok {
			v = append([]byte{}, b...)
		}
		row[i] = v
		r.kinds[i] = max(r.kinds[i], kindOfValue(v))
	}
	if r.held = append(r.held, row); len(r.held) == decidingRows {
		return r.begin()
	}
	return nil
}

// begin determines the types and writes the held rows.
func (r *Rows) begin() error {
	g := &group{}
	for i, name := range r.names {
		node := pq.String()
		switch r.kinds[i] {
		case rowInt:
			node = pq.Int(64)
		case rowFloat:
			node = pq.Leaf(pq.DoubleType)
		case rowBytes:
			node = pq.Leaf(pq.ByteArrayType)
		}
		g.fields = append(g.fields, &child{pq.Optional(node), name})
	}
	r.out = pq.NewGenericWriter[any](r.w, pq.NewSchema("rows", g), pq.Compression(&pq.Zstd))
	r.columns = make([][]pq.Value, len(r.names))
	for _, row := range r.held {
		if err := r.write(row); err != nil {
			return err
		}
	}
	r.held = nil
	return nil
}

func (r *Rows) write(values []any) error {
	for i, v := range values {
		value, ok := r.value(i, v)
		if !ok {
			return fmt.Errorf("column %s has values of several types; cast(%s as text) makes them one", r.names[i],
				r.names[i])
		}
		defined := 1
		if v == nil {
			defined = 0
		}
		r.columns[i] = append(r.columns[i], value.Level(0, defined, i))
	}
	if len(r.columns[0]) < batchRows && len(r.text) < batchBytes {
		return nil
	}
	return r.flush()
}

// flush writes the batch. It ends the row group once it has the number of rows that DuckDB reads at
// once.
func (r *Rows) flush() error {
	for i, w := range r.out.ColumnWriters() {
		if _, err := w.WriteRowValues(r.columns[i]); err != nil {
			return err
		}
	}
	r.grouped += len(r.columns[0])
	for i := range r.columns {
		r.columns[i] = r.columns[i][:0]
	}
	r.text = r.text[:0]
	if r.grouped < groupRows {
		return nil
	}
	r.grouped = 0
	return r.out.Flush()
}

// value returns a value for a column. It returns false for a value of the wrong type.
func (r *Rows) value(i int, v any) (pq.Value, bool) {
	kind := r.kinds[i]
	switch v := v.(type) {
	case nil:
		return pq.NullValue(), true
	case int64:
		if kind == rowFloat {
			return pq.DoubleValue(float64(v)), true
		}
		return pq.Int64Value(v), kind == rowInt
	case float64:
		return pq.DoubleValue(v), kind == rowFloat
	case string:
		at := len(r.text)
		r.text = append(r.text, v...)
		return pq.ByteArrayValue(r.text[at:len(r.text):len(r.text)]), kind == rowText || kind == rowNull
	case []byte:
		at := len(r.text)
		r.text = append(r.text, v...)
		return pq.ByteArrayValue(r.text[at:len(r.text):len(r.text)]), kind == rowBytes
	}
	return pq.NullValue(), false
}

// Close ends the file.
func (r *Rows) Close() error {
	if r.out == nil {
		if err := r.begin(); err != nil {
			return err
		}
	}
	if err := r.flush(); err != nil {
		return err
	}
	return r.out.Close()
}
