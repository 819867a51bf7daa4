package calls

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Batch dispatches records and their entries, one for each.
func (b *Binding) Batch(records []record.Record, entries []uftrace.Entry) {
	entries = entries[:len(records)]
	index := b.index
	for i := range records {
		r, x := &records[i], &entries[i]
		k := uint64(r.ID)<<2 | uint64(x.Kind)
		if k >= uint64(len(index)) || index[k] == 0 {
			b.other(r, x)
			continue
		}
		f := &b.bound[index[k]]
		if f.plan != nil {
			b.relocated(f, r, x)
		} else if !b.target.Call(f.slot, r, x) {
			b.short(r, x)
		}
	}
}

// Record dispatches one record and reports whether a callback of its function got it.
func (b *Binding) Record(r *record.Record, x *uftrace.Entry) bool {
	f := b.find(b.index, r, x)
	switch {
	case f == nil:
		b.other(r, x)
		return false
	case f.plan != nil:
		return b.relocated(f, r, x)
	case !b.target.Call(f.slot, r, x):
		b.short(r, x)
		return false
	}
	return true
}

func (b *Binding) find(index []uint32, r *record.Record, x *uftrace.Entry) *bound {
	k := uint64(r.ID)<<2 | uint64(x.Kind)
	if k >= uint64(len(index)) || index[k] == 0 {
		return nil
	}
	return &b.bound[index[k]]
}

// relocated hands on a record whose payload is laid out otherwise.
func (b *Binding) relocated(f *bound, r *record.Record, x *uftrace.Entry) bool {
	recorded := r.Data
	moved, ok := f.plan.Relocate(b.buf, recorded)
	b.buf = moved
	if ok {
		r.Data = moved
		ok = b.target.Call(f.slot, r, x)
		r.Data = recorded
	}
	if !ok {
		b.short(r, x)
	}
	return ok
}

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
	f := b.find(b.shadow, r, x)
	if f == nil {
		return dst, false
	}
	data := r.Data
	if f.plan != nil && (len(data) == 0 || cap(b.buf) == 0 || &data[0] != &b.buf[:1][0]) { // else: what a callback was handed
		moved, ok := f.plan.Relocate(b.render, data)
		b.render = moved
		if !ok {
			return dst, true
		}
		data = moved
	}
	return b.text.Text(f.slot, dst, data, env), true
}

// InTimeOrder dispatches all records of rec in time order: threads, kernel, perf events and extern.dat. A file that cannot
// be read any further is left out from then on; the errors are joined.
func (b *Binding) InTimeOrder(rec *uftrace.Recording) error {
	m := rec.Merge(uftrace.MergeOptions{})
	var errs []error
	for {
		records, entries, err := m.NextRun()
		if len(records) > 0 {
			b.Batch(records, entries)
		}
		if err == nil {
			continue
		}
		if errors.Is(err, io.EOF) {
			return errors.Join(errs...)
		}
		if errs = append(errs, err); len(errs) > maxFailures {
			return errors.Join(errs...)
		}
	}
}

// maxFailures is more than there are files in a recording: each fails once.
const maxFailures = 1 << 16

// InTaskOrder dispatches the records of one thread after the other, which is faster. Records of other files are left
// out. Record.Stream is the position of the thread.
func (b *Binding) InTaskOrder(rec *uftrace.Recording) error {
	var errs []error
	for i, s := range rec.Streams() {
		for {
			records, err := s.Next()
			for j := range records {
				records[j].Stream = int32(i)
			}
			if len(records) > 0 {
				b.Batch(records, s.Entries())
			} else if err == nil {
				err = io.ErrNoProgress
			}
			if err != nil {
				errs = append(errs, ended(err))
				break
			}
		}
	}
	return errors.Join(errs...)
}

func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
