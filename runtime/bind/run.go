package bind

import (
	"errors"
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// ErrShort is what the decoder of a sequential event returns for a record that ends before its values do.
var ErrShort = errors.New("the record ends before its values do")

// Batch dispatches records and their entries, one for each, until a callback returns an error, which Batch returns.
func (b *Binding[E]) Batch(records []record.Record, entries []E) error {
	entries = entries[:len(records)]
	table, first, targets := b.table, b.first, b.targets
	for i := range records {
		r := &records[i]
		if at := uint(r.ID - first); at < uint(len(table)) {
			e := table[at]
			if uint64(len(r.Data)) >= uint64(e.min) {
				if err := targets[e.slot>>slotBits].Event(int(e.slot&slotMask), r.Data, r, &entries[i]); err == nil {
					continue
				} else if err != ErrShort {
					return err
				}
				if err := b.short(r, &entries[i]); err != nil {
					return err
				}
				continue
			}
			if b.bound[at].wanted {
				if _, err := b.slow(&b.bound[at], r, &entries[i]); err != nil {
					return err
				}
				continue
			}
		}
		b.Stats.Other++
		if b.opts.Other != nil {
			if err := b.opts.Other(r, &entries[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Record dispatches one record. It reports whether a callback of its event received it, and returns the error of the callback.
func (b *Binding[E]) Record(r *record.Record, x *E) (bool, error) {
	if at := uint(r.ID - b.first); at < uint(len(b.table)) && b.bound[at].wanted {
		return b.slow(&b.bound[at], r, x)
	}
	b.Stats.Other++
	if b.opts.Other != nil {
		return false, b.opts.Other(r, x)
	}
	return false, nil
}

// slow dispatches a record of an event that has a callback, also one to relocate, to pad, or too short. It reports
// whether the callback received it.
func (b *Binding[E]) slow(e *bound[E], r *record.Record, x *E) (bool, error) {
	data, ok := e.laidOut(&b.buf, r.Data)
	if !ok {
		return false, b.short(r, x)
	}
	err := b.targets[e.slot>>slotBits].Event(int(e.slot&slotMask), data, r, x)
	if err == ErrShort {
		return false, b.short(r, x)
	}
	return true, err
}

// short deals with a damaged record.
func (b *Binding[E]) short(r *record.Record, x *E) error {
	b.Stats.Short++
	switch {
	case b.opts.Short != nil:
		return b.opts.Short(r, x)
	case b.opts.Other != nil:
		return b.opts.Other(r, x)
	}
	return nil
}

// laidOut returns data in the compiled layout: themselves or a copy in buf. It returns false when they are too short.
func (e *bound[E]) laidOut(buf *[]byte, data []byte) ([]byte, bool) {
	if len(data) < e.size {
		return nil, false
	}
	if e.plan != nil {
		moved, ok := e.plan.relocate(*buf, data)
		*buf = moved
		return moved, ok
	}
	if len(data) >= e.event.Struct {
		return data, true
	}
	// The struct's padding reaches beyond the record. The copy has room for it after its end.
	*buf = append(slices.Grow((*buf)[:0], e.event.Struct), data...)
	clear((*buf)[len(data):e.event.Struct])
	return *buf, true
}

// AppendText appends the text of a record. It returns false, and dst as it was, for events that are not bound or have no text. The text of
// a short record says so.
func (b *Binding[E]) AppendText(dst []byte, r *record.Record, x *E, env *render.Env) ([]byte, bool) {
	at := uint(r.ID - b.first)
	if at >= uint(len(b.bound)) || b.bound[at].text == nil {
		return dst, false
	}
	e := &b.bound[at]
	data, ok := e.laidOut(&b.text, r.Data)
	switch {
	case ok:
		return e.text.Text(int(e.slot&slotMask), dst, data, x, env)
	case e.event.Sequential:
		return dst, true
	}
	return render.Short(dst, len(r.Data), e.size), true
}

// InTimeOrder dispatches what m yields, and closes it. A stream that fails is left out from then on; an error of a callback ends the walk, [record.ErrStop]
// without an error. The errors are joined.
func (b *Binding[E]) InTimeOrder(m *record.Merger[E]) error { return m.EachRun(b.Batch) }

// InStreamOrder dispatches the records of one stream after the other, which is faster. Record.Stream is the
// position of the stream. Errors are those of [Binding.InTimeOrder].
func InStreamOrder[E any, S record.Stream[E]](b *Binding[E], streams []S) error {
	return record.InStreamOrder(streams, b.Batch)
}

// Plain returns f for a container whose records come without entries; nil for nil.
func Plain(f func(r *record.Record) error) func(*record.Record, *record.None) error {
	if f == nil {
		return nil
	}
	return func(r *record.Record, _ *record.None) error { return f(r) }
}
