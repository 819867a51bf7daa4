package lttng

import (
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/tracec/tracec/runtime/record"
)

const (
	// sliceMemory is for the windows and batches of all streams of slices that are read at the same
	// time.
	sliceMemory = 32 << 20
	// sliceWindow is the minimum window of streams of slices. Bytes read beyond the end of a slice
	// are wasted.
	sliceWindow = 32 << 10
	// fewSlices is the size of slices relative to slices of other containers. Sub-buffers are
	// large, and the events before a slice in each sub-buffer are read twice.
	fewSlices = 3
	// leastShare is the minimum size of one stream's share of a slice, in bytes. Smaller slices
	// gain nothing.
	leastShare = 4 << 10
	// countedBytes is the memory for each sub-buffer that a part has entered.
	countedBytes = int64(unsafe.Sizeof(counted{}))
)

// landmark is a place in a file where a sub-buffer begins. Its time is the latest begin of this
// sub-buffer and all before it.
type landmark struct {
	at    int64
	time  uint64
	total uint32 // number of lost events, by the previous header
	lost  uint32 // number of them since the last event before, as far as it is known without reading events
}

// before returns the last sub-buffer before the first one that begins at a time or later, and the
// size of the sub-buffer before it.
func before(list []landmark, time uint64) (l landmark, last int64) {
	i := sort.Search(len(list), func(i int) bool { return list[i].time >= time })
	if i > 0 {
		l = list[i-1]
	}
	if i > 1 {
		last = l.at - list[i-2].at
	}
	return l, last
}

// cutting is the state shared by the streams of all slices.
type cutting struct {
	files        []*File // the files to read
	handles      map[*File]*handle
	marks        map[*File][]landmark
	sizes        map[*File]*atomic.Int64 // 1 + offset of the last sub-buffer searched, if its size is right
	barren       map[*File]bool          // files without selected markers
	samples      [][]record.Sample       // by file
	slice        int64                   // approximate size of a slice in bytes
	window, room int                     // of each stream

	mu    sync.Mutex
	spare []buffers // buffers of ended slices, for reuse: without them the garbage collector would run all the time
}

// buffers are the buffers of a stream.
type buffers struct {
	buf     []byte
	batch   []record.Record
	entries []Entry
}

// Slices returns the records that opts select in slices of about size bytes, in the order of time.
// If size is 0, there are several slices for each worker. There is only one slice if more would
// gain nothing or too little is known: with one worker, if the recording is followed, or if memory
// is short. The same holds if threads are selected or wanted ([WithTasks]), or if the selection
// depends on the previous record (Options.After).
func (r *Recording) Slices(opts record.Options, size int64) []record.Slice[Entry] {
	if k := r.toCut(&opts, size); k != nil {
		cuts := record.Cuts(slices.Concat(k.samples...), k.slice)
		if k.samples = nil; cuts[0] != nil {
			k.begin(r)
			return record.CutSlices(cuts, func(c *record.Cut) *record.Merger[Entry] {
				return MergeStreams(k.streams(r,
					k.files, opts, c))
			})
		}
	}
	return []record.Slice[Entry]{{Open: func(c *record.Cut) *record.Merger[Entry] {
		o := opts
		o.Cut = c
		return r.Merge(o)
	}}}
}

// StreamSlices returns the records that opts select in slices of about size bytes, one file after
// the other. If size is 0, there are several slices for each worker. If [Recording.Slices] has only
// one slice, each file is one slice here.
func (r *Recording) StreamSlices(opts record.Options, size int64) (list []record.Slice[Entry]) {
	k := r.toCut(&opts, size)
	switch {
	case r.watch != nil:
		return record.Slices(r.Streams(opts))
	case k == nil:
		return r.fileSlices(opts)
	}
	k.begin(r)
	for i, f := range k.files {
		own := []*File{f}
		cuts := record.Cuts(k.samples[i], k.slice)
		if cuts[0] == nil {
			cuts[0] = &record.Cut{} // not nil: it is read like slices
		}
		list = append(list, record.CutSlices(cuts, func(c *record.Cut) *record.Merger[Entry] {
			return record.Only(k.streams(r, own, opts, c)[0], i)
		})...)
	}
	k.samples = nil
	return list
}

// fileSlices returns each file that opts select as a slice.
func (r *Recording) fileSlices(opts record.Options) (list []record.Slice[Entry]) {
	for _, f := range r.files {
		if !opts.HasCPU(int32(f.CPU)) {
			continue
		}
		i := len(list)
		list = append(list, record.Slice[Entry]{Open: func(c *record.Cut) *record.Merger[Entry] {
			o := opts
			o.Cut = c
			return record.Only(r.stream(f, o), i)
		}})
	}
	return list
}

