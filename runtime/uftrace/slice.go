package uftrace

import (
	"io"
	"slices"
	"sort"

	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/record"
)

// mostBeyond is how many entries a part knows of those after its end: a call among them says how many were open.
const mostBeyond = 4

// part is what a stream knows that is read for a slice.
type part struct {
	*record.Part
	began   position   // of the batch that was read last
	log     damage.Log // of what belongs to the part
	unsaid  damage.Log // of the batch that was read last: it comes after its records
	started bool
	places  []landmark
	prior   Entry   // the last call, or end of one, before the part, as far as that was read; Lost without one
	beyond  []Entry // after the end
	alone   bool    // no other stream has its lookups
}

// position is a place in a file, and what the stream knew there of times.
type position struct {
	at          int64
	last, other uint64
}

// newPart returns what a stream knows of its part before it reads.
func newPart(p *record.Part, list []landmark) *part {
	if i := after(list, p.Last-1); p.Last > 0 && i < len(list) {
		p.Near = list[i].at + minBlock // after a record of the part comes one that tells that it has ended
	}
	return &part{Part: p, places: list, prior: Entry{Kind: Lost}}
}

// slice makes a stream that of a part.
func (s *Stream) slice(p *record.Part, list []landmark) {
	s.part = newPart(p, list)
	p.Accept = func() { s.r.damage.Join(&s.part.log) }
}

// note reports damage. That of a part is kept until its records are read, and until the part is known to begin where it should.
func (s *Stream) note(off, skipped int64, err error) {
	if s.part != nil {
		s.part.unsaid.Note(s.task.File, off, skipped, err)
		return
	}
	s.r.damage.Note(s.task.File, off, skipped, err)
}

// begin notes where the next records are.
func (s *Stream) begin() {
	p := s.part
	p.log.Join(&p.unsaid)
	p.unsaid = damage.Log{}
	p.began = position{s.off + int64(s.pos), s.last, s.other}
}

// readPart returns the next records of the part that are chosen.
func (s *Stream) readPart() (record.Batch[Entry], error) {
	p := s.part
	if !p.started {
		p.started = true
		s.start()
	}
	for !p.Ended {
		if err := s.choice.Err(); err != nil {
			return record.Batch[Entry]{}, err
		}
		b, err := s.read()
		b = s.within(b)
		if err != nil {
			p.log.Join(&p.unsaid)
			p.endFile()
		}
		if len(b.Records) > 0 || err != nil {
			return b, err
		}
	}
	if s.done {
		return record.Batch[Entry]{}, io.EOF
	}
	return s.end()
}

// end notes where the part ends.
func (p *part) end(at record.Place) {
	if !p.Begun {
		p.Begun, p.Begin = true, record.AtEnd
		p.log = damage.Log{} // of what other slices have
	}
	if !p.Ended {
		p.Ended, p.End = true, at
	}
}

// endFile notes that the part is the last one. Where nothing is in it a call with as many open ones as the file leaves open is what comes next.
func (p *part) endFile() {
	if e := p.prior; !p.Begun && e.Kind <= Leave {
		p.beyond = []Entry{{Kind: Enter, Depth: e.Depth + 1 - uint16(e.Kind)}}
	}
	p.end(record.AtEnd)
}

// within returns the records that are chosen and belong to the part, after moving them together.
//
// Records that are not chosen cannot be where a part begins: the merge does not see their times.
func (s *Stream) within(b record.Batch[Entry]) record.Batch[Entry] {
	p := s.part
	last := p.Last - 1 // of 0: none is later
	recs, ents := b.Records, b.Entries
	if p.Begun && !later(recs, last) {
		if !s.choice.Quick(false) {
			s.dirty = true
			b = record.Filter(s.choice, b)
		}
		return b
	}
	s.dirty = true
	first, n, next := 0, 0, p.began // recs[first:n] belong to it
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
			s.beginPart(r, here)
			first, n = i, i
		}
		if r.Time > last {
			p.end(here.place(r.Lost))
			p.beyond = slices.Clone(ents[i:min(i+mostBeyond, len(ents))]) // another slice gets the batch
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

// beginPart notes that the part begins with a record. What was read before it belongs to other slices.
func (s *Stream) beginPart(r *record.Record, here position) {
	p := s.part
	if p.From != nil {
		r.Lost = p.From.Lost
	} else {
		p.log = damage.Log{}
	}
	p.Begun, p.Begin = true, here.place(r.Lost)
}

// Beyond implements record.Beyond.
func (s *Stream) Beyond() []Entry {
	if s.part == nil {
		return nil
	}
	return s.part.beyond
}

// later reports whether a record is later than a time.
func later(recs []record.Record, last uint64) bool {
	for i := range recs {
		if recs[i].Time > last {
			return true
		}
	}
	return false
}

// pass goes to after a record, as the walk did.
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

// start goes to where the part begins, or before.
func (s *Stream) start() {
	p := s.part
	switch {
	case p.From != nil && *p.From == record.AtEnd:
		p.end(record.AtEnd)
	case p.From != nil:
		s.restart(p.From.At)
		s.last, s.other = p.From.State[0], p.From.State[1]
	case p.First > 0:
		s.seek(p.First)
	}
}

// restart goes on at a place of the file.
func (s *Stream) restart(at int64) {
	s.off, s.buf, s.pos, s.eof = at, s.buf[:0], 0, false
	s.file.share.Begin(at)
	s.last, s.other, s.payloadEnd, s.skipped = 0, 0, 0, false
}

// seek goes to a record before a time, or to the beginning.
func (s *Stream) seek(time uint64) {
	if at := s.part.before(time); at > 0 {
		s.restart(at)
	}
}

// before returns the place of a record before a time, 0 without one that is known.
func (p *part) before(time uint64) int64 {
	i := after(p.places, time)
	if i == 0 {
		return 0
	}
	return p.places[i-1].at
}

// after returns the number of the first landmark whose record is not before a time.
func after(list []landmark, time uint64) int {
	return sort.Search(len(list), func(i int) bool { return list[i].time > time })
}

// Slices returns the records that opts choose in slices of about size bytes, one after the other in the order of time. When size is 0 there are some for each worker.
// There is one slice where nothing would be gained: with one worker, where files can only be read from their beginning, and where the kernel or the outside
// have recorded, too.
func (r *Recording) Slices(opts record.Options, size int64) []record.Slice[Entry] {
	cuts, places := []*record.Cut{nil}, landmarks(nil)
	if r.onlyPerf() {
		files := r.toCut(&opts, size, r.perfBytes())
		if cuts, places = r.cuts(files, r.tasks); len(cuts) > 1 {
			r.surveyPerf(&opts, places)
		}
	}
	return record.CutSlices(cuts, func(c *record.Cut) *record.Merger[Entry] {
		o := opts
		o.Cut = c
		return r.Merge(MergeOptions{Options: o, places: places})
	})
}

// StreamSlices returns the records of threads that opts choose in slices of about size bytes, one thread after the other. When size is 0 there are some for
// each worker.
func (r *Recording) StreamSlices(opts record.Options, size int64) []record.Slice[Entry] {
	if r.Follows() {
		return record.Slices(r.Streams(opts))
	}
	x := &ThreadSlices{}
	x.cut(r, opts, size)
	return x.Slices
}
