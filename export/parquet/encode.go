package parquet

import (
	"math"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/tracec/tracec"
)

// groupRows is the number of rows that DuckDB reads at once. Tests change it.
var groupRows = 122_880

// Sizes of files.
const (
	groupBytes  = 8 << 20  // bytes of columns before encoding
	copiedBytes = 12 << 20 // bytes of events before their conversion to columns: about as many rows
	pageBytes   = 128 << 10
	slab        = 512  // number of values that are converted at once
	sample      = 2048 // number of values for choosing encodings
	bloomBits   = 10   // bits for each distinct value: a false positive for one in a hundred missing values
)

var codec = &zstd.Codec{Level: zstd.SpeedFastest}

// choose chooses the encodings of a file from its first rows.
func choose(leaves []leaf, b *batch) {
	for i := range leaves {
		l := &leaves[i]
		c := &b.columns[l.column]
		switch {
		case l.as == asWall || i == 0 || l.field.boolean(): // times, and types without dictionaries in Parquet
		case l.as == asNames, l.as == asRecording:
			l.dict = true
		case l.as == asElements:
			for c.elem != nil {
				c = c.elem
			}
			l.dict = c.repeats()
		default:
			l.dict = c.repeats()
		}
	}
}

// repeats reports whether values repeat often enough for a dictionary.
func (c *column) repeats() bool {
	n := c.len()
	if n == 0 {
		return true
	}
	if c.storage == text {
		seen := map[string]bool{}
		for i := range min(n, sample) {
			from, to := c.span(i * (n / min(n, sample)))
			seen[string(c.bytes[from:to])] = true
		}
		return len(seen) <= max(min(n, sample)/2, 16)
	}
	seen := map[int64]bool{}
	for i := range min(n, sample) {
		seen[c.at(i*(n/min(n, sample)))] = true
	}
	return len(seen) <= max(min(n, sample)/4, 16)
}

// at returns the bits of a number.
func (c *column) at(i int) int64 {
	if c.storage == narrow {
		return int64(c.narrow[i])
	}
	return c.wide[i]
}

// encoder converts rows to pages. It is for one goroutine. For schemas that are known only at run
// time, the fastest function of the library is ColumnWriter.WriteRowValues with the values of one
// column at a time: 12 M events with 11 columns took 2 CPU-s. encoder converts few values of 24
// bytes at a time, so that they stay in the cache.
type encoder struct {
	pool   *pool
	values []pq.Value
	event  *tracec.Event // the current event of copies
	bits   []uint64
	piece  []byte // a piece in compact form
	packed []byte // the piece, compressed
}