// toCut prepares to cut the files that opts select. It returns nil if they must not be cut.
func (r *Recording) toCut(opts *record.Options, size int64) *cutting {
	workers := opts.Parallel()
	if workers <= 1 || opts.After != nil || opts.Tasks != nil || r.config.tasks && r.switches != nil || r.watch != nil {
		return nil
	}
	k := &cutting{handles: map[*File]*handle{}, marks: map[*File][]landmark{}, sizes: map[*File]*atomic.Int64{},
		barren: map[*File]bool{}}
	total, used := int64(0), int64(0)
	for _, f := range r.files {
		if opts.HasCPU(int32(f.CPU)) {
			k.files = append(k.files, f)
			k.handles[f] = &handle{all: &r.handles, name: f.Path}
			k.sizes[f] = new(atomic.Int64)
			total += f.Size
		}
	}
	if size <= 0 {
		k.slice = record.SliceSize(0, workers) // the minimum
	}
	if total <= max(size, k.slice) || !k.handles[k.files[0]].seekable() {
		return nil
	}
	share := min(sliceMemory, r.memory.Left()/2) / int64(len(k.files)) / int64(workers+1)
	if share < leastShare {
		return nil
	}
	for _, f := range k.files {
		list := k.survey(r, opts, f)
		k.samples = append(k.samples, list)
		for _, s := range list {
			used += s.Size
		}
	}
	if k.slice = size; size <= 0 {
		k.slice = fewSlices * record.SliceSize(used, workers)
	}
	k.window = int(max(minWindow, min(window, share/4*3, max(sliceWindow, k.slice/8/int64(len(k.files))))))
	k.room = int(max(minBatch, min(maxBatch, share/4/entryBytes)))
	return k
}

// begin sets the number of bytes to read, for the progress of the recording.
func (k *cutting) begin(r *Recording) {
	for _, f := range k.files {
		r.read.Share(f.Size)
	}
}

// streams returns the streams of files in a slice.
func (k *cutting) streams(r *Recording, files []*File, opts record.Options, c *record.Cut) []*Stream {
	opts.Cut = c
	list := make([]*Stream, len(files))
	for i, f := range files {
		list[i] = r.plainStream(f, opts)
		list[i].slice(c.Part(), k)
	}
	return list
}

// equip gives a stream the buffers of an ended stream. It returns false if there are no such
// buffers.
func (k *cutting) equip(s *Stream) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	last := len(k.spare) - 1
	if last < 0 {
		return false
	}
	b := k.spare[last]
	if s.lease.Swap(0, int64(cap(b.buf))) != nil {
		return false
	}
	k.spare = k.spare[:last]
	s.sub.buf, s.out.records, s.out.entries = b.buf[:0], b.batch, b.entries
	return true
}

// put stores the buffers of a stream for reuse.
func (k *cutting) put(s *Stream) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s.out.records != nil {
		b := buffers{s.sub.buf, s.out.records, s.out.entries}
		if cap(b.buf) > k.window { // the buffer was for a large event
			b.buf = nil
		}
		k.spare = append(k.spare, b)
	}
	s.out.records, s.out.entries = nil, nil
}

// span is the header data of a sub-buffer, or of several consecutive ones.
type span struct {
	at         int64
	begin, end uint64 // the times; an end of 0 is unknown
	used       int64  // number of bytes to read
	total      uint32 // as in landmarks
	lost       uint32
}

// join adds the next span.
func (p *span) join(next span) {
	p.end = max(p.end, next.end)
	p.used += next.used
}

// spans are the spans of one file. There are at most most. In a file with more sub-buffers, each
// span covers several.
type spans struct {
	list       []span
	most       int // even
	each, last int // number of sub-buffers in each span, and in the last one
}

func (l *spans) add(p span) {
	if len(l.list) > 0 && l.last < l.each {
		l.list[len(l.list)-1].join(p)
		l.last++
		return
	}
	if len(l.list) == l.most {
		for i := 0; i < l.most; i += 2 {
			l.list[i].join(l.list[i+1])
			l.list[i/2] = l.list[i]
		}
		l.list = l.list[:l.most/2]
		l.each *= 2
	}
	l.list, l.last = append(l.list, p), 1
}

// landmarks returns the places of the sub-buffers.
func (l *spans) landmarks() []landmark {
	list, time := make([]landmark, len(l.list)), uint64(0)
	for i, p := range l.list {
		time = max(time, p.begin)
		list[i] = landmark{p.at, time, p.total, p.lost}
	}
	return slices.Clip(list)
}
