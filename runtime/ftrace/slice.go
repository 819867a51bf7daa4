package ftrace

import (
	"cmp"
	"io"
	"slices"
	"sync"

	"github.com/tracec/tracec/runtime/record"
)

// slice turns a stream into a stream of a part.
func (s *stream) slice(p *record.Part) {
	s.sl.part = p
	p.Accept = func() { s.rec.damage.Join(&s.sl.held) }
	if s.sl.flat, _ = s.blocks.(*flat); s.sl.flat != nil {
		s.sl.flat.part = p
	}
	if p.From != nil && *p.From == record.AtEnd {
		s.end(io.EOF)
	}
	if p.First > s.sel.since && p.From == nil {
		s.sel.since = p.First
	}
	if s.err != nil {
		s.endPart()
	}
}

// narrow limits the search for the beginning of a part to the range between two pages with known
// times, and estimates its end. If times go back, both the range and the search may be wrong: see
// record.Cut.
func (s *stream) narrow(places []place) {
	f := s.sl.flat
	if f == nil {
		return
	}
	if at := s.sl.part.First; at > 0 && at == s.sel.since {
		i := late(places, at)
		if i > 0 {
			f.low = places[i-1].off
		}
		if i < len(places) {
			f.high = places[i].off
		}
	}
	if at := s.sl.part.Last; at > 0 {
		if i := late(places, at); i < len(places) {
			s.sl.part.Near = places[i].off + f.page // the first record of that page shows that the part has ended
		}
	}
}

// late returns the index of the first place with the given time or a later one.
func late(places []place, at uint64) int {
	i, _ := slices.BinarySearchFunc(places, at, func(p place, at uint64) int { return cmp.Compare(p.time, at) })
	return i
}

// within moves the selected records of the part to the front of batch and returns their number.
// They are then finished. f is the reason why the walk left the page. It does not matter if the
// part ends before that.
//
// A part never begins at a record that is not selected, because the merge does not see its time.
func (s *stream) within(batch []record.Record, f fault) (int, fault) {
	s.finish(batch)
	p, first := s.sl.part, s.at.index
	s.at.index += len(batch)
	sieved := s.sel.kinds != nil && s.plain
	last := p.Last - 1 // if p.Last is 0, every time is before it
	n, quick := 0, p.Begun && s.sel.choice.Quick(sieved)
	if end := len(batch) - 1; quick && end >= 0 && s.plain && !s.convert && !s.at.page.wild &&
		batch[end].Time <= last && (!sieved || batch[0].Lost == 0) {
		return end + 1, f // common: the last record is the latest, and only the first can have a loss
	}
	for i := range batch {
		r := &batch[i]
		if quick && r.Time <= last && (!sieved || r.Lost == 0) { // the common case
			if n < i {
				batch[n] = *r
			}
			n++
			continue
		}
		index := first + i
		if sieved {
			index = int(r.Stream) // because records were skipped, Stream holds the end of the record in the page
		}
		if !p.Begun && p.From != nil && !s.reached(index) {
			continue
		}
		chosen := s.sel.choice.Takes(r)
		quick = p.Begun && s.sel.choice.Quick(sieved)
		if !chosen {
			continue
		}
		if !p.Begun {
			if p.From == nil && r.Time < p.First {
				continue
			}
			if p.From != nil {
				r.Lost = p.From.Lost
			}
			p.Begun, p.Begin = true, s.at.placeOf(index, r.Lost)
			quick = s.sel.choice.Quick(sieved)
		}
		if r.Time > last {
			p.End = s.at.placeOf(index, r.Lost)
			s.leavePart()
			return n, faultNone
		}
		if n < i {
			batch[n] = *r
		}
		n++
	}
	return n, f
}

// isOver reports whether the stream gives up and ends, because it has read too far after its part
// without a selected record.
func (s *stream) isOver() bool {
	p := s.sl.part
	if p.Last == 0 || s.clock.convert(s.at.page.time) < p.Last || p.Over(int64(s.buf.PageSize)) {
		return false
	}
	s.leavePart()
	return true
}

// leavePart ends the stream after its part.
func (s *stream) leavePart() {
	s.sl.part.Ended = true
	s.at.inside, s.at.block, s.at.next, s.blocks = false, nil, 0, nothing{}
}

// reached reports whether the part begins at a record of the page, or before.
func (s *stream) reached(index int) bool {
	from := s.sl.part.From
	return s.at.pageOff > from.At || s.at.pageOff == from.At && index >= from.Index
}

// placeOf returns the place of a record of the page.
func (p *position) placeOf(index int, lost int64) record.Place {
	return record.Place{At: p.pageOff, Index: index, Lost: lost}
}

// endPart notes the results of the part when the stream ends.
func (s *stream) endPart() {
	p := s.sl.part
	if p == nil {
		return
	}
	s.rec.pool.spare.put(s)
	p.EndAt(record.AtEnd)
}

// spare holds the buffers of ended slices for new ones. Without it the garbage collector would run
// all the time.
type spare struct {
	mu     sync.Mutex
	blocks [][]byte
	batch  [][]record.Record
}

// take returns a batch, and sets the block of the stream.
func (p *spare) take(s *stream) (batch []record.Record) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f, last := s.sl.flat, len(p.blocks)-1; f != nil && f.src.data == nil && last >= 0 {
		if have := int64(cap(p.blocks[last])); have >= f.block && s.lease.Swap(0, have) == nil {
			f.buf, p.blocks = p.blocks[last], p.blocks[:last]
		}
	}
	if last := len(p.batch) - 1; last >= 0 {
		batch, p.batch = p.batch[last], p.batch[:last]
	}
	return batch
}

