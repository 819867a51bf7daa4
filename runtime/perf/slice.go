package perf

import (
	"bytes"
	"encoding/binary"

	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/record"
)

// slicePart is the state of a stream that reads a slice. A file is cut at the ends of rounds. So
// First and Last of a cut are places of FINISHED_ROUND records, not times.
//
// At the end of a round, the stream passes on the records up to the latest time of the previous
// round. The records that wait belong to the round that ends. So a slice needs only the latest time
// of the first round after First, and the later records of the second round. It ends where a slice
// that begins at Last would begin.
type slicePart struct {
	*record.Part
	log     *damage.Log  // of the part, or of the recording
	lent    bool         // the stream belongs to a Slice, and its memory is used again
	overlap bool         // the previous slice also reads the round
	ends    int          // rounds that ended at Last or later
	mark    int64        // place of the end of the first of them
	next    record.Place // of the end of the second: where the next slice begins
}

// A slice reads to the third end of a round at Last or later. The next slice begins at the second.
const (
	nextBegins = 2
	lastRound  = 3
)

// roundEnd returns the bytes of a FINISHED_ROUND record. The record has no body.
func (o order) roundEnd() []byte {
	var to binary.AppendByteOrder = binary.LittleEndian
	if o.big {
		to = binary.BigEndian
	}
	return to.AppendUint16(append(to.AppendUint32(nil, uint32(FinishedRound)), 0, 0), headerSize)
}

// Slices returns the records that opts select in slices of about size bytes, in the order of time.
// If size is 0, each worker gets several slices. There is only one slice if more would gain
// nothing, if the recording has several files or compressed records, or if its records are not in
// rounds.
func (r *Recording) Slices(opts record.Options, size int64) []record.Slice[Entry] {
	return inSlices[Entry](r, opts, size, (*Stream).itself)
}

// StreamSlices returns the records that opts select in slices, one file after the other. If there
// are several files, each file is a slice.
func (r *Recording) StreamSlices(opts record.Options, size int64) []record.Slice[Entry] {
	if len(r.files) == 1 {
		return r.Slices(opts, size)
	}
	return record.Slices[Entry](r.Streams(opts))
}

// TracepointSlices is Slices for the records of [Recording.Tracepoints].
func (r *Recording) TracepointSlices(opts record.Options, size int64) []record.Slice[record.None] {
	return inSlices[record.None](r, opts, size, onlyTracepoints)
}

// inSlices is Slices for the records of the streams that of returns.
func inSlices[E any, S record.Stream[E]](
	r *Recording, o record.Options, size int64, of func(*Stream) S,
) []record.Slice[E] {
	cuts := r.cuts(&o, size)
	if len(cuts) < 2 {
		return []record.Slice[E]{{Open: func(*record.Cut) *record.Merger[E] { return mergeAs[E](r.Streams(o), of) }}}
	}
	return record.CutSlices(cuts, func(c *record.Cut) *record.Merger[E] {
		return mergeAs[E]([]*Stream{r.cutStream(&o, c)}, of)
	})
}

// cuts looks for ends of rounds at distances of about size bytes. The bytes that it finds may also
// be part of a payload. The previous slice then does not end there.
func (r *Recording) cuts(opts *record.Options, size int64) (list []*record.Cut) {
	workers, f := opts.Parallel(), r.files[0]
	if workers <= 1 || r.grows() || len(r.files) > 1 || opts.After != nil || r.info.Storage.Compression.Type != 0 {
		return nil
	}
	if size <= 0 {
		size = record.SliceSize(f.to-f.from, workers)
	}
	size = max(size, (f.to-f.from)/record.MostSlices)
	last := &record.Cut{}
	list = []*record.Cut{last}
	for at := f.from + size; at < f.to; at += size {
		place := r.findRound(f, at, min(at+size, f.to))
		if place < 0 {
			continue
		}
		last.Last = uint64(place)
		last = &record.Cut{First: uint64(place)}
		list = append(list, last)
	}
	if len(list) > 1 {
		r.read.Share(f.to - f.from)
	}
	return list
}

// findRound returns the place of the first bytes between at and end that look like the end of a
// round. It returns -1 if there are no such bytes.
func (r *Recording) findRound(f *File, at, end int64) int64 {
	mark, buf := r.order.roundEnd(), make([]byte, blockSize)
	for at < end {
		n, err := f.src.ReadAt(buf[:min(blockSize, end-at)], at)
		if i := bytes.Index(buf[:n], mark); i >= 0 {
			return at + int64(i)
		}
		if err != nil || n < headerSize {
			return -1
		}
		at += int64(n - headerSize + 1)
	}
	return -1
}

