package uftrace

import (
	"errors"
	"io"
	"io/fs"

	"github.com/tracec/tracec/runtime/record"
)

// landmark is a place of a file where there is a record before a time.
type landmark struct {
	at   int64
	time uint64
}

// landmarks are those of threads, in the order of the file.
type landmarks map[*Task][]landmark

const (
	// sampleBlock is how many bytes are read at a time to find the time at a place, and sampleBytes how many at most.
	sampleBlock = 512
	sampleBytes = 4 << 10
	// leastStride is how far apart places are that are asked for their time, in bytes, where there are several files and slices are not smaller.
	leastStride = 4 << 10
)

// sample looks for a record in places of a file of so many bytes that are stride bytes apart.
func (s *Stream) sample(size, stride int64) (list []landmark) {
	s.block = sampleBlock
	for off := int64(0); off < size; off += stride {
		if p, ok := s.sampleAt(off &^ 7); ok {
			list = append(list, p)
		}
	}
	return list
}

// sampleAt looks for a record that says its time near a place.
func (s *Stream) sampleAt(off int64) (p landmark, ok bool) {
	s.restart(off)
	for s.off+int64(s.pos) < off+sampleBytes {
		b := s.peek(3 * recordSize)
		if len(b) < recordSize {
			break
		}
		if !s.plausible(b) {
			s.pos += 8
			continue
		}
		time, word := s.words(b)
		if Kind(word&3) != Lost {
			return landmark{s.off + int64(s.pos), time + 1}, true
		}
		s.pos += recordSize
	}
	return landmark{}, false
}

// fileSize returns the size of a thread's file, 0 when that is not known.
func (r *Recording) fileSize(t *Task) int64 {
	st, err := fs.Stat(r.dir, t.File)
	if err != nil {
		return 0
	}
	return st.Size()
}

// sliceSize returns how many bytes slices have that are about size, 0 where nothing is cut.
func (r *Recording) sliceSize(opts *record.Options, size int64) int64 {
	workers := opts.Parallel()
	if workers <= 1 || opts.After != nil || opts.CPUs != nil || r.Follows() || !r.seekable() {
		return 0
	}
	if size > 0 {
		return size
	}
	total := int64(0)
	for _, t := range r.tasks {
		if opts.HasTask(t.TID) {
			total += r.fileSize(t)
		}
	}
	return record.SliceSize(total, workers)
}

// cuts returns where the files of threads are cut into slices of about size bytes.
func (r *Recording) cuts(opts *record.Options, tasks []*Task, v *views, size int64) ([]*record.Cut, landmarks) {
	if size == 0 {
		return []*record.Cut{nil}, nil
	}
	sizes, total, n := make([]int64, len(tasks)), int64(0), int64(0)
	for i, t := range tasks {
		if opts.HasTask(t.TID) {
			sizes[i] = r.fileSize(t)
			r.read.Share(sizes[i])
			total += sizes[i]
			n++
		}
	}
	stride := size // of one file
	if n > 1 {
		stride = max(min(size, leastStride), size/n/record.SliceSamples)
		size = max(size, n*stride)
	}
	if total <= size {
		return []*record.Cut{{}}, nil
	}
	found := landmarks{}
	var samples []record.Sample
	for i, t := range tasks {
		if sizes[i] == 0 {
			continue
		}
		s := r.newStream(t, v, len(tasks))
		s.file = r.openFile(t.File, false)
		list := s.sample(sizes[i], stride)
		for _, p := range list {
			samples = append(samples, record.Sample{Time: p.time, Size: stride})
		}
		found[s.task] = list
		s.close()
	}
	list := record.Cuts(samples, size)
	if list[0] == nil {
		list[0] = &record.Cut{}
	}
	return list, found
}

// seekable reports whether files can be read from any place.
func (r *Recording) seekable() bool {
	for _, t := range r.tasks {
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
