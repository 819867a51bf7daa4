package uftrace

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/tracec/tracec/runtime/record"
)

// landmark is a place of a file with a record before a time.
type landmark struct {
	at   int64
	time uint64
}

// landmarks are landmarks by the names of files, in the order of each file.
type landmarks map[string][]landmark

const (
	// sampleBlock is the number of bytes read at a time to find the time at a place. sampleBytes is
	// the maximum number.
	sampleBlock = 512
	sampleBytes = 4 << 10
	// leastStride is the distance of places whose times are sampled, in bytes, if there are several
	// files and slices are not smaller.
	leastStride = 4 << 10
	// sliceSamples is the number of places sampled for each slice and file. More samples take
	// longer than the unneeded records read at both ends of a slice.
	sliceSamples = 2
	// closest is the maximum distance of landmarks around a cut, in bytes. A look into a file takes
	// as long as reading that many bytes.
	closest = 8 << 10
	// closestPart replaces closest for long strides: it is a fraction of the stride. So large
	// recordings have only a few times as many landmarks.
	closestPart = 8
)

// sample looks for records in a part of a file, at places that are stride bytes apart.
func (s *Stream) sample(in window, stride int64) (list []landmark) {
	for off := in.from; off < in.to; off += stride {
		if p, ok := s.sampleAt(off); ok {
			list = append(list, p)
		}
	}
	return list
}

// sampleAt looks for a record with its time near a place.
func (s *Stream) sampleAt(off int64) (p landmark, ok bool) {
	off &^= 7 // records begin at multiples of 8
	s.restart(record.Place{At: off})
	for s.in.off+int64(s.in.pos) < off+sampleBytes {
		b := s.peek(3 * recordSize)
		if len(b) < recordSize {
			break
		}
		if !s.plausible(b) {
			s.in.pos += 8
			continue
		}
		time, word := s.words(b)
		if Kind(word&3) != Lost {
			return landmark{s.in.off + int64(s.in.pos), time + 1}, true
		}
		s.in.pos += recordSize
	}
	return landmark{}, false
}

// files are the files of the threads to read.
type files struct {
	windows map[*Task]window // of Recording.windows
	read    map[*Task]window // their beginnings and ends, as far as they are known
	slice   int64            // approximate size of a slice; if 0, there are no cuts
	least   int64            // least distance of sampled places
	// workers limits the number of goroutines that look into files at once.
	workers int
}

// toCut returns the files of the selected threads, and the files in the same directory, to be cut
// into slices of about size bytes.
func (r *Recording) toCut(opts *record.Options, size, beside int64) files {
	f, workers := files{windows: r.windows(opts)}, opts.Parallel()
	if workers <= 1 || opts.After != nil || opts.CPUs != nil || r.Follows() || !r.seekable() {
		return f
	}
	total := int64(0)
	f.read, f.slice, f.workers = map[*Task]window{}, size, workers
	for _, t := range r.threads.list {
		if !opts.HasTask(t.TID) {
			continue
		}
		w := f.windows[t]
		if w.to == 0 {
			w.to = r.sizeOf(t.File)
		}
		w.to = max(w.from, w.to)
		f.read[t] = w
		r.read.Share(w.to - w.from)
		total += w.to - w.from
	}
	if size <= 0 {
		f.slice = record.SliceSize(total+beside, workers)
	}
	if beside > 0 {
		f.slice = max(1, int64(float64(f.slice)*float64(total)/float64(total+beside)))
	}
	f.slice = max(f.slice, total/record.MostSlices)
	f.least = total / record.MostSamples
	return f
}

// cuts returns the cuts of the files of threads.
func (r *Recording) cuts(f files, tasks []*Task) ([]*record.Cut, landmarks) {
	if f.slice == 0 {
		return []*record.Cut{nil}, nil
	}
	total, n := int64(0), int64(0)
	for _, t := range tasks {
		if w, chosen := f.read[t]; chosen {
			total += w.to - w.from
			n++
		}
	}
	slice, stride := f.slice, f.slice // stride is for one file
	if n > 1 {
		stride = max(min(slice, leastStride), slice/n/sliceSamples, f.least)
		slice = max(slice, n*stride)
	}
	var found landmarks
	var samples []record.Sample
	if total > slice {
		found, samples = r.sample(f, tasks, stride)
	}
	list := record.Cuts(samples, slice)
	if n > 1 && len(list) > 1 { // cuts are at the landmarks of a single file
		found = r.look(f, tasks, func(s *Stream) []landmark { return s.approach(found[s.task.File], list[1:]) })
	}
	if list[0] == nil {
		list[0] = &record.Cut{} // not nil: even a slice must exclude the records of other slices
	}
	return list, found
}

// sample looks for records in files, at places that are stride bytes apart.
func (r *Recording) sample(f files, tasks []*Task, stride int64) (landmarks, []record.Sample) {
	found := r.look(f, tasks, func(s *Stream) []landmark { return s.sample(f.read[s.task], stride) })
	var samples []record.Sample
	for _, t := range tasks {
		for _, p := range found[t.File] {
			samples = append(samples, record.Sample{Time: p.time, Size: stride})
		}
	}
	return found, samples
}

// sampler returns a stream for samples of the file of a thread. It reads little at a time.
func (r *Recording) sampler(t *Task) *Stream {
	s := r.newStream(t, r.newViews(), len(r.threads.list))
	s.block, s.file = sampleBlock, r.openFile(t.File, false)
	return s
}

// look returns the results of in for the files of threads, from several goroutines. Each file has a
// stream that reads little at a time.
func (r *Recording) look(f files, tasks []*Task, in func(*Stream) []landmark) landmarks {
	lists := record.SampleAll(f.workers, len(tasks), func(i int) []landmark {
		t := tasks[i]
		if w := f.read[t]; w.from == w.to {
			return nil
		}
		s := r.sampler(t)
		defer s.close()
		return in(s)
	})
	found := landmarks{}
	for i, t := range tasks {
		found[t.File] = lists[i]
	}
	return found
}

// approach returns landmarks with some additional ones that are closer to the cuts. A slice reads
// from the last landmark before it begins to the first one after its end.
func (s *Stream) approach(list []landmark, cuts []*record.Cut) []landmark {
	more := slices.Clone(list)
	for _, c := range cuts {
		i := after(list, c.First)
		if i == 0 || i == len(list) || list[i-1].time == c.First {
			continue
		}
		low, high := list[i-1], list[i]
		s.bisect(low, high, c.First, max(closest, (high.at-low.at)/closestPart),
			func(p landmark) { more = append(more, p) })
	}
	slices.SortFunc(more, func(a, b landmark) int { return cmp.Compare(a.at, b.at) })
	return slices.Compact(more)
}

// seekable reports whether files can be read from any place.
func (r *Recording) seekable() bool {
	for _, t := range r.threads.list {
		f, _, err := openRegular(r.dir, t.File)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false
		}
		_, ok := f.(io.ReaderAt)
		f.Close()
		return ok
	}
	return false
}