// cutStream returns the stream of a slice.
func (r *Recording) cutStream(opts *record.Options, cut *record.Cut) *Stream {
	s := r.newStream(r.files[0], opts)
	s.part = &slicePart{Part: cut.Part(), log: new(damage.Log)}
	s.part.Accept = func() { r.damage.Join(s.part.log) }
	return s
}

// note adds damage to the damage of the recording, or of the slice.
func (s *Stream) note(at, skipped int64, err error) {
	switch p := s.part; {
	case p == nil:
		s.rec.damage.Note(s.file.Path, at, skipped, err)
	case !p.overlap:
		p.log.Note(s.file.Path, at, skipped, err)
	}
}

// startPart goes to the beginning of the part.
func (s *Stream) startPart() {
	p := s.part
	s.source.share = s.rec.read.Part()
	switch {
	case p.From != nil && *p.From == record.AtEnd:
		s.startAtEnd()
	case p.From != nil:
		p.Begun, p.Begin, p.mark = true, *p.From, int64(p.From.State[1])
		s.choice.Owe(p.From.Lost)
		if p.Last > 0 && p.mark >= int64(p.Last) {
			s.ended, p.ends, p.next = true, lastRound, *p.From
			return
		}
		s.source.at = p.From.At
		s.readRounds(1, p.From.State[0])
	case p.First > 0:
		s.source.at = int64(p.First)
		if at, latest := s.readRounds(2, 0); !s.ended {
			p.Begun, p.Begin = true, place(at, latest, int64(p.First))
		}
	default:
		s.source.share.Begin(s.source.at)
	}
}

// startAtEnd begins a part without records. The previous slice reads the rest of the file.
func (s *Stream) startAtEnd() {
	s.ended, s.part.Begun, s.part.Begin = true, true, record.AtEnd
}

// place returns the place at which a slice begins: the end of a round, the latest time up to there,
// and the end of the previous round.
func place(at int64, latest uint64, before int64) record.Place {
	return record.Place{At: at, State: [3]uint64{latest, uint64(before)}}
}

// readRounds reads up to the n-th end of a round. It returns the place of that end, and the latest
// time up to there. latest is the latest time of the records before.
func (s *Stream) readRounds(n int, latest uint64) (int64, uint64) {
	s.source.share.Begin(s.source.at)
	for {
		r, err := s.source.next()
		if err != nil {
			s.startAtEnd()
			return 0, 0
		}
		w := &s.source.windows[fromFile]
		w.keep = w.at
		if e := s.eventOf(r); e != nil {
			latest = max(latest, s.timeOf(e, r.body))
		}
		if r.kind != FinishedRound {
			continue
		}
		s.sorter.latest = latest
		s.endRound(r.place)
		if n--; n == 0 {
			s.last, s.part.overlap = latest, true
			return r.place, latest
		}
	}
}

// endRound passes on records at the end of a round.
func (s *Stream) endRound(at int64) {
	l, p := &s.sorter, s.part
	s.last = max(s.last, l.passed) // also of records in rounds that were skipped
	l.round()
	if p == nil {
		return
	}
	if p.overlap {
		s.next, p.overlap = l.ready, false
	}
	if p.Last == 0 || p.ends == 0 && at < int64(p.Last) {
		return
	}
	switch p.ends++; p.ends {
	case 1:
		p.mark = at
	case nextBegins:
		p.next = place(at, l.latest, p.mark)
	case lastRound:
		s.ended = true
	}
}

// finish passes on the remaining records at the end of the file, except the records of the next
// slice.
func (s *Stream) finish() {
	l, p := &s.sorter, s.part
	switch {
	case p != nil && p.ends == nextBegins:
		l.round()
		return
	case p != nil && p.overlap:
		l.sort()
		s.next = l.upTo(l.barrier)
	}
	l.finish()
}

// endPart notes the end of the part.
func (s *Stream) endPart() {
	p := s.part
	if p == nil {
		return
	}
	if p.ends < nextBegins {
		p.next = record.AtEnd
	}
	p.next.Lost = s.choice.Owed()
	p.EndAt(p.next)
}

// cannotCut reports whether the stream must be read whole, and ends the slice. The rest of the
// stream is then read alone and is never cut.
func (s *Stream) cannotCut() bool {
	p := s.part
	if p == nil || p.Last == 0 && (p.First == 0 || p.From != nil) {
		return false
	}
	p.GiveUp()
	s.ended = true
	return true
}
