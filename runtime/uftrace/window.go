package uftrace

import (
	"io"
	"math"

	"github.com/tracec/tracec/runtime/record"
)

// A file of at least this many bytes is not read as a whole for a time window. The begin and end of
// the window are searched, down to a distance in bytes that takes as long to read as to search.
// Tests change them.
var (
	leastWindow int64 = 256 << 10
	nearWindow  int64 = closest
)

// chainLength is the number of consecutive records required at a place to accept it as the start of
// a record, and its time as undamaged, without reading the bytes before it.
const chainLength = 8

// window is the part of a file with the records of a time window, if these are in the order of
// time. It contains all selected records of the file. A to of 0 means the end of the file.
type window struct{ from, to int64 }

// windows finds the time window that opts select in the files of threads. Files that are not in the
// result are read in full. The result is the same for any number of workers.
func (r *Recording) windows(opts *record.Options) map[*Task]window {
	if opts.Since == 0 && opts.Until == 0 || r.Follows() {
		return nil
	}
	found := record.SampleAll(opts.Parallel(), len(r.threads.list), func(i int) []window {
		if t := r.threads.list[i]; opts.HasTask(t.TID) {
			return []window{r.window(t, opts)}
		}
		return nil
	})
	all := make(map[*Task]window, len(r.threads.list))
	for i, t := range r.threads.list {
		if len(found[i]) > 0 {
			all[t] = found[i][0]
		}
	}
	return all
}

// window looks for the window in the file of a thread, by bisection.
func (r *Recording) window(t *Task, opts *record.Options) (w window) {
	size := r.sizeOf(t.File)
	if size < leastWindow {
		return w
	}
	s := r.sampler(t)
	defer s.close()
	if !s.file.seeks() {
		return w
	}
	low, high := landmark{}, landmark{size, math.MaxUint64}
	if opts.Since > 0 {
		low, _ = s.bisect(low, high, opts.Since, nearWindow, nil)
		w.from = low.at
	}
	if opts.Until > 0 {
		if _, at := s.bisect(low, high, opts.Until, nearWindow, nil); at.at < size {
			w.to = at.at
		}
	}
	return w
}

// bisect returns the last place that is known to be before a time, and the first that is not. They
// are near bytes apart, or closer if there are records with suitable times. They are farther apart
// if the next records do not confirm a place between them. bisect passes the places that it finds
// on the way to met, which may be nil.
func (s *Stream) bisect(low, high landmark, time uint64, near int64, met func(landmark)) (before, after landmark) {
	for high.at-low.at > near {
		p, ok := s.sampleAt(low.at + (high.at-low.at)/2)
		if !ok || p.at >= high.at || p.time < low.time || p.time > high.time || !s.confirms(p, time) {
			break
		}
		if met != nil {
			met(p)
		}
		if p.time <= time {
			low = p
		} else {
			high = p
		}
	}
	return low, high
}

// confirms reports whether several consecutive records begin at a place of the file, as far as
// their lengths are known, and all of them are on the same side of a time. A damaged time is on the
// other side of it than the times of the next records.
func (s *Stream) confirms(p landmark, limit uint64) bool {
	s.restart(record.Place{At: p.at})
	for range chainLength {
		b := s.peek(recordSize + maxPayload/16)
		if len(b) < recordSize {
			return len(b) == 0
		}
		if !s.plausible(b) {
			return false
		}
		time, word := s.words(b)
		var rec record.Record
		var e Entry
		size, st := 0, full
		if s.describe(&rec, &e, time, word); e.More {
			size, st = s.payloadAt(b[recordSize:], &e, &rec)
		}
		if e.Kind != Lost && (time < limit) != (p.time <= limit) {
			return false
		}
		if st != full { // its length cannot be determined, or not yet
			return st == needMore
		}
		s.in.pos += recordSize + size
		s.prev.time = time
	}
	return true
}

// seeks reports whether the file can be read from any place.
func (f *file) seeks() bool {
	if f.handle == nil && f.open() != nil {
		return false
	}
	_, ok := f.handle.(io.ReaderAt)
	return ok
}
