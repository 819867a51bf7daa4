// Package choice applies the options of a walk to the records of a stream. Each stream of a
// container has a [Choice] and calls [Next].
package choice

import (
	"context"
	"math"

	"github.com/tracec/tracec/runtime/record"
)

// Choice applies [record.Options] to the records of one stream.
type Choice struct {
	err         error           // of options that cannot be satisfied
	context     context.Context // may be nil
	some        bool            // some records are skipped
	kindsAlone  bool            // only the kinds select records
	timesToo    bool            // only the kinds and times do
	first, last uint64          // times
	cpus, tasks members
	ids, after  kinds
	took, kept  bool // the last record of the stream was selected, or kept by Kinds
	forget      bool // lost stays 0
	untimed     bool // records may lack a time: 0
	inside      bool // the last record of the stream with a time is in the window
	lostSince   uint64
	counts      bool  // the last record of the stream with a time is not before lostSince
	lost        int64 // before skipped records, since the last record that was not skipped
	sieved      bool  // all records of the next batch are of selected kinds
}

// Of returns the choice of o for one stream. It returns nil if all records are read to their end.
func Of(o *record.Options) *Choice {
	some := o.Since > 0 || o.Until > 0 || o.CPUs != nil || o.Tasks != nil || o.IDs != nil
	if !some && (o.Context == nil || o.Context.Done() == nil) {
		return nil
	}
	c := &Choice{context: o.Context, some: some, first: o.Since, last: math.MaxUint64, cpus: newMembers(o.CPUs), tasks: newMembers(o.Tasks), ids: newKinds(o.IDs), lostSince: o.LostSince}
	if o.After != nil {
		c.after = newKinds(o.After)
	}
	if o.Until > 0 {
		c.last = o.Until - 1
	}
	c.timesToo = o.After == nil && o.CPUs == nil && o.Tasks == nil && c.first <= c.last
	c.kindsAlone = c.timesToo && o.IDs != nil && o.Since == 0 && o.Until == 0
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
		if c.some && !(c.sieved && c.kindsAlone && c.lost == 0) {
			b = Filter(c, b)
		}
		c.sieved = false
		if len(b.Records) > 0 || err != nil {
			return b, err
		}
	}
}

// Small returns the selected kinds, for containers with ids of 16 bits that can skip other records
// before they build a Record. Do not skip records with a loss before them: [Next] counts the loss.
// Small returns nil if all kinds are selected, or if some are selected by the record before. c may
// be nil.
func (c *Choice) Small() *Kinds {
	if c == nil || c.ids.all || !c.after.none() {
		return nil
	}
	k := new(Kinds)
	copy(k[:], c.ids.bits)
	return k
}

// Bits is like Small for ids of any size. The result has a bit for each selected kind and no more
// words than necessary. It is nil also if a kind is 1<<16 or more.
func (c *Choice) Bits() []uint64 {
	if c == nil || c.ids.all || !c.after.none() || len(c.ids.large) > 0 {
		return nil
	}
	if c.ids.bits == nil { // no kind is selected; nil would mean all
		return []uint64{}
	}
	return c.ids.bits
}

// IDs returns the selected kinds, for containers that look up parts of the recording in an index.
// It returns nil if all kinds are selected, or if some are selected by the record before. c may be
// nil.
func (c *Choice) IDs() []uint32 {
	if c == nil || c.ids.all || !c.after.none() {
		return nil
	}
	return c.ids.list
}

// Sieved reports, while a batch is read, that all its records are of kinds in [Choice.Small] or
// [Choice.Bits], and that nothing was lost before skipped records. Next then need not check the
// batch.
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
// nothing. If sieved is set, all records are of kinds in [Choice.Small]. c may be nil.
func (c *Choice) Quick(sieved bool) bool {
	return c == nil || !c.some || sieved && c.kindsAlone && c.lost == 0
}

// Owes reports whether a loss before skipped records must be added to the next record that is not
// skipped. c may be nil.
func (c *Choice) Owes() bool { return c != nil && c.lost != 0 }

// lead returns the number of records at the front that are selected and keep their places. It
// checks only kinds, which generated decoders select by, and times.
func (c *Choice) lead(records []record.Record) int {
	if !c.timesToo || c.lost != 0 {
		return 0
	}
	bits, first, span := c.ids.bits, c.first, c.last-c.first
	for i := range records {
		r := &records[i]
		if r.Time-first > span || r.Time == 0 && c.untimed {
			return c.led(records[:i])
		}
		if w := int(r.ID >> 6); !c.ids.all && (w >= len(bits) || bits[w]>>(r.ID&63)&1 == 0) {
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
	c.inside, c.counts = time >= c.first && time <= c.last, time >= c.lostSince
}

// Pass notes that records of the stream are skipped. last is the time of the last one: see
// [Choice.Untimed]. c may be nil.
func (c *Choice) Pass(last uint64) {
	if c != nil {
		c.at(last)
	}
}

// takes reports whether a record is selected.
func (c *Choice) takes(r *record.Record) bool {
	if !c.untimed || r.Time != 0 {
		c.at(r.Time)
	}
	if !c.inside {
		c.took = false
		return false
	}
	c.took = (c.ids.has(r.ID) || c.took && c.after.has(r.ID)) && c.cpus.has(r.CPU) && c.tasks.has(r.Task)
	if !c.took {
		if !c.forget && c.counts {
			c.lost = record.AddLost(c.lost, r.Lost)
		}
		return false
	}
	if c.lost != 0 {
		r.Lost, c.lost = record.AddLost(c.lost, r.Lost), 0
	}
	return true
}

// Kinds moves the records of selected kinds to the front and returns their number. It is for
// containers that can drop the other records before a batch is complete. Records with a loss before
// them stay: [Next] counts the loss. c may be nil.
func (c *Choice) Kinds(records []record.Record) int {
	if c == nil || c.ids.all {
		return len(records)
	}
	if !c.after.none() {
		return c.kindsAfter(records)
	}
	n, bits, lossy := 0, c.ids.bits, !c.forget
	for i := range records {
		r := &records[i]
		chosen := r.Lost != 0 && lossy
		if w := int(r.ID >> 6); w < len(bits) { // kinds.has, inlined
			chosen = chosen || bits[w]>>(r.ID&63)&1 != 0
		} else if len(c.ids.large) > 0 {
			chosen = chosen || c.ids.has(r.ID)
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

// kindsAfter is Kinds if some records are selected by the record before. The first record after
// those stays as well. Later records do not follow them directly.
func (c *Choice) kindsAfter(records []record.Record) int {
	n := 0
	for i := range records {
		r, before := &records[i], c.kept
		c.kept = c.ids.has(r.ID) || before && c.after.has(r.ID)
		if c.kept || before || r.Lost != 0 && !c.forget {
			records[n] = *r
			n++
		}
	}
	return n
}

// Untimed declares that records may have the time 0, which means unknown. Such a record is in a
// window of time if the previous record of the stream with a time is. c may be nil.
func (c *Choice) Untimed() {
	if c != nil {
		c.untimed, c.inside, c.counts = true, c.first == 0, c.lostSince == 0
	}
}

// Forget ignores losses before skipped records. They are not added to the next record. c may be
// nil.
func (c *Choice) Forget() {
	if c != nil {
		c.forget = true
	}
}

// Err returns the error of the options or of the context. It is for streams that are parts of
// slices, and for containers that read for long before a batch is full. c may be nil.
func (c *Choice) Err() error {
	switch {
	case c == nil:
		return nil
	case c.err != nil, c.context == nil:
		return c.err
	}
	return c.context.Err()
}
