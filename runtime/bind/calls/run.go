package calls

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Batch dispatches records and their entries, one for each.
func (b *Binding) Batch(records []record.Record, entries []uftrace.Entry) {
	entries = entries[:len(records)]
	for i := range records {
		r, x := &records[i], &entries[i]
		if f := b.table.Find(kind(r, x)); f == nil {
			b.other(r, x)
		} else if !b.table.Hand(f, r, x) {
			b.short(r, x)
		}
	}
}

// Record dispatches one record and reports whether a callback of its function got it.
func (b *Binding) Record(r *record.Record, x *uftrace.Entry) bool {
	f := b.table.Find(kind(r, x))
	switch {
	case f == nil:
		b.other(r, x)
		return false
	case !b.table.Hand(f, r, x):
		b.short(r, x)
		return false
	}
	return true
}

// kind returns the place of a record's function in the table.
func kind(r *record.Record, x *uftrace.Entry) uint64 { return uint64(r.ID)<<2 | uint64(x.Kind) }

func (b *Binding) short(r *record.Record, x *uftrace.Entry) {
	b.Stats.Short++
	if b.hooks.Short != nil {
		b.hooks.Short(r, x)
	}
}

func (b *Binding) other(r *record.Record, x *uftrace.Entry) {
	b.Stats.Other++
	switch {
	case x.Kind == uftrace.Enter && b.hooks.Enter != nil:
		b.hooks.Enter(r, x)
	case x.Kind == uftrace.Leave && b.hooks.Leave != nil:
		b.hooks.Leave(r, x)
	case b.hooks.Other != nil:
		b.hooks.Other(r, x)
	}
}

// AppendText appends the text of the values of a record, as recorded or as a callback got it. It returns false, and
// dst as it was, for functions that are not bound.
func (b *Binding) AppendText(dst []byte, r *record.Record, x *uftrace.Entry, env *render.Env) ([]byte, bool) {
	return b.table.AppendText(dst, kind(r, x), r.Data, env)
}

// InTimeOrder dispatches all records of rec in time order: threads, kernel, perf events and extern.dat. A file that cannot
// be read any further is left out from then on; the errors are joined.
func (b *Binding) InTimeOrder(rec *uftrace.Recording) error {
	return rec.Merge(uftrace.MergeOptions{}).EachRun(b.Batch)
}

// InTaskOrder dispatches the records of one thread after the other, which is faster. Records of other files are left
// out. Record.Stream is the position of the thread.
func (b *Binding) InTaskOrder(rec *uftrace.Recording) error {
	return record.InStreamOrder(rec.Streams(record.Options{}), b.Batch)
}