// encode writes the values of a batch to the columns of a row group.
func (e *encoder) encode(to []*pq.ColumnWriter, leaves []leaf, b *batch) error {
	for i := range leaves {
		l := &leaves[i]
		c := &b.columns[l.column]
		var err error
		switch {
		case l.as == asElements:
			err = e.lists(to[i], l, c, b.rows)
		case l.as == asRecording:
			var id string
			if id, err = l.field.owner(); err == nil {
				err = e.constant(to[i], id, b.rows)
			}
		case l.as == asNames:
			err = e.named(to[i], l, c, b.rows)
		default:
			err = e.plain(to[i], l, c, b.rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// constant writes the same text for all rows.
func (e *encoder) constant(to *pq.ColumnWriter, text string, rows int) error {
	value := pq.ByteArrayValue([]byte(text))
	for rows > 0 {
		n := min(rows, slab)
		values := e.values[:n]
		for i := range values {
			values[i] = value
		}
		if _, err := to.WriteRowValues(values); err != nil {
			return err
		}
		rows -= n
	}
	return nil
}

// plain writes a column with one value in each row.
func (e *encoder) plain(to *pq.ColumnWriter, l *leaf, c *column, rows int) error {
	for from := 0; from < rows; from += slab {
		end := min(from+slab, rows)
		values := e.values[:end-from]
		switch {
		case c.storage == text:
			start, _ := c.span(from)
			for i, stop := range c.ends[from:end] {
				values[i] = pq.ByteArrayValue(c.bytes[start:stop:stop])
				start = int(stop)
			}
		case c.storage == narrow && l.field.float:
			for i, v := range c.narrow[from:end] {
				values[i] = pq.FloatValue(math.Float32frombits(uint32(v)))
			}
		case l.field.boolean():
			for i, v := range c.narrow[from:end] {
				values[i] = pq.BooleanValue(v != 0)
			}
		case c.storage == narrow:
			for i, v := range c.narrow[from:end] {
				values[i] = pq.Int32Value(v)
			}
		case l.field.float:
			for i, v := range c.wide[from:end] {
				values[i] = pq.DoubleValue(math.Float64frombits(uint64(v)))
			}
		default:
			add := int64(0)
			if l.as == asWall {
				add = l.field.wall
			}
			for i, v := range c.wide[from:end] {
				values[i] = pq.Int64Value(v + add)
			}
		}
		if err := e.write(to, values, c, from); err != nil {
			return err
		}
	}
	return nil
}

// write writes values of rows, starting at row from. Rows without a value are null.
func (e *encoder) write(to *pq.ColumnWriter, values []pq.Value, c *column, from int) error {
	e.values = values
	if c.optional {
		for i, level := range c.levels[from : from+len(values)] {
			if level < c.level {
				values[i] = pq.Value{}
			}
			values[i] = values[i].Level(0, int(level), 0)
		}
	}
	_, err := to.WriteRowValues(values)
	return err
}

// named writes the names of the values of a column.
func (e *encoder) named(to *pq.ColumnWriter, l *leaf, c *column, rows int) error {
	known := map[int64]pq.Value{}
	last, name := int64(0), pq.Value{}
	for from := 0; from < rows; from += slab {
		values := e.values[:0]
		for i := from; i < min(from+slab, rows); i++ {
			v := c.at(i)
			if !c.has(i) {
				values = append(values, pq.Value{})
				continue
			}
			if v != last || name.IsNull() {
				found, ok := known[v]
				if !ok {
					found = nameOf(l.field, v)
					known[v] = found
				}
				last, name = v, found
			}
			values = append(values, name)
		}
		if err := e.write(to, values, c, from); err != nil {
			return err
		}
	}
	return nil
}

// nameOf returns the name of a value of a field.
func nameOf(f *field, v int64) pq.Value {
	if f.storage == narrow && f.unsigned {
		v = int64(uint32(v))
	}
	b, _ := f.names.AppendName(nil, uint64(v))
	return pq.ByteArrayValue(appendValid(nil, b))
}

// lists writes a column with any number of values in each row.
func (e *encoder) lists(to *pq.ColumnWriter, l *leaf, c *column, rows int) error {
	e.values = e.values[:0]
	for i := range rows {
		e.levels(l.field, c, i, 0, 0, 0)
		if len(e.values) >= slab || i == rows-1 {
			if _, err := to.WriteRowValues(e.values); err != nil {
				return err
			}
			e.values = e.values[:0]
		}
	}
	return nil
}

// levels appends value i of a column with its repetition and definition level. For a list it
// appends the elements. depth is the number of lists around the value.
func (e *encoder) levels(f *field, c *column, i, repetition, definition, depth int) {
	if c.optional {
		definition += int(c.levels[i])
	}
	switch {
	case !c.has(i):
		e.values = append(e.values, pq.Value{}.Level(repetition, definition, 0))
	case f.storage != repeated:
		e.values = append(e.values, c.value(i, f.float).Level(repetition, definition, 0))
	default:
		from, end := c.span(i)
		if from == end {
			e.values = append(e.values, pq.Value{}.Level(repetition, definition, 0))
		}
		for j := from; j < end; j++ {
			e.levels(f.elem, c.elem, j, repetition, definition+1, depth+1)
			repetition = depth + 1
		}
	}
}

// value returns a value of a column.
func (c *column) value(i int, float bool) pq.Value {
	switch {
	case c.storage == text:
		from, to := c.span(i)
		return pq.ByteArrayValue(c.bytes[from:to:to])
	case c.storage == narrow && float:
		return pq.FloatValue(math.Float32frombits(uint32(c.narrow[i])))
	case c.storage == narrow:
		return pq.Int32Value(c.narrow[i])
	case float:
		return pq.DoubleValue(math.Float64frombits(uint64(c.wide[i])))
	}
	return pq.Int64Value(c.wide[i])
}
