// Package choice applies the options of a walk to the records of a stream. Each stream of a
// container has a [Choice] and calls [Next].
package choice

import (
	"context"
	"math"

	"github.com/tracec/tracec/runtime/record"
)

// Choice applies [record.Options] to the records of one stream. It is a list of conditions. A
// record must meet all of them.
type Choice struct {
	err        error           // of options that cannot be satisfied
	context    context.Context // may be nil
	some       bool            // some records are skipped
	kindsAlone bool            // only the kinds select records
	timesToo   bool            // only the kinds and the times select records
	window     window
	kinds      kinds
	cpus       members
	tasks      members
	losses     losses
	sieved     bool // all records of the next batch have selected kinds
}

// A Trait is a property of the records of a container.
type Trait uint8

const (
	// Untimed means that records may have an unknown time, which is 0. Such a record belongs to a
	// time window if the last record with a time does.
	Untimed Trait = 1 << iota
	// Forgetful means that losses before skipped records are ignored. They are not added to the
	// next record.
	Forgetful
)

// window is the condition on times.
type window struct {
	first, last uint64
	untimed     bool
	inside      bool // the last record of the stream with a time is in the window
}

// kinds is the condition on kinds.
type kinds struct {
	ids   Kinds
	after Kinds
	took  bool // the last record of the stream was selected
	kept  bool // or Sift has kept it
}

// losses are the losses before skipped records.
type losses struct {
	since  uint64
	forget bool
	counts bool  // the last record of the stream with a time is not before since
	lost   int64 // since the last record that was not skipped
}

// Of returns the choice of o for one stream. It returns nil if all records are read to their end.
func Of(o *record.Options, traits ...Trait) *Choice {
	some := o.Since > 0 || o.Until > 0 || o.CPUs != nil || o.Tasks != nil || o.IDs != nil
	if !some && (o.Context == nil || o.Context.Done() == nil) {
		return nil
	}
	c := &Choice{context: o.Context, some: some, cpus: newMembers(o.CPUs), tasks: newMembers(o.Tasks)}
	c.window = window{first: o.Since, last: math.MaxUint64}
	c.kinds.ids = newKinds(o.IDs)
	c.losses.since = o.LostSince
	if o.After != nil {
		c.kinds.after = newKinds(o.After)
	}
	if o.Until > 0 {
		c.window.last = o.Until - 1
	}
	c.timesToo = o.After == nil && o.CPUs == nil && o.Tasks == nil && c.window.first <= c.window.last
	c.kindsAlone = c.timesToo && o.IDs != nil && o.Since == 0 && o.Until == 0
	for _, t := range traits {
		switch t {
		case Untimed:
			c.window.untimed, c.window.inside, c.losses.counts = true, o.Since == 0, o.LostSince == 0
		case Forgetful:
			c.losses.forget = true
		}
	}
	return c
}

// Refuse returns a choice that ends a stream with err, such as [record.ErrNoTask], before its first
// record.
func Refuse(err error) *Choice { return &Choice{err: err} }

// Next returns the next batch that has selected records. It calls next and moves the selected
// records and entries together in the batch. Its errors are the errors of next and of a context
// that is done. Losses before records that are skipped for their processor, thread or kind are
// added to the next record that is not skipped, from LostSince on.
func Next[E any](c *Choice, next func() (record.Batch[E], error)) (record.Batch[E], error) {
	if c.err != nil {
		return record.Batch[E]{}, c.err
	}
	for {
		if c.context != nil {
			if err := c.context.Err(); err != nil {
				return record.Batch[E]{}, err
			}
		}
		b, err := next()
		if c.some && !(c.sieved && c.kindsAlone && c.losses.lost == 0) {
			b = Filter(c, b)
		}
		c.sieved = false
		if len(b.Records) > 0 || err != nil {
			return b, err
		}
	}
}

// Kinds returns the selected kinds. Containers use them to skip other records before they build a
// Record, or parts of a recording by an index. Do not skip records with a loss before them: [Next]
// counts the loss. Kinds returns nil if all kinds are selected, or if some records are selected by
// the previous record. c may be nil.
func (c *Choice) Kinds() *Kinds {
	if c == nil || c.kinds.ids.all || !c.kinds.after.none() {
		return nil
	}
	return &c.kinds.ids
}

// Sieved declares, while a batch is read, that all its records have kinds in [Choice.Kinds], and
// that nothing was lost before skipped records. Next then need not check the batch.
func (c *Choice) Sieved() { c.sieved = true }

// Filter moves the selected records and entries of a batch together and returns them. It is for
// containers that need the merged records to make a selection.
func Filter[E any](c *Choice, b record.Batch[E]) record.Batch[E] {
	records, entries := b.Records, b.Entries
	n := c.lead(records)
	for i := n; i < len(records); i++ {
		if !c.takes(&records[i]) {
			continue
		}
		if n < i {
			records[n], entries[n] = records[i], entries[i]
		}
		n++
	}
	return record.Batch[E]{Records: records[:n], Entries: entries[:n]}
}

