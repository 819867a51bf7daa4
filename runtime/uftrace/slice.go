package uftrace

import (
	"slices"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/record"
)

// position is a place in a file, with the times that the stream knew there.
type position struct {
	at          int64
	last, other uint64
}

// note reports damage. Damage of a part is kept until its records are read, and until the part is
// known to begin at the right place.
func (s *Stream) note(off, skipped int64, err error) { s.log().Note(s.task.File, off, skipped, err) }

// log returns the log for damage.
func (s *Stream) log() *damage.Log {
	if s.part != nil {
		return &s.part.unsaid
	}
	return &s.r.damage
}

// begin notes the place of the next records.
func (s *Stream) begin() {
	p := s.part
	p.log.Join(&p.unsaid)
	p.unsaid = damage.Log{}
	p.began = position{s.in.off + int64(s.in.pos), s.prev.time, s.prev.other}
}

// within implements partial.
//
// A part cannot begin at an unselected record: the merge does not see its time.
func (s *Stream) within(b record.Batch[Entry]) record.Batch[Entry] {
	p := s.part
	last := p.Last - 1 // for 0, all events are in the part
	recs, ents := b.Records, b.Entries
	if p.Begun && !record.AnyLater(recs, last) {
		if !s.choice.Quick(false) {
			s.out.dirty = true
			b = choice.Filter(s.choice, b)
		}
		return b
	}
	s.out.dirty = true
	first, n, next := 0, 0, p.began // recs[first:n] are in the part
	for i := range recs {
		r, e, here := &recs[i], &ents[i], next
		next.pass(r, e)
		if !s.choice.Takes(r) {
			continue
		}
		if !p.Begun {
			if p.From == nil && r.Time < p.First {
				if e.Kind != Event {
					p.prior = *e
				}
				continue
			}
			p.begin(r, here.place(0))
			first, n = i, i
		}
		if r.Time > last {
			p.end(here.place(r.Lost))
			p.beyond = slices.Clone(ents[i:min(i+mostBeyond, len(ents))]) // another slice uses the batch
			break
		}
		if n < i {
			recs[n] = *r // one assignment of both would copy them twice
			ents[n] = *e
		}
		n++
	}
	if !p.Ended && len(recs) > 0 && recs[len(recs)-1].Time > last && !p.Over(next.at-p.began.at) {
		p.end(record.AtEnd)
	}
	return record.Batch[Entry]{Records: recs[first:n], Entries: ents[first:n]}
}

// Beyond implements record.Beyond.
func (s *Stream) Beyond() []Entry {
	if s.part == nil {
		return nil
	}
	return s.part.beyond
}

// pass moves the position after a record, as the walk did.
func (at *position) pass(r *record.Record, e *Entry) {
	at.at += recordSize
	if r.Data != nil {
		at.at += int64(cap(r.Data))
		if e.Kind == Event {
			at.at += 2
		}
	}
	switch {
	case r.Time-at.last <= maxSilence:
		at.last = r.Time
	case e.Kind != Lost:
		at.last, at.other = jump(at.last, at.other, r.Time)
	}
}

func (at position) place(lost int64) record.Place {
	return record.Place{At: at.at, Lost: lost, State: [3]uint64{at.last, at.other}}
}

// restart implements partial.
func (s *Stream) restart(at record.Place) {
	s.in.off, s.in.buf, s.in.pos, s.in.eof = at.At, s.in.buf[:0], 0, false
	s.file.share.Begin(at.At)
	s.prev.time, s.prev.other, s.prev.payloadEnd, s.skipped = at.State[0], at.State[1], 0, 0
}

// Slices returns the records that opts select in slices of about size bytes, in the order of time.
// If size is 0, there are several slices for each worker. There is only one slice if more would
// gain nothing: with one worker, if files can only be read from their beginning, or if the
// recording has files of the kernel or of extern.dat.
func (r *Recording) Slices(opts record.Options, size int64) []record.Slice[Entry] {
	cuts, places, files := []*record.Cut{nil}, landmarks(nil), files{}
	if r.onlyPerf() {
		files = r.toCut(&opts, size, r.perfBytes())
		if cuts, places = r.cuts(files, r.threads.list); len(cuts) > 1 {
			r.surveyPerf(&opts, places)
		}
	}
	return record.CutSlices(cuts, func(c *record.Cut) *record.Merger[Entry] {
		o := opts
		o.Cut = c
		return r.Merge(MergeOptions{Options: o, windows: files.windows, places: places})
	})
}

// StreamSlices returns the records of threads that opts select in slices of about size bytes, one
// thread after the other. If size is 0, there are several slices for each worker.
func (r *Recording) StreamSlices(opts record.Options, size int64) []record.Slice[Entry] {
	if r.Follows() {
		return record.Slices(r.Streams(opts))
	}
	x := &ThreadSlices{}
	x.cut(r, opts, size)
	return x.Slices
}