// put takes back the buffers of a stream.
func (p *spare) put(s *stream) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := s.sl.flat; f != nil && f.src.data == nil && f.buf != nil {
		p.blocks = append(p.blocks, f.buf)
		f.buf = nil
	}
	if s.batch != nil {
		p.batch = append(p.batch, s.batch)
	}
}

// Slices returns the selected records in slices of about size bytes, in time order. If size is 0,
// there are several slices for each worker. They are as large as possible, because the start of a
// slice has a cost.
//
// There is a single slice if slicing has no advantage or is not possible. This is the case for
// compressed data, which are unpacked ahead, with one worker, and if memory is short. It is also
// the case if records are selected by the record before (Options.After).
func (r *Recording) Slices(opts StreamOptions, size int64) []record.Slice[record.None] {
	return record.CutSlices(r.cuts(&opts, r.Streams(opts), size),
		func(c *record.Cut) *record.Merger[record.None] { return r.Merge(opts.cut(c)) })
}

// StreamSlices returns the selected records in slices of about size bytes, one stream after the
// other. Growing streams are merged into one slice.
func (r *Recording) StreamSlices(opts StreamOptions, size int64) (list []record.Slice[record.None]) {
	if r.grow.grows() {
		return record.Slices(r.Streams(opts))
	}
	for i, s := range r.Streams(opts) {
		list = append(list, record.CutSlices(r.cuts(&opts, []record.Stream[record.None]{s}, size),
			func(c *record.Cut) *record.Merger[record.None] {
				s, o := s.(*stream), opts.cut(c)
				return record.Only(s.buf.stream(s.cpu, &o, s.buf.unpackers(&o)), i)
			})...)
	}
	return list
}

// cut returns the options of a slice.
func (o StreamOptions) cut(c *record.Cut) StreamOptions {
	if c != nil {
		o.Workers = 1 // other workers read other slices
	}
	o.Cut = c
	return o
}

// cuts returns the cuts of the streams into slices. The streams must not have been read. The cut of
// a single slice is nil.
func (r *Recording) cuts(opts *StreamOptions, all []record.Stream[record.None], size int64) []*record.Cut {
	whole, workers := []*record.Cut{nil}, opts.Parallel()
	if workers <= 1 || opts.After != nil {
		return whole
	}
	list, ok := flats(all)
	if !ok || !r.hasRoom(list, len(all)*(workers+1)) {
		return whole
	}
	total := int64(0)
	for _, s := range list {
		total += s.cpu.avail
	}
	if size <= 0 {
		size = record.SliceSize(total, workers)
	}
	if len(list) > 0 {
		opts.kinds = list[0].sel.kinds
	}
	apart := max(size/max(1, int64(len(list)))/sliceSamples, total/record.MostSamples)
	return record.Cuts(opts.sample(list, apart), size)
}

// flats returns the streams that have data, and reports whether all of them can be cut.
func flats(all []record.Stream[record.None]) (list []*stream, ok bool) {
	for _, s := range all {
		s, ok := s.(*stream)
		if !ok {
			return nil, false
		}
		if s.err == nil {
			if _, ok := s.blocks.(*flat); !ok {
				return nil, false
			}
			list = append(list, s)
		}
	}
	return list, true
}

// largeNames exceeds the size of the tables of names of a large kernel. Its kallsyms has 20 MB.
const largeNames = 32 << 20

// hasRoom reports whether there is memory for n streams of slices. If they could leave too little
// for tables of names, it first fetches the tables that fit beside whole streams. So the available
// names do not depend on the number of slices that are read at the same time.
func (r *Recording) hasRoom(whole []*stream, n int) bool {
	need := int64(n) * (r.pool.share.block + r.pool.share.batch*recordSize)
	if r.memory.Left()-need < largeNames {
		l := r.memory.Lease()
		defer l.End()
		for _, s := range whole {
			if l.Swap(0, s.blocks.(*flat).needs()+r.pool.share.batch*recordSize) != nil {
				return false
			}
		}
		r.fetchNames()
	}
	return need <= r.memory.Left()/2
}

// sliceSamples is the number of pages whose times are sampled for each slice and stream. Up to a
// fourth of a slice is read beyond its end.
const sliceSamples = 4

// sample reads the times of some pages of the streams, on several goroutines. The distance between
// two pages is apart bytes.
func (o *StreamOptions) sample(list []*stream, apart int64) (samples []record.Sample) {
	found := record.SampleAll(o.Parallel(), len(list),
		func(i int) []place { return list[i].sample(list[i].step(apart)) })
	o.places = map[*CPU][]place{}
	for i, s := range list {
		o.places[s.cpu] = found[i]
		samples = slices.Grow(samples, len(found[i]))
		step := s.step(apart)
		for _, p := range found[i] {
			samples = append(samples, record.Sample{Time: p.time, Size: step})
		}
	}
	return samples
}

// A place is a page with a known time.
type place struct {
	time uint64
	off  int64
}

// step returns about apart bytes, rounded to whole pages.
func (s *stream) step(apart int64) int64 {
	page := int64(s.buf.PageSize)
	return max(page, apart/page*page)
}

// sample returns pages with their times, step bytes apart.
func (s *stream) sample(step int64) []place {
	f := s.blocks.(*flat)
	places := make([]place, 0, max(0, f.end-f.off)/step+1)
	for off := f.off; off < f.end; off += step {
		head, err := f.src.view(off, min(f.end-off, pageHead), f.head[:])
		if err != nil || len(head) < s.layout.data || s.layout.committed(head) > s.buf.PageSize-s.layout.data {
			continue
		}
		if t := s.clock.convert(s.layout.stamp(head)); t >= s.sel.since && (s.sel.until == 0 || t < s.sel.until) {
			places = append(places, place{t, off})
		}
	}
	return places
}