// Takes reports whether a record is selected, and counts losses as [Next] does. It is for streams
// that are parts of slices. c may be nil.
func (c *Choice) Takes(r *record.Record) bool { return c == nil || !c.some || c.takes(r) }

// Quick reports whether Takes would accept any next record without a loss before it, and change
// nothing. If sieved is set, all records have kinds in [Choice.Kinds]. c may be nil.
func (c *Choice) Quick(sieved bool) bool {
	return c == nil || !c.some || sieved && c.kindsAlone && c.losses.lost == 0
}

// Owed returns the loss before skipped records that will be added to the next record that is not
// skipped. c may be nil.
func (c *Choice) Owed() int64 {
	if c == nil {
		return 0
	}
	return c.losses.lost
}

// Owe adds a loss before skipped records. c may be nil if there is none.
func (c *Choice) Owe(lost int64) {
	if lost != 0 {
		c.losses.lost = record.AddLost(c.losses.lost, lost)
	}
}

// lead returns the number of records at the front that are selected and keep their places. It
// checks only the times and the kinds, by which generated decoders select.
func (c *Choice) lead(records []record.Record) int {
	if !c.timesToo || c.losses.lost != 0 {
		return 0
	}
	ids, w := &c.kinds.ids, &c.window
	all, bits, first, span, untimed := ids.all, ids.bits, w.first, w.last-w.first, w.untimed
	for i := range records {
		r := &records[i]
		if r.Time-first > span || r.Time == 0 && untimed {
			return c.led(records[:i])
		}
		if w := int(r.ID >> 6); !all && (w >= len(bits) || bits[w]>>(r.ID&63)&1 == 0) {
			return c.led(records[:i])
		}
	}
	return c.led(records)
}

// led notes the time of the last of some records that were not checked one by one. It returns their
// number.
func (c *Choice) led(records []record.Record) int {
	if n := len(records); n > 0 {
		c.at(records[n-1].Time)
	}
	return len(records)
}

// at notes the time of the last record that has a time.
func (c *Choice) at(time uint64) {
	c.window.inside = time >= c.window.first && time <= c.window.last
	c.losses.counts = time >= c.losses.since
}

// Pass notes that records of the stream are skipped. last is the time of the last one: see
// [Untimed]. c may be nil.
func (c *Choice) Pass(last uint64) {
	if c != nil {
		c.at(last)
	}
}

// takes reports whether a record is selected.
func (c *Choice) takes(r *record.Record) bool {
	if !c.window.untimed || r.Time != 0 {
		c.at(r.Time)
	}
	if !c.window.inside {
		c.kinds.took = false
		return false
	}
	c.kinds.took = c.kinds.has(r.ID) && c.cpus.has(r.CPU) && c.tasks.has(r.Task)
	if !c.kinds.took {
		c.losses.skip(r)
		return false
	}
	c.losses.give(r)
	return true
}

// has reports whether a record has a selected kind, or follows a selected record.
func (k *kinds) has(id uint32) bool { return k.ids.Has(id) || k.took && k.after.Has(id) }

// skip notes the loss before a record that is skipped.
func (l *losses) skip(r *record.Record) {
	if !l.forget && l.counts {
		l.lost = record.AddLost(l.lost, r.Lost)
	}
}

// give adds the loss before skipped records to the next one.
func (l *losses) give(r *record.Record) {
	if l.lost != 0 {
		r.Lost, l.lost = record.AddLost(l.lost, r.Lost), 0
	}
}

// Sift moves the records of selected kinds to the front and returns their number. It is for
// containers that can drop the other records before a batch is complete. Records with a loss before
// them stay: [Next] counts the loss. c may be nil.
func (c *Choice) Sift(records []record.Record) int {
	if c == nil || c.kinds.ids.all {
		return len(records)
	}
	if !c.kinds.after.none() {
		return c.kinds.siftAfter(records, !c.losses.forget)
	}
	ids, lossy := &c.kinds.ids, !c.losses.forget
	n, bits := 0, ids.bits
	for i := range records {
		r := &records[i]
		chosen := r.Lost != 0 && lossy
		if w := int(r.ID >> 6); w < len(bits) { // Kinds.Has, inlined
			chosen = chosen || bits[w]>>(r.ID&63)&1 != 0
		} else if len(ids.large) > 0 {
			chosen = chosen || ids.Has(r.ID)
		}
		if chosen {
			if n < i {
				records[n] = *r
			}
			n++
		}
	}
	return n
}

// siftAfter is Sift if some records are selected by the previous record. The first record after a
// kept one also stays. Later records do not follow it directly.
func (k *kinds) siftAfter(records []record.Record, lossy bool) int {
	n := 0
	for i := range records {
		r, before := &records[i], k.kept
		k.kept = k.ids.Has(r.ID) || before && k.after.Has(r.ID)
		if k.kept || before || r.Lost != 0 && lossy {
			records[n] = *r
			n++
		}
	}
	return n
}

// Err returns the error of the options or of the context. It is for streams that are parts of
// slices, and for containers that read for a long time before a batch is full. c may be nil.
func (c *Choice) Err() error {
	switch {
	case c == nil:
		return nil
	case c.err != nil, c.context == nil:
		return c.err
	}
	return c.context.Err()
}
