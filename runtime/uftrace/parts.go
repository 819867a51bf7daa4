package uftrace

import (
	"context"

	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/record"
)

const (
	// partBytes is the approximate size of the parts of an index: 4096 records, since most have no
	// payload. With short parts fewer bytes are read for a single selected record, but the index is
	// larger. The set of kinds of a part has a bit for each kind of the recording, which is a few
	// hundred bytes for most programs.
	partBytes = 64 << 10
	// kindBytes is the minimum length of parts for each kind of the recording. The sets are then a
	// 32nd of it.
	kindBytes = 4
	// partShare is the share of a part that is worth skipping by itself.
	partShare = 64
)

// partBytes returns the approximate length of the parts of an index, in bytes.
func (r *Recording) partBytes() int64 {
	if r.config.parts > 0 {
		return r.config.parts
	}
	return partBytes
}

// leastPart returns the size of the shortest parts that are skipped, in bytes. Shorter ones would
// not help, and would make the index large.
func (r *Recording) leastPart() int64 { return max(recordSize, r.partBytes()/partShare) }

// lister lists the parts of a file. Some records are in no part: lost records, records out of the
// order of time or far from the previous one, and records directly after a loss or damage. So at
// the end of a part a stream knows its last time, and all other state is as before the part.
type lister struct {
	stream *Stream
	to     *index.Builder
	size   int64 // minimum size of a part
	least  int64

	part  index.Part
	kinds index.Kinds
	begun bool
	next  position // of the next record
	after bool     // there was a loss or damage directly before it
}

// list reads the file.
func (l *lister) list(ctx context.Context) error {
	s := l.stream
	defer s.close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		met := s.r.damage.Met()
		b, err := s.read()
		damaged := s.r.damage.Met() != met
		if err != nil { // the end: the rest cannot be read, which is damage
			if !damaged {
				l.finish(l.next.at)
			}
			return nil
		}
		end := position{s.in.off + int64(s.in.pos), s.prev.time, s.prev.other}
		if damaged { // before consecutive records, or after the only one
			l.begun, l.after = false, true
			l.next.at = end.at - length(b)
		}
		for i := range b.Records {
			l.add(&b.Records[i], &b.Entries[i])
		}
		l.next = end
	}
}

// length returns the number of bytes of the file that the records of a batch take.
func length(b record.Batch[Entry]) int64 {
	var at position
	for i := range b.Records {
		at.pass(&b.Records[i], &b.Entries[i])
	}
	return at.at
}

// add adds a record to the part, or begins one.
func (l *lister) add(r *record.Record, e *Entry) {
	here := l.next
	l.next.pass(r, e)
	first := here.last == 0 && !l.begun // the first record may have any time
	steady := e.Kind != Lost && (r.Time-here.last <= maxSilence || first)
	if l.begun && (!steady || here.at-l.part.At >= l.size) {
		l.finish(here.at)
	}
	if !steady || l.after {
		l.after = e.Kind == Lost || e.More && r.Data == nil
		return
	}
	if !l.begun {
		l.begun, l.kinds = true, l.kinds[:0]
		l.part = index.Part{At: here.at, First: r.Time}
		l.size = max(l.stream.r.partBytes(), kindBytes*int64(l.to.Kinds()))
	}
	l.part.Last = r.Time
	l.part.Records++
	l.kinds.Add(r.ID)
}

// finish lists the part, which ends at an offset. A record or the end of the file must follow
// there, so that no search moves back into the last payload of the part.
func (l *lister) finish(end int64) {
	if l.part.Bytes = end - l.part.At; l.begun && l.part.Bytes >= l.least {
		l.to.Add(l.part, l.kinds)
	}
	l.begun = false
}

// PassOver makes a stream that has not been read yet skip parts of the file that have no records of
// some kinds, by the index. Kinds are values of Record.ID. For other parts all records are
// returned, and losses are returned from all parts. It is for readers that select records
// themselves.
func (s *Stream) PassOver(ids []uint32) {
	least := s.r.leastPart()
	s.unwanted = s.r.index.Unwanted(s.task.File, ids, func(p *index.Part) bool { return p.Bytes < least })
}

// pass skips the parts that need not be read and that begin at the end of the bytes already read.
// It reports whether it skipped any.
func (s *Stream) pass() (passed bool) {
	end := s.in.off + int64(len(s.in.buf))
	for s.in.pos == len(s.in.buf) && !s.in.eof && s.unwanted.Has(end) {
		p := &s.unwanted.Part
		switch {
		case p.First-s.prev.time <= maxSilence:
		case s.prev.time == 0:
			s.prev.jump(p.First)
		default: // a slice without earlier times
			return passed
		}
		end += p.Bytes
		s.in.off, s.in.buf, s.in.pos, s.prev.time = end, s.in.buf[:0], 0, p.Last
		s.choice.Pass(p.Last)
		passed = true
	}
	return passed
}

// reach returns the number of bytes from pos on that must be read, at most want. It stops at the
// end of the slice and at the next part to skip.
func (s *Stream) reach(want int) int {
	if s.part != nil {
		have := len(s.in.buf) - s.in.pos
		want = have + int(s.part.Reach(s.in.off+int64(len(s.in.buf)), int64(want-have), minBlock))
	}
	if u := s.unwanted; u != nil {
		u.Has(s.in.off + int64(len(s.in.buf)) + 1) // a part that begins at the end of the bytes is not skipped
		if u.More {
			want = int(min(int64(want), u.At-s.in.off-int64(s.in.pos)))
		}
	}
	return want
}
