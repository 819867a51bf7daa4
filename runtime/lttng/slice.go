package lttng

import (
	"io"
	"sync/atomic"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/record"
)

// slicePart is the state of a stream that is read for a slice.
type slicePart struct {
	*record.Part
	cutting *cutting
	marks   []landmark
	size    *atomic.Int64 // of cutting.sizes
	log     damage.Log    // damage of the part
	blocks  []counted     // the sub-buffers that it has entered
	since   uint64        // of the options
	started bool
	// barren reports that the file cannot have selected events. Only its damage matters. Its part
	// begins with the first sub-buffer that begins at First or later.
	barren bool
}

// slice turns a stream into the stream of a part.
func (s *Stream) slice(p *record.Part, k *cutting) {
	s.sub.most, s.out.room = k.window, k.room
	s.part = &slicePart{Part: p, cutting: k, marks: k.marks[s.file], size: k.sizes[s.file], since: s.sel.since}
	s.part.barren = k.barren[s.file]
	p.Accept = func() {
		s.rec.damage.Join(&s.part.log)
		s.rec.measure(s.file, s.part.blocks...)
	}
}

// certain reports whether the part certainly begins at the right place.
func (p *slicePart) certain() bool { return p.From != nil || p.First == 0 }

// notes returns the log for damage. Damage found before the part begins belongs to the previous
// slice. If a stream cannot even begin where that slice ended, the damage is its own.
func (s *Stream) notes() *damage.Log {
	if p := s.part; p.Begun || p.From != nil && s.sub.src == nil {
		return &p.log
	}
	return nil
}

// keepCount keeps the counts of a sub-buffer until the part is accepted.
func (s *Stream) keepCount(c counted) {
	p := s.part
	if have := cap(p.blocks); len(p.blocks) == have {
		more := max(64, 2*have)
		if s.lease.Swap(int64(have)*countedBytes, int64(more)*countedBytes) != nil {
			p.GiveUp() // then nothing has to be kept
			return
		}
		p.blocks = append(make([]counted, 0, more), p.blocks...)
	}
	p.blocks = append(p.blocks, c)
}

// readPart returns the next selected events of the part.
func (s *Stream) readPart() (record.Batch[Entry], error) {
	p := s.part
	if !p.started {
		p.started = true
		s.startPart()
	}
	for !p.Ended {
		if err := s.sel.choice.Err(); err != nil {
			return record.Batch[Entry]{}, err
		}
		b, err := s.batched()
		b = s.within(b)
		if err != nil {
			err = p.Fail(err)
		}
		if len(b.Records) > 0 || err != nil {
			return b, err
		}
	}
	s.Close()
	return record.Batch[Entry]{}, io.EOF
}

// startPart moves to the sub-buffer where the part begins, or to an earlier one.
func (s *Stream) startPart() {
	p := s.part
	switch from := p.From; {
	case from != nil && *from == record.AtEnd:
		p.EndAt(record.AtEnd)
	case from != nil:
		s.sub.next = int64(from.State[0])
		s.sub.last = int64(from.State[1]) - s.sub.next // as found before
		s.gaps.losses = lossesOf(from.State[2])
	case p.First > 0:
		var mark landmark
		mark, s.sub.last = before(p.marks, p.First)
		s.sub.next, s.gaps.losses, s.gaps.lost = mark.at, lossesOf(uint64(mark.total)), int64(mark.lost)
		s.sel.since = max(s.sel.since, p.First)
	}
	s.sub.share.Begin(s.sub.next)
}

// within moves the selected events of the part to the front.
//
// A part cannot begin at an unselected event: the merge does not see its time.
func (s *Stream) within(b record.Batch[Entry]) record.Batch[Entry] {
	p := s.part
	last := p.Last - 1 // for 0, all events are in the part
	records, entries := b.Records, b.Entries
	if p.Begun && !record.AnyLater(records, last) {
		if s.sel.choice.Quick(s.sieved()) {
			return b
		}
		return choice.Filter(s.sel.choice, b)
	}
	if !p.Begun && p.From == nil && !record.AnyLater(records, p.First-1) && !s.out.lossy() && s.sel.choice.Owed() == 0 {
		return record.Batch[Entry]{}
	}
	n := 0
	for i := range records {
		r, e := &records[i], &entries[i]
		if !p.Begun && p.From != nil {
			if e.Offset < p.From.At {
				continue
			}
			r.Lost = p.From.Lost
		}
		if !s.sel.choice.Takes(r) {
			continue
		}
		if !p.Begun {
			if p.From == nil && r.Time < p.First {
				continue
			}
			p.Begun, p.Begin = true, s.place(r, e)
			s.sel.since = p.since // times may go back
		}
		if r.Time > last {
			p.EndAt(s.place(r, e))
			break
		}
		if n < i {
			records[n], entries[n] = *r, *e
		}
		n++
	}
	return record.Batch[Entry]{Records: records[:n], Entries: entries[:n]}
}

// place returns the place of an event of the batch. All events of a batch are in one sub-buffer.
func (s *Stream) place(r *record.Record, e *Entry) record.Place {
	return record.Place{At: e.Offset, Lost: r.Lost,
		State: [3]uint64{uint64(s.sub.at), uint64(s.sub.next), s.gaps.entered}}
}

// passBarren begins or ends the part of a barren file before a sub-buffer. It returns false if the
// part has ended.
func (s *Stream) passBarren(h *header) bool {
	p, time := s.part, s.trace.Time(h.begin)
	here := record.Place{At: s.sub.at, State: [3]uint64{uint64(s.sub.at), uint64(s.sub.at + s.sub.last),
		s.gaps.losses.state()}}
	if !p.Begun && time >= p.First {
		p.Begun, p.Begin = true, here
		s.sel.since = p.since
	}
	if p.Begun && p.Last > 0 && time >= p.Last {
		p.EndAt(here)
	}
	return !p.Ended
}

// isOver reports whether the stream gives up. This is so if it has read too far beyond its part
// without selected events. bytes is the number of bytes that it is about to read.
func (s *Stream) isOver(bytes int64) bool {
	p := s.part
	if p.Last == 0 || p.barren || s.trace.Time(s.dec.tsc) < p.Last || p.Over(bytes) {
		return false
	}
	p.EndAt(record.AtEnd)
	return true
}
