package bind

import (
	"context"
	"errors"
	"slices"
	"unsafe"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Batch dispatches records and their entries, one for each, until a callback returns an error, which Batch returns.
func (b *Binding[E]) Batch(records []record.Record, entries []E) error {
	if len(b.targets) == 1 {
		return b.targets[0].Batch(b, records, entries[:len(records)])
	}
	for len(records) > 0 {
		part := b.part(&records[0])
		n := 1
		for n < len(records) && b.part(&records[n]) == part {
			n++
		}
		var err error
		if part < len(b.targets) {
			err = b.targets[part].Batch(b, records[:n], entries[:n])
		} else {
			err = b.other(&records[0], &entries[0]) // nothing is bound
			n = 1
		}
		if err != nil {
			return err
		}
		records, entries = records[n:], entries[n:]
	}
	return nil
}

// dispatch is [Binding.Batch] for a run of records of one stream, where what was lost before a record that nobody receives counts as lost before the next one.
func (b *Binding[E]) dispatch(records []record.Record, entries []E) error {
	b.run = records
	if len(b.owed) > 0 && len(records) > 0 {
		if n, ok := b.owed[records[0].Stream]; ok {
			b.lose(&records[0], n)
			delete(b.owed, records[0].Stream)
		}
	}
	err := b.Batch(records, entries)
	b.ended = err != nil
	if len(b.losers) > 0 {
		b.restore()
	}
	return err
}

// restore gives records the Lost that they had: streams use them again.
func (b *Binding[E]) restore() {
	for i, r := range slices.Backward(b.losers) {
		r.Lost = b.before[i]
	}
	b.losers, b.before = b.losers[:0], b.before[:0]
}

// begin prepares for runs, which end calls.
func (b *Binding[E]) begin() (end func()) {
	b.owed, b.ended = map[int32]int64{}, false
	return func() { b.run = nil }
}

// pass passes on what was lost before a record that nobody receives.
func (b *Binding[E]) pass(r *record.Record) {
	if r.Lost == 0 {
		return
	}
	for i := range b.run {
		if r != &b.run[i] {
			continue
		}
		if i+1 < len(b.run) {
			b.lose(&b.run[i+1], r.Lost)
		} else {
			b.owed[r.Stream] = r.Lost
		}
		return
	}
}

// lose has more been lost before a record of the run, as long as that is dispatched.
func (b *Binding[E]) lose(r *record.Record, n int64) {
	b.losers, b.before = append(b.losers, r), append(b.before, r.Lost)
	r.Lost = record.AddLost(n, r.Lost)
}

// Records returns o for a walk of the recording that b is bound to, until ctx is done. Without [Options.Other] it asks for the kinds of
// records that have a callback, so that containers pass over all others: those do not reach b, and Stats does not count them. What was lost
// before one of them counts as lost before the next record of its stream, as [record.Options] have it.
func (b *Binding[E]) Records(ctx context.Context, o record.Options) record.Options {
	o.Context = ctx
	if b.opts.Other != nil {
		return o
	}
	ids := []uint32{} // not nil, which is all
	for _, id := range b.ids {
		if o.HasID(id) {
			ids = append(ids, id)
		}
	}
	o.IDs = ids
	return o
}

// part returns the part that a record goes to: that of its event, else the first.
func (b *Binding[E]) part(r *record.Record) int {
	if at := uint(r.ID - b.first); at < uint(len(b.table)) {
		return int(b.table[at].slot >> slotBits)
	}
	return 0
}

// Record dispatches one record. It reports whether a callback of its event received it, and returns the error of the callback. x may be nil
// where records come without entries.
func (b *Binding[E]) Record(r *record.Record, x *E) (bool, error) {
	before := b.Stats
	if x == nil {
		x = new(E)
	}
	err := b.Batch(unsafe.Slice(r, 1), unsafe.Slice(x, 1))
	return b.Stats == before, err
}

// Slot returns the slot of a record that can be used as it is, -1 for any other. It is for generated code, as the methods after it.
func (b *Binding[E]) Slot(r *record.Record) int {
	if at := uint(r.ID - b.first); at < uint(len(b.table)) {
		if e := b.table[at]; uint64(len(r.Data)) >= uint64(e.min) {
			return int(e.slot & slotMask)
		}
	}
	return -1
}

// SlotSequential is Slot for a record of a sequential event, whose decoder looks at the length itself.
func (b *Binding[E]) SlotSequential(r *record.Record) int {
	if at := uint(r.ID - b.first); at < uint(len(b.sequential)) {
		return int(b.sequential[at])
	}
	return -1
}

// SlotText returns the slot of a record that has a text and can be used as it is, -1 for any other.
func (b *Binding[E]) SlotText(r *record.Record) int {
	if at := uint(r.ID - b.first); at < uint(len(b.texts)) {
		if e := b.texts[at]; uint64(len(r.Data)) >= uint64(e.min) {
			return int(e.slot & slotMask)
		}
	}
	return -1
}

// Move returns the slot of a record for which Slot returned -1, and its data in the compiled layout. A slot of -1 says that the record has
// no callback, or is too short for it; the error is then that of Options.Other or Short.
func (b *Binding[E]) Move(r *record.Record, x *E) (slot int, data *[]byte, err error) {
	at := uint(r.ID - b.first)
	if at >= uint(len(b.table)) || b.table[at].min == never {
		return -1, nil, b.other(r, x)
	}
	var ok bool
	if b.data, ok = b.bound[at].laidOut(&b.moved, r.Data); !ok {
		return -1, nil, b.Short(r, x)
	}
	return int(b.table[at].slot&slotMask) + b.bound[at].wide, &b.data, nil
}

// other deals with a record without a callback.
func (b *Binding[E]) other(r *record.Record, x *E) error {
	b.Stats.Other++
	if b.opts.Other != nil {
		return b.opts.Other(r, x)
	}
	b.pass(r)
	return nil
}

// Short deals with a record that ends before its event does.
func (b *Binding[E]) Short(r *record.Record, x *E) error {
	b.Stats.Short++
	switch {
	case b.opts.Short != nil:
		return b.opts.Short(r, x)
	case b.opts.Other != nil:
		return b.opts.Other(r, x)
	}
	b.pass(r)
	return nil
}

// laidOut returns data in the compiled layout: themselves or a copy in s.buf. It returns false when they are too short.
func (e *bound) laidOut(s *scratch, data []byte) ([]byte, bool) {
	if len(data) < e.size {
		return nil, false
	}
	if e.plan != nil {
		return e.plan.relocate(s, data)
	}
	if len(data) >= e.event.Struct {
		return data, true
	}
	// The struct's padding reaches beyond the record. The copy has room for it after its end.
	s.buf = append(slices.Grow(s.buf[:0], e.event.Struct), data...)
	clear(s.buf[len(data):e.event.Struct])
	return s.buf, true
}

// AppendText appends the text of a record. It returns false, and dst as it was, for events that are not bound or have no text. The text of
// a short record says so.
func (b *Binding[E]) AppendText(dst []byte, r *record.Record, x *E, env *render.Env) ([]byte, bool) {
	at := uint(r.ID - b.first)
	if at >= uint(len(b.texts)) || b.texts[at].min == never {
		return dst, false
	}
	e, data := b.texts[at], &r.Data
	if uint64(len(r.Data)) < uint64(e.min) {
		var ok bool
		if b.shown, ok = b.bound[at].laidOut(&b.said, r.Data); !ok {
			return b.bound[at].short(dst, len(r.Data)), true
		}
		data = &b.shown
	}
	return b.renderers[e.slot>>slotBits].Text(int(e.slot&slotMask), dst, data, x, env)
}

// short appends that n bytes are too few, nothing for a sequential event, whose values are what is missing.
func (e *bound) short(dst []byte, n int) []byte {
	if e.event.Sequential {
		return dst
	}
	return render.Short(dst, n, e.size)
}

// InTimeOrder dispatches what m yields, and closes it. A stream that fails is left out from then on; an error of a
// callback ends the walk, [record.ErrStop] without an error. A walk to the end returns a [record.DamageError] where parts
// of rec, which may be nil, could not be read. The errors are joined.
func (b *Binding[E]) InTimeOrder(rec record.Recording, m *record.Merger[E]) error {
	defer b.begin()()
	return b.end(rec, m.EachRun(b.dispatch))
}

// InStreamOrder dispatches the records of one stream after the other, which is faster. Record.Stream is the
// position of the stream. Errors are those of [Binding.InTimeOrder].
func InStreamOrder[E any, S record.Stream[E]](b *Binding[E], rec record.Recording, streams []S) error {
	defer b.begin()()
	return b.end(rec, record.InStreamOrder(streams, b.dispatch))
}

// end joins the error of a walk with that of damage to rec, unless a callback or the context ended it: how far streams
// had been read then is chance.
func (b *Binding[E]) end(rec record.Recording, err error) error {
	if b.ended || rec == nil || isContext(err) {
		return err
	}
	return joined(err, record.Damaged(rec))
}

// isContext reports whether err is that of a context which is done.
func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// Plain returns f for a container whose records come without entries; nil for nil.
func Plain(f func(r *record.Record) error) func(*record.Record, *record.None) error {
	if f == nil {
		return nil
	}
	return func(r *record.Record, _ *record.None) error { return f(r) }
}
