// Package choice applies the options of a walk to the records of a stream. Containers use it: each
// of their streams has a [Choice] and calls [Next].
package choice

import (
	"context"
	"math"

	"github.com/tracec/tracec/runtime/record"
)

// Choice applies [record.Options] to the records of one stream.
type Choice struct {
	err         error           // of a choice that is not possible
	context     context.Context // nil: never done
	some        bool            // not all records are read
	kindsAlone  bool            // only kinds say which are
	timesToo    bool            // only kinds and times do
	first, last uint64          // times
	cpus, tasks members
	ids, after  kinds
	took, kept  bool // the last record of the stream was taken, or kept by Kinds, for those after it
	forget      bool // lost stays 0
	untimed     bool // records may have no time: 0
	inside      bool // the last record of the stream that has a time is in the window
	lostSince   uint64
	counts      bool  // the last record of the stream that has a time is not before lostSince
	lost        int64 // before records that were left out, since the last that was not
	sieved      bool  // the batch that comes next is as kinds ask for
}

// Of returns the choice of o for one stream. It is nil when all records are read to their end.
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

// Next returns the next batch with records that are chosen: one of next, in which it moves the
// records and entries that are chosen together. Its errors are those of next and, when that is
// done, of the context. What was lost before records that are left out for their processor, thread
// or kind counts as lost before the next one that is not, from LostSince on.
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

// Small returns the kinds that are chosen, for containers whose ids have 16 bits and that can pass
// over records of others before they have a Record. Those before which something was lost are not
// to be passed over: [Next] counts that. It returns nil for all kinds, and where some are chosen by
// the record before. c may be nil.
func (c *Choice) Small() *Kinds {
	if c == nil || c.ids.all || !c.after.none() {
		return nil
	}
	k := new(Kinds)
	copy(k[:], c.ids.bits)
	return k
}

// Bits is Small for containers with ids of any size: a bit for each kind that is chosen, and no
// more words than the largest needs. It also returns nil where one of the kinds is not below 1<<16.
func (c *Choice) Bits() []uint64 {
	if c == nil || c.ids.all || !c.after.none() || len(c.ids.large) > 0 {
		return nil
	}
	if c.ids.bits == nil { // none, which is not all
		return []uint64{}
	}
	return c.ids.bits
}

// IDs returns the kinds that are chosen, for containers that ask an index of the recording which of
// its parts have some. It returns nil for all kinds, and where some are chosen by the record
// before. c may be nil.
func (c *Choice) IDs() []uint32 {
	if c == nil || c.ids.all || !c.after.none() {
		return nil
	}
	return c.ids.list
}

// Sieved says, while a batch is read, that all of it is of kinds in [Choice.Small] or
// [Choice.Bits], so that nothing was lost before others: Next need not look.
func (c *Choice) Sieved() { c.sieved = true }

// Filter moves the records and entries of a batch that are chosen together and returns them, for
// containers that know only after a merge what a choice asks for.
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

// Takes reports whether a record is chosen, for streams that are parts of slices, and does with
// what was lost as [Next]. c may be nil.
func (c *Choice) Takes(r *record.Record) bool { return c == nil || !c.some || c.takes(r) }

// Quick reports whether Takes would take any record that comes next and change nothing: one before
// which nothing was lost, and of a kind in [Choice.Small] if all are, which sieved says. c may be
// nil.
func (c *Choice) Quick(sieved bool) bool {
	return c == nil || !c.some || sieved && c.kindsAlone && c.lost == 0
}

// Owes reports whether something was lost before records that were left out, which counts before
// the next one that is not. c may be nil.
func (c *Choice) Owes() bool { return c != nil && c.lost != 0 }

// lead returns how many records at the front are chosen and stay as they are, as far as that is
// quick to see: of kinds, which is what generated decoders ask for, and of times.
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

// led notes where in time records are that have one and were not looked at one by one, and says how
// many there are.
func (c *Choice) led(records []record.Record) int {
	if n := len(records); n > 0 {
		c.at(records[n-1].Time)
	}
	return len(records)
}

// at notes the time of the last record that has one.
func (c *Choice) at(time uint64) {
	c.inside, c.counts = time >= c.first && time <= c.last, time >= c.lostSince
}

// Pass says that records of the stream are passed over, the last of which has a time: see
// [Choice.Untimed]. c may be nil.
func (c *Choice) Pass(last uint64) {
	if c != nil {
		c.at(last)
	}
}

// takes reports whether a record is chosen.
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

// Kinds moves the records whose kind is chosen to the front, and says how many there are, for
// containers that can leave out the others before they are done with a batch. Records before which
// something was lost stay: [Next] counts that. c may be nil.
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
		if w := int(r.ID >> 6); w < len(bits) { // has, in line
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

// kindsAfter is Kinds where some are chosen by the record before. The first one after those stays,
// too: what comes later is not directly after them.
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

// Untimed says that records may have the time 0, which is none: a window of time has those whose
// neighbour before them in the stream it has. c may be nil.
func (c *Choice) Untimed() {
	if c != nil {
		c.untimed, c.inside, c.counts = true, c.first == 0, c.lostSince == 0
	}
}

// Forget has what was lost before records that are left out forgotten: it does not count before the
// next one that is not.
func (c *Choice) Forget() {
	if c != nil {
		c.forget = true
	}
}

// Err returns the error of a choice that is not possible, or of the context, for streams that are
// parts of slices, and for containers that read for long before a batch is full. c may be nil.
func (c *Choice) Err() error {
	switch {
	case c == nil:
		return nil
	case c.err != nil, c.context == nil:
		return c.err
	}
	return c.context.Err()
}
