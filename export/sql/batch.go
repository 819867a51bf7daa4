package sql

import "math"

// batch holds rows by column. Only columns that a query uses have values.
type batch struct {
	rows    int
	columns []vector
	bytes   int // number of bytes of texts
}

// vector holds the values of a column.
type vector struct {
	kind  valueKind
	used  bool
	ints  []int64  // integers, and the bits of floats
	ends  []uint32 // ends of texts and bytes in data
	nulls []bool
	data  []byte
	text  string // data as a string, once the batch is full
}

type valueKind uint8

const (
	integers valueKind = iota
	reals
	texts
	blobs
)

// typeNames holds the types of columns in SQL.
var typeNames = [...]string{integers: "INTEGER", reals: "REAL", texts: "TEXT", blobs: "BLOB"}

// newBatch returns an empty batch for some of the columns of a table.
func newBatch(columns []Column, used []bool) *batch {
	b := &batch{columns: make([]vector, len(columns))}
	for i, c := range columns {
		b.columns[i].used = used[i]
		for kind, name := range typeNames {
			if c.Type == name {
				b.columns[i].kind = valueKind(kind)
			}
		}
	}
	return b
}

// reset removes all rows.
func (b *batch) reset() {
	b.rows, b.bytes = 0, 0
	for i := range b.columns {
		v := &b.columns[i]
		v.ints, v.ends, v.nulls, v.data, v.text = v.ints[:0], v.ends[:0], v.nulls[:0], v.data[:0], ""
	}
}

// finish converts the texts to strings.
func (b *batch) finish() {
	for i := range b.columns {
		if v := &b.columns[i]; v.kind == texts && len(v.data) > 0 {
			v.text = string(v.data)
		}
	}
}

// size returns the approximate memory use.
func (b *batch) size() (n int64) {
	for i := range b.columns {
		v := &b.columns[i]
		n += int64(8*len(v.ints) + 4*len(v.ends) + len(v.nulls) + 2*len(v.data))
	}
	return n
}

func (v *vector) putInt(x int64) {
	v.ints = append(v.ints, x)
	v.nulls = append(v.nulls, false)
}

// putReal appends a float. NaN becomes NULL, since SQLite has none.
func (v *vector) putReal(x float64) {
	v.ints = append(v.ints, int64(math.Float64bits(x)))
	v.nulls = append(v.nulls, math.IsNaN(x))
}

func (v *vector) putText(s string) {
	v.data = append(v.data, s...)
	v.endBytes(true)
}

// endBytes ends a value that was appended to data.
func (v *vector) endBytes(ok bool) {
	v.ends = append(v.ends, uint32(len(v.data)))
	v.nulls = append(v.nulls, !ok)
}

func (v *vector) putNull() {
	if v.kind >= texts {
		v.endBytes(false)
		return
	}
	v.ints = append(v.ints, 0)
	v.nulls = append(v.nulls, true)
}

// value returns the value of a row.
func (v *vector) value(row int) any {
	if !v.used || v.nulls[row] {
		return nil
	}
	switch v.kind {
	case integers:
		return v.ints[row]
	case reals:
		return math.Float64frombits(uint64(v.ints[row]))
	}
	if v.kind == texts {
		return v.textAt(row)
	}
	from := v.begin(row)
	return v.data[from:v.ends[row]:v.ends[row]]
}

// textAt returns the text of a row.
func (v *vector) textAt(row int) string { return v.text[v.begin(row):v.ends[row]] }

// begin returns the start of the text of a row.
func (v *vector) begin(row int) uint32 {
	if row == 0 {
		return 0
	}
	return v.ends[row-1]
}
