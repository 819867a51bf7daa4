package parquet

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"math"

	"github.com/tracec/tracec"
)

// table holds the rows of one kind of event of a recording.
type table struct {
	event  string // name of its partition
	fields []*field
	nulls  func() *table // returns the table for rows that lack a value; nil in that table itself
	lacks  *table        // cached result of nulls
	copied bool          // events are copied first, and converted to columns later
	fixed  int           // bytes of a row without its texts and lists
	most   int           // bytes of a row group
	pool   *pool
	part   *part
	turn   int // number of the last flush

	rows   int
	size   int   // bytes of the rows in memory, uncompressed
	last   loose // the last rows
	packed packed
	times  times
	before sizes // sizes of the previous piece
}

// packed holds the earlier rows of a table.
type packed struct {
	pieces []*piece
	kept   int // number of pieces in the temporary file
	away   int // their size in bytes
}

// times describes the times of the rows of a table.
type times struct {
	low, high uint64
	now       int64 // time of the last row
	mixed     bool  // times step back
}

var noTimes = times{low: math.MaxUint64, now: math.MinInt64}

// sizes holds the number of rows of a piece and the bytes of each of its columns.
type sizes struct {
	rows  int
	bytes []int
}

// fieldsOf returns the columns of the events of a type. With nulls, all of them are optional.
func fieldsOf(t *tracec.Type, o *shape, nulls bool) []*field {
	list := o.common(nulls)
	names := newNames()
	if len(t.Fields) == 0 {
		list = append(list, data())
	}
	for i := range t.Fields {
		if d := &t.Fields[i]; !sameAs(d) {
			name := names.take(d.Name)
			for _, f := range fieldsAt(t, i, nulls) {
				f.name = name
				list = append(list, f)
			}
		}
	}
	if o.text {
		list = append(list, texts())
	}
	return list
}

// sameAs reports whether a field repeats the partition or a column of all tables.
func sameAs(d *tracec.Field) bool {
	return d.Common && (d.Name == "common_type" || d.Name == "common_pid")
}

// newTable returns a table without rows.
func newTable(event string, fields []*field) *table {
	t := &table{event: event, fields: fields, most: groupBytes, times: noTimes}
	t.before.bytes = make([]int, len(fields))
	for _, f := range fields {
		if t.fixed += 4; f.storage == wide {
			t.fixed += 4
		}
		if f.optional {
			t.fixed++
		}
	}
	return t
}

// copy makes t a table of copied events.
func (t *table) copy() *table {
	t.copied, t.most = true, copiedBytes
	return t
}

// newBatch returns a batch for the rows of a table, with the capacity of the previous one.
func (t *table) newBatch() *batch {
	b := newBatch(t.fields)
	for i := range t.fields {
		t.pool.slabs.grow(&b.columns[i], t.before.rows, t.before.bytes[i])
	}
	return b
}

// append adds a row and returns its size in bytes. It returns 0 if the event lacks a required
// value.
func (t *table) append(ev *tracec.Event) int {
	n := 0
	if t.copied {
		n = t.add(ev)
	} else {
		if t.last.batch == nil {
			t.last.batch = t.newBatch()
		}
		var ok bool
		if n, ok = t.last.batch.append(t.fields, ev, false); ok {
			n += t.fixed
		}
	}
	if n > 0 {
		t.rows++
		t.size += n
		time := int64(ev.Time)
		t.times.mixed = t.times.mixed || time < t.times.now
		t.times.now = time
	}
	return n
}

// add is append for a table of copied events. The event always fits, since a piece has fewer bytes.
func (t *table) add(ev *tracec.Event) int {
	if t.nulls != nil && !(ev.Time <= math.MaxInt64 && ev.CPU >= 0 && ev.Task >= 0 && ev.Whole()) {
		return 0
	}
	if t.last.copies == nil {
		t.last.copies = t.pool.newCopies(t.before.rows >= pieceRows/2)
	}
	before := t.last.copies.Bytes()
	t.last.copies.Add(ev)
	return t.last.copies.Bytes() - before
}

// append adds a row, and returns the size in bytes of its texts and lists. If numbers is set, the
// numbers of the row are already in the columns. append returns false, and adds nothing, if the
// event lacks the value of a required field.
func (b *batch) append(fields []*field, ev *tracec.Event, numbers bool) (n int, ok bool) {
	for i, f := range fields {
		if numbers && f.ofNumbers() {
			continue
		}
		c := &b.columns[i]
		ok := false
		if f.bits != ofPut {
			ok = c.number(ev, f.bits)
		} else {
			before := c.variable()
			ok = f.put(ev, c)
			n += c.variable() - before
		}
		if !ok {
			for j := range i {
				b.columns[j].truncate(b.rows)
			}
			return 0, false
		}
	}
	b.rows++
	return n, true
}

// number appends a number of an event. If it is missing and the column is not optional, number
// returns false and appends nothing.
func (c *column) number(ev *tracec.Event, from int) bool {
	var v uint64
	ok := true
	switch from {
	case ofTime:
		v, ok = ev.Time, ev.Time <= math.MaxInt64
	case ofCPU:
		v, ok = uint64(ev.CPU), ev.CPU >= 0
	case ofTask:
		v, ok = uint64(ev.Task), ev.Task >= 0
	case ofProcess:
		pid := ev.Process()
		v, ok = uint64(pid), pid >= 0
	case ofLost:
		v, ok = uint64(ev.Lost), ev.Lost > 0
	default:
		v, ok = ev.Bits(from)
	}
	if c.optional {
		level := c.level
		if !ok {
			level = 0
		}
		c.levels = append(c.levels, level)
	} else if !ok {
		return false
	}
	if c.storage == narrow {
		c.narrow = append(c.narrow, int32(v))
	} else {
		c.wide = append(c.wide, int64(v))
	}
	return true
}

// eventName returns the name of a type for the partition.
func eventName(t *tracec.Type) string {
	name := t.Name
	if t.System != "" {
		name = t.System + "." + name
	}
	if t.Exit {
		name += ".return"
	}
	return name
}

// describe returns a hash of the description of a type.
func describe(t *tracec.Type) [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %v\n", t.System, t.Name, t.Label, t.Exit)
	describeFields(h, t.Fields)
	return [sha256.Size]byte(h.Sum(nil))
}

func describeFields(h hash.Hash, fields []tracec.Field) {
	for i := range fields {
		d := &fields[i]
		fmt.Fprintf(h, "%q %q %v %v %d %v %v %v\n", d.Name, d.Decl, d.Kind, d.Elem, d.Size, d.Named, d.Common,
			d.Optional)
		if d.Fields != nil {
			fmt.Fprintf(h, "%d parts\n", len(d.Fields))
			describeFields(h, d.Fields)
		}
	}
}
