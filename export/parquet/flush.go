package parquet

import (
	"cmp"
	"slices"
)

// flush encodes the rows of a table.
func (w *writer) flush(t *table) {
	if t.rows == 0 {
		return
	}
	w.makeRoom(t)
	p := t.part
	p.rows += int64(t.rows)
	p.first, p.till = min(p.first, t.times.low), max(p.till, t.times.high)
	w.memory.buffered -= t.size
	mixed := t.times.mixed && t.fields[0].bits == ofTime // rows of derived tables remain in the order of their ends
	w.pool.put(p, rows{fields: t.fields, pieces: t.packed.pieces, last: t.take(), count: t.rows, mixed: mixed,
		spill: &w.files.spill})
	t.packed, t.times, t.size, t.rows = packed{}, noTimes, 0, 0
}

// mostOpen bounds the number of files that are written at once. Each takes memory, with a
// dictionary for each column.
var mostOpen = 256 // tests change it

// makeRoom ends the least recently written file if there are too many. It runs before the first
// rows of a table are written.
func (w *writer) makeRoom(t *table) {
	w.files.flushes++
	t.turn = w.files.flushes
	if t.part.rows > 0 {
		return
	}
	if w.files.open++; w.files.open <= mostOpen {
		return
	}
	var oldest *table
	for _, x := range w.open.tables {
		if x != t && x.part.rows > 0 && (oldest == nil || x.turn < oldest.turn) {
			oldest = x
		}
	}
	if oldest != nil {
		w.pool.end(oldest.part)
		w.newPart(oldest)
		w.files.open--
	}
}

// spread is the number of bytes of rows that are read before the largest table is encoded.
// Otherwise tables of equally frequent events would all be full at the same time. Then the reader
// would wait for the encoders, and later the encoders for the reader.
var spread = 8 << 20 // tests change it

// pace encodes the largest table after each spread bytes.
func (w *writer) pace(n int) {
	if w.memory.paced += n; w.memory.paced < spread {
		return
	}
	w.memory.paced = 0
	largest := slices.MaxFunc(w.open.tables, func(a, b *table) int { return cmp.Compare(a.size, b.size) })
	if largest.size >= leastGroup {
		w.flush(largest)
	}
}

// leastGroup is the minimum size of a row group that is written before it is full.
var leastGroup = 512 << 10 // tests change it

// relieve encodes the largest tables, until half of the memory is free. If all tables are small, it
// moves their rows to the temporary file.
func (w *writer) relieve() error {
	bySize := slices.SortedStableFunc(slices.Values(w.open.tables),
		func(a, b *table) int { return cmp.Compare(b.size, a.size) })
	for _, t := range bySize {
		if w.memory.buffered <= w.memory.budget/2 || t.size < leastGroup {
			break
		}
		w.flush(t)
	}
	if w.memory.buffered <= w.memory.budget/2 {
		return nil
	}
	for _, t := range bySize {
		if t.size == 0 {
			continue
		}
		if t.last.rows() > 0 {
			t.pack()
		}
		for ; t.packed.kept < len(t.packed.pieces); t.packed.kept++ {
			if err := t.packed.pieces[t.packed.kept].away(w.pool, &w.files.spill); err != nil {
				return err
			}
		}
		w.memory.buffered -= t.size
		t.packed.away, t.size = t.packed.away+t.size, 0
	}
	return nil
}

// endTables ends all tables of the day.
func (w *writer) endTables() {
	for _, t := range w.open.tables {
		w.flush(t)
		if t.part.rows > 0 {
			w.pool.end(t.part)
		}
	}
	w.files.open = 0
	w.open = openTables{}
}
