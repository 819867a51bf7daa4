package parquet

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// batch holds rows of a table as columns.
type batch struct {
	columns []column // the first is the time
	rows    int
}

// newBatch returns a batch without rows.
func newBatch(fields []*field) *batch {
	b := &batch{columns: make([]column, len(fields))}
	for i, f := range fields {
		b.columns[i] = newColumn(f)
	}
	return b
}

// reset removes all rows and keeps the memory for reuse.
func (b *batch) reset() {
	b.rows = 0
	for i := range b.columns {
		b.columns[i].truncate(0)
	}
}

// sort sorts rows by time. Rows with the same time keep their order.
func (b *batch) sort() {
	times := &b.columns[0]
	order := make([]int32, b.rows)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(times.wide[i], times.wide[j]) })
	for i := range b.columns {
		b.columns[i] = b.columns[i].gather(order)
	}
}

// appendTo appends the rows as bytes.
func (b *batch) appendTo(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(b.rows))
	for i := range b.columns {
		dst = b.columns[i].appendTo(dst)
	}
	return dst
}

// takeFrom appends the rows of another batch of the table, encoded by appendTo.
func (b *batch) takeFrom(src []byte) {
	b.rows += int(binary.LittleEndian.Uint64(src))
	src = src[8:]
	for i := range b.columns {
		src = b.columns[i].takeFrom(src)
	}
}
