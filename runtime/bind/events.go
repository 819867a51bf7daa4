package bind

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// errLoop is the error of a loop within a loop.
var errLoop = errors.New("a Decoder has one loop at a time: Clone it for a loop within a loop")

// Events reads the records that o selects, in the order of time, and yields them with their events.
// The events are pointers to the types of the generated package, for a type switch. Records of
// other events are not read, unless [All] was an option of Bind. Losses before a skipped record
// count as losses before the next record of its stream.
//
// If a stream fails, the others continue, so an error does not belong to one event: call
// [Decoder.Err] after the loop. Record and event are valid until the next step. ctx replaces
// o.Context.
func (d *Decoder[E]) Events(ctx context.Context, o record.Options) iter.Seq2[*record.Record, any] {
	return func(yield func(*record.Record, any) bool) {
		if d.loop {
			d.err = errLoop // and the error remains after the loop around this one has ended
			return
		}
		d.stats, d.err = Stats{}, nil
		o := d.Select(o)
		o.Context = ctx
		left, err := d.slice(d.container.Merge(o), nil, yield)
		if !left {
			err = withDamage(err, d.container.Recording)
		}
		d.err = joined(d.err, err)
	}
}

// slice yields the events of m, and closes it. owed holds the losses before it. It reports whether
// the loop was left before its end, and returns the errors of streams.
func (d *Decoder[E]) slice(
	m *record.Merger[E], owed map[int32]int64, yield func(*record.Record, any) bool,
) (left bool, err error) {
	d.loop = true
	defer func() { d.loop, d.entry = false, nil }() // even if the body of the loop panics
	d.losses.reset(owed)
	err = m.EachRun(func(records []record.Record, entries []E) error {
		if left = !d.run(records, entries, yield); left {
			return record.ErrStop
		}
		return nil
	})
	return left, err
}

// Select returns o limited to the records that d decodes, for loops that call [Decoder.Decode].
func (d *Decoder[E]) Select(o record.Options) record.Options {
	if d.opts.all {
		return o
	}
	ids := []uint32{} // not nil, which selects all
	for _, id := range d.ids {
		if o.HasID(id) {
			ids = append(ids, id)
		}
	}
	o.IDs = ids
	return o
}

// Decode returns the event of a record: a pointer to a type of the generated package, nil if d does
// not decode it, or a *[Short]. x may be nil if the container has no entries. The event is valid as
// long as the record, and until the next call. Decode does not change Stats and Record.Lost.
// [Decoder.Events], in contrast, adds losses before skipped records to the next record.
func (d *Decoder[E]) Decode(r *record.Record, x *E) any {
	at := uint(r.ID - d.first)
	if at >= uint(len(d.table)) {
		return nil
	}
	e, data := &d.table[at], r.Data
	if uint64(len(data)) < uint64(e.min) {
		if e.min == never {
			return nil
		}
		var ok bool
		if data, ok = d.bound[at].laidOut(&d.moved, data); !ok {
			return &short
		}
	}
	if e.typ != nil {
		return view(e.typ, data)
	}
	if ev := d.targets[e.slot>>slotBits].Decode(int(e.slot&slotMask), data, r, x, d.opts.env); ev != nil {
		return ev
	}
	return &short
}

// Event returns the event type of a record, or nil if d does not decode it.
func (d *Decoder[E]) Event(r *record.Record) *Event {
	at := uint(r.ID - d.first)
	if at >= uint(len(d.table)) || d.table[at].min == never {
		return nil
	}
	return d.bound[at].event
}

// run yields the records of a run of one stream. It returns false when the loop ends.
func (d *Decoder[E]) run(records []record.Record, entries []E, yield func(*record.Record, any) bool) bool {
	d.losses.begin(records)
	defer d.losses.end()
	for i := range records {
		r := &records[i]
		d.entry = &entries[i]
		var ev any
		if at := uint(r.ID - d.first); at < uint(len(d.table)) && d.table[at].typ != nil &&
			uint64(len(r.Data)) >= uint64(d.table[at].min) {
			ev = view(d.table[at].typ, r.Data)
		} else if ev = d.Decode(r, d.entry); ev == nil || ev == any(&short) {
			if ev == nil {
				d.stats.Other++
			} else {
				d.stats.Short++
			}
			if !d.opts.all {
				d.losses.pass(i)
				continue
			}
		}
		if !yield(r, ev) {
			return false
		}
	}
	return true
}

// laidOut returns a copy of data in s.buf, for data that are shorter than entry.min or must be
// relocated. It returns false if data end before the event does.
func (e *bound) laidOut(s *scratch, data []byte) ([]byte, bool) {
	if len(data) < e.size {
		return nil, false
	}
	if e.plan != nil {
		return e.plan.relocate(s, data)
	}
	// The padding of the struct reaches beyond the record. The copy has room for it at its end.
	s.buf = append(slices.Grow(s.buf[:0], e.event.Struct), data...)
	clear(s.buf[len(data):e.event.Struct])
	return s.buf, true
}

// AppendText appends the text of a record, even if its event was not requested. It returns dst
// unchanged and false if the event is in no package, does not fit the recording, or has no text.
// For a short record, the text reports that. x and env may be nil.
func (d *Decoder[E]) AppendText(dst []byte, r *record.Record, x *E, env *render.Env) ([]byte, bool) {
	at := uint(r.ID - d.first)
	if at >= uint(len(d.texts)) || d.texts[at].min == never {
		return dst, false
	}
	e, data := d.texts[at], r.Data
	if uint64(len(data)) < uint64(e.min) {
		var ok bool
		if data, ok = d.bound[at].laidOut(&d.said, data); !ok {
			return d.bound[at].short(dst, len(r.Data)), true
		}
	}
	p := &d.packages[e.slot>>slotBits]
	if p.Head != nil {
		if head := p.Head(x); len(data) < head {
			return render.Short(dst, len(data), head), true
		}
	}
	if text := p.Texts[e.slot&slotMask]; text != nil {
		return text(dst, data, x, env), true
	}
	return dst, d.bound[at].event.Sequential
}

// short appends that n bytes are too few. For a sequential event, whose values are missing, it
// appends nothing.
func (e *bound) short(dst []byte, n int) []byte {
	if e.event.Sequential {
		return dst
	}
	return render.Short(dst, n, e.size)
}

// withDamage joins the error of a walk with the error for damage to rec. It leaves out damage if
// the context ended the walk: how far streams had been read is then chance.
func withDamage(err error, rec record.Recording) error {
	if rec == nil || isContext(err) {
		return err
	}
	return joined(err, record.Damaged(rec))
}

// isContext reports whether err is the error of a context that is done.
func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// joined joins two errors. If one is nil, it returns the other.
func joined(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return errors.Join(a, b)
}
