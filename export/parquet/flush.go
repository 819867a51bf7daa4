package parquet

import (
	"cmp"
	"math"
	"slices"
)

// flush has the rows of a table encoded.
func (w *writer) flush(t *table) {
	if t.rows == 0 {
		return
	}
	w.makeRoom(t)
	p := t.part
	p.rows += int64(t.rows)
	p.first, p.till = min(p.first, t.lo), max(p.till, t.hi)
	w.buffered -= t.size
	if t.before = t.rows; t.batch != nil {
		t.before = t.batch.rows
		for i := range t.batch.columns {
			t.bytes[i] = len(t.batch.columns[i].bytes)
		}
	}
	w.pool.put(p, rows{fields: t.fields, batch: t.batch, copies: t.copies, kept: t.kept, count: t.rows, spill: &w.spill})
	t.batch, t.copies, t.kept, t.size, t.away, t.rows = nil, nil, nil, 0, 0, 0
	t.lo, t.hi = math.MaxUint64, 0
}

// mostOpen bounds the files that are written at once: each takes memory, a dictionary for each column.
var mostOpen = 256 // tests change it

// makeRoom ends the file that was written to least lately when there are too many, before the first rows of a table are written.
func (w *writer) makeRoom(t *table) {
	w.flushes++
	t.turn = w.flushes
	if t.part.rows > 0 {
		return
	}
	if w.open++; w.open <= mostOpen {
		return
	}
	var oldest *table
	for _, x := range w.tables {
		if x != t && x.part.rows > 0 && (oldest == nil || x.turn < oldest.turn) {
			oldest = x
		}
	}
	if oldest != nil {
		w.pool.end(oldest.part)
		w.newPart(oldest)
		w.open--
	}
}

// spread is how many bytes of rows are read before the largest table is encoded. Tables of events that are as frequent would all be full at the same time
// otherwise: their reader would wait for the encoders, and then they for it.
const spread = 8 << 20

// pace has the largest table encoded when it is time.
func (w *writer) pace(n int) {
	if w.paced += n; w.paced < spread {
		return
	}
	w.paced = 0
	largest := slices.MaxFunc(w.tables, func(a, b *table) int { return cmp.Compare(a.size, b.size) })
	if largest.size >= leastGroup {
		w.flush(largest)
	}
}

// leastGroup is the size of a row group that is written before it is full.
const leastGroup = 512 << 10

// relieve has the largest batches encoded, until half of the memory is free. Where all are small they go to the temporary file.
func (w *writer) relieve() error {
	bySize := slices.SortedStableFunc(slices.Values(w.tables), func(a, b *table) int { return cmp.Compare(b.size, a.size) })
	for _, t := range bySize {
		if w.buffered <= w.budget/2 || t.size < leastGroup {
			break
		}
		w.flush(t)
	}
	if w.buffered <= w.budget/2 {
		return nil
	}
	for _, t := range bySize {
		if t.size == 0 {
			continue
		}
		b, err := t.batch, error(nil)
		if t.copies != nil {
			b, err = w.pool.columns(t.fields, t.copies, &w.own)
		}
		if err != nil {
			return err
		}
		x, err := w.spill.put(b)
		if err != nil {
			return err
		}
		w.buffered -= t.size
		t.kept, t.away = append(t.kept, x), t.away+t.size
		t.batch, t.copies, t.size = nil, nil, 0
	}
	return nil
}

// endTables ends all tables of the day.
func (w *writer) endTables() {
	for _, t := range w.tables {
		w.flush(t)
		if t.part.rows > 0 {
			w.pool.end(t.part)
		}
	}
	w.open = 0
	w.tables, w.slots, w.all, w.losses, w.sides = nil, nil, nil, nil, [4]*table{}
}
