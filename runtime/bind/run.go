package bind

import (
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Batch dispatches records.
func (b *Binding) Batch(batch []record.Record) {
	table, other := b.fast, b.hooks.Other
	unwanted := 0
	for i := range batch {
		r := &batch[i]
		if uint64(r.ID) < uint64(len(table)) {
			e := &table[r.ID]
			if len(r.Data) >= e.min {
				e.target.Event(e.slot, r)
				continue
			}
			if e.target != nil {
				b.slow(r)
				continue
			}
		}
		unwanted++
		if other != nil {
			other(r)
		}
	}
	b.Stats.Other += uint64(unwanted)
}

// Record dispatches one record and reports whether a callback of its event got it.
func (b *Binding) Record(r *record.Record) bool {
	if uint64(r.ID) < uint64(len(b.fast)) {
		e := &b.fast[r.ID]
		if len(r.Data) >= e.min {
			e.target.Event(e.slot, r)
			return true
		}
		if e.target != nil {
			return b.slow(r)
		}
	}
	b.Stats.Other++
	if b.hooks.Other != nil {
		b.hooks.Other(r)
	}
	return false
}

// slow handles the records of wanted events that the loop does not: to relocate, to pad, too short. It reports
// whether the callback got the record.
func (b *Binding) slow(r *record.Record) bool {
	e := &b.bound[r.ID]
	if len(r.Data) < e.size {
		b.Stats.Short++
		if b.hooks.Short != nil {
			b.hooks.Short(r)
		} else if b.hooks.Other != nil {
			b.hooks.Other(r)
		}
		return false
	}
	recorded := r.Data
	r.Data = e.laidOut(&b.buf, recorded)
	b.fast[r.ID].target.Event(e.slot, r)
	r.Data = recorded
	return true
}

// laidOut returns data, which has at least e.size bytes, in the compiled layout: data itself or a copy in buf.
func (e *bound) laidOut(buf *[]byte, data []byte) []byte {
	if e.plan != nil {
		*buf = e.plan.relocate(*buf, data)
		return *buf
	}
	if len(data) >= e.event.Struct {
		return data
	}
	// The struct's padding reaches beyond the record. The copy has room for it after its end.
	*buf = append(slices.Grow((*buf)[:0], e.event.Struct), data...)
	clear((*buf)[len(data):e.event.Struct])
	return *buf
}

// AppendText appends the text of a record, as recorded or as a callback got it. It returns false, and dst
// as it was, for events that are not bound or have no text. A short record says so.
func (b *Binding) AppendText(dst []byte, r *record.Record, env *render.Env) ([]byte, bool) {
	if uint64(r.ID) >= uint64(len(b.bound)) || b.bound[r.ID].text == nil {
		return dst, false
	}
	e := &b.bound[r.ID]
	if len(r.Data) < e.size {
		return short(dst, len(r.Data), e.size), true
	}
	recorded := r.Data
	if len(recorded) == 0 || cap(b.buf) == 0 || &recorded[0] != &b.buf[:1][0] { // else: what a callback was handed
		r.Data = e.laidOut(&b.text, recorded)
	}
	dst, ok := e.text.Text(e.slot, dst, r, env)
	r.Data = recorded
	return dst, ok
}

// short appends that a record is damaged, in the words of compiler/interp.
func short(dst []byte, have, need int) []byte {
	dst = append(dst, "[short record: "...)
	dst = render.Dec(dst, int64(have))
	dst = append(dst, " of "...)
	dst = render.Dec(dst, int64(need))
	return append(dst, " bytes]"...)
}

// InTimeOrder dispatches the records of all streams in time order, until all end. A stream that fails is left
// out from then on; the errors are joined.
func (b *Binding) InTimeOrder(streams []record.Stream[record.None]) error {
	return record.Merge(streams, nil).EachRun(b.run)
}

// InStreamOrder dispatches the records of one stream after the other, which is faster. Record.Stream is the
// position of the stream. A stream that fails is left; the errors are joined.
func (b *Binding) InStreamOrder(streams []record.Stream[record.None]) error {
	return record.InStreamOrder(streams, b.run)
}

func (b *Binding) run(records []record.Record, _ []record.None) { b.Batch(records) }
