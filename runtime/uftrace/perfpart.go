package uftrace

import (
	"github.com/tracec/tracec/runtime/internal/progress"
	"github.com/tracec/tracec/runtime/record"
)

const (
	// perfStride is the minimum distance of landmarks in files of perf, in bytes.
	perfStride = 16 << 10
	// leastPerf is the number of bytes that are read after the probable end of a part of a perf
	// file.
	leastPerf = 4 << 10
)

// perfBytes returns the size of all files of perf, in bytes.
func (r *Recording) perfBytes() (n int64) {
	if r.info.Features&FeatPerfEvent == 0 {
		return 0
	}
	for _, name := range r.perfFiles() {
		n += r.sizeOf(name)
	}
	return n
}

// muchPerf is the size of files of perf from which reading them takes a noticeable time.
const muchPerf = 8 << 20

// MostlyPerf reports whether the recording is large and most of it is in the files of perf. Several
// goroutines then gain nothing: they must read these files twice, or wait for a goroutine that
// reads them first.
func (r *Recording) MostlyPerf() bool {
	perf, threads := r.perfBytes(), int64(0)
	for _, t := range r.threads.list {
		threads += r.sizeOf(t.File)
	}
	return perf >= muchPerf && perf > threads
}

// surveyPerf adds landmarks of the files of perf. These have no marks that identify the start of a
// record, so they are read in full. They are small compared with files of threads.
func (r *Recording) surveyPerf(opts *record.Options, found landmarks) {
	streams := r.perfStreams(&MergeOptions{Options: record.Options{Context: opts.Context}})
	lists := record.SampleAll(opts.Parallel(), len(streams), func(i int) []landmark { return streams[i].survey() })
	for i, s := range streams {
		found[s.File()] = lists[i]
	}
}

// survey reads the file and returns landmarks in it.
func (s *perfStream) survey() (list []landmark) {
	defer s.close()
	stride := max(perfStride, s.r.sizeOf(s.File())/record.MostSamples)
	s.offs, s.silent, s.file.share = make([]int64, 0, perfBatch), true, progress.Share{}
	for next := int64(0); ; {
		b, err := s.Next()
		if err != nil {
			return list
		}
		if at := s.offs[0]; at >= next {
			list = append(list, landmark{at, b.Records[0].Time + 1})
			next = at + stride
		}
	}
}

// note reports damage as [Stream.note] does.
func (s *perfStream) note(off, skipped int64, err error) {
	switch {
	case s.silent:
	case s.part != nil:
		s.part.log.Note(s.file.name, off, skipped, err)
	default:
		s.r.damage.Note(s.file.name, off, skipped, err)
	}
}

// restart implements partial.
func (s *perfStream) restart(at record.Place) {
	s.in.off, s.in.pos, s.in.eof, s.skipped = at.At, 0, false, 0
	s.file.share.Begin(at.At)
}

// within implements partial. See [Stream.within].
func (s *perfStream) within(b record.Batch[Entry]) record.Batch[Entry] {
	p, n := s.part, 0
	last := p.Last - 1 // for 0, all events are in the part
	recs, ents := b.Records, b.Entries
	for i := range recs {
		r := &recs[i]
		if !s.choice.Takes(r) || !p.Begun && p.From == nil && r.Time < p.First {
			continue
		}
		if !p.Begun {
			p.begin(r, record.Place{At: s.offs[i]})
		}
		if r.Time > last {
			p.end(record.Place{At: s.offs[i], Lost: r.Lost})
			break
		}
		recs[n], ents[n] = *r, ents[i]
		n++
	}
	if !p.Ended && len(recs) > 0 && recs[len(recs)-1].Time > last && !p.Over(s.in.off+int64(s.in.pos)-s.offs[0]) {
		p.end(record.AtEnd)
	}
	return record.Batch[Entry]{Records: recs[:n], Entries: ents[:n]}
}
