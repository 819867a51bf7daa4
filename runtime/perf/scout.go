package perf

import (
	"bytes"
	"runtime"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/record"
)

// A Scout cuts a file into slices that several goroutines read at the same time. Each slice has the
// names of threads and the mappings at its beginning. The Scout reads the file once. Of samples it
// reads only the times, since the order of rounds depends on them. It copies only the records that
// names follow.
//
// The Scout stops at damage that ends a file, at compressed records, at large rounds, and when the
// memory of the recording runs short. Rest reads the records that it has not cut.
type Scout struct {
	stream  Stream // its sorter holds the records that names follow, but no samples
	opts    record.Options
	since   uint64       // as for MergeSince
	some    bool         // the reader skips some records
	size    int64        // approximate size of a slice in bytes
	least   int64        // memory that must remain free
	begin   record.Place // begin of the next slice
	records int          // since begin
	news    *news
	names   *Names // at begin
	done    bool
}

// news are the records of a slice that names follow, in their order. Each goroutine has its own
// names. These also follow the news of slices that the goroutine does not read.
type news struct {
	next    *news // of the next slice
	entries []Entry
}

// A Slice is a part of a file that a Scout has cut. After it has been read, the Scout can reuse its
// memory for another part.
type Slice struct {
	stream Stream
	news   *news
}

const (
	// At each cut, a round is read twice. A slice is at least roundsEach times as large as a round.
	roundsEach = 4
	mostSlice  = 8 << 20
)

// Scout returns a Scout for the records that opts select, with slices of about size bytes. As with
// [Recording.MergeSince], the reader needs no samples before the time since. some is set if the
// reader skips records. A loss before skipped records counts before the next record that it reads,
// so nothing is cut after a loss. Scout returns nil if the recording cannot be cut, or if an index
// saves more time.
func (r *Recording) Scout(opts record.Options, since uint64, some bool, size int64) *Scout {
	if opts.Parallel() <= 1 || r.grows() || len(r.files) > 1 || opts.After != nil ||
		r.info.Storage.Compression.Type != 0 || r.index.Used() && (opts.IDs != nil || since > 0) {
		return nil
	}
	c := &Scout{opts: opts, since: since, some: some, size: size, least: r.memory.Left() / 2, news: &news{}}
	f := r.files[0]
	c.begin.At = f.from
	c.stream = Stream{rec: r, file: f, lease: r.memory.Lease()}
	c.names = c.Names()
	c.names.behind = false
	c.stream.source = r.newSource(f, c.stream.lease)
	w := c.window()
	w.base, w.at, w.keep = f.from, f.from, f.from
	return c
}

// Names returns names for one goroutine that reads slices in their order. It must be called before
// the first slice is cut.
func (c *Scout) Names() *Names {
	n := c.stream.rec.Names()
	n.news, n.behind = c.news, true
	return n
}

// At follows records up to the beginning of a slice.
func (n *Names) At(x *Slice) {
	r := record.Record{Stream: x.stream.file.index}
	for n.news.next != x.news {
		n.news = n.news.next
		for i := range n.news.entries {
			n.Follow(&r, &n.news.entries[i])
		}
	}
	n.news = x.news // the reader of the slice follows its records
}

func (c *Scout) window() *window { return &c.stream.source.windows[fromFile] }

// Next cuts the next slice. It returns false if no slice can be cut. Rest then reads the remaining
// records.
func (c *Scout) Next(x *Slice) bool {
	c.done = c.done || !c.next(x)
	return !c.done
}

// next cuts a slice that begins at c.begin. Its Last is the end of the first round at which it is
// large enough. See slicePart for its end.
func (c *Scout) next(x *Slice) bool {
	var ends [lastRound]record.Place
	now, n, after := &news{}, 0, 0
	for last, largest := c.begin.At, int64(0); n < lastRound; {
		at, ok := c.round(now)
		if !ok {
			return false
		}
		largest, last = max(largest, at-last), at
		if n == 0 && at-c.begin.At < max(c.size, roundsEach*largest) {
			continue
		}
		ends[n].At, ends[n].State[0] = at, c.stream.sorter.latest
		if n++; n == nextBegins {
			after = c.records - 1 // the end of the round is the first record of the next slice
		}
	}
	if !c.give(x, uint64(ends[0].At), ends[nextBegins-1].At) || !now.take(c) {
		return false
	}
	if c.begin.State[1] == 0 {
		c.stream.source.share = c.stream.rec.read.Share(c.stream.file.to)
	}
	c.news.next, c.news = now, now
	x.news = now
	c.begin = place(ends[nextBegins-1].At, ends[nextBegins-1].State[0], ends[0].At)
	c.records -= after
	c.names.At(x)
	for i := range now.entries {
		c.names.Follow(&record.Record{Stream: x.stream.file.index}, &now.entries[i])
	}
	return true
}

// take takes memory for the records, until no names need them.
func (t *news) take(c *Scout) bool {
	size := int64(cap(t.entries)) * int64(unsafe.Sizeof(Entry{}))
	for i := range t.entries {
		size += int64(len(t.entries[i].Body))
	}
	memory := c.stream.rec.memory
	if memory.Left()-size < c.least || memory.Take(size) != nil {
		return false
	}
	runtime.AddCleanup(t, memory.Give, size)
	return true
}

// round reads to the end of a round and returns its offset. It returns false if the file cannot be
// cut.
func (c *Scout) round(now *news) (at int64, ok bool) {
	s, l := &c.stream, &c.stream.sorter
	for {
		c.samples()
		r, err := s.source.next()
		if err != nil || s.source.packed > 0 || r.place-c.begin.At > mostSlice || !c.fill() {
			return 0, false
		}
		c.records++
		e := s.eventOf(r)
		if e == nil {
			continue // the reader of the slice will report it
		}
		time := s.timeOf(e, r.body)
		switch x := (Entry{Event: e, Body: r.body}); {
		case x.follows():
			if l.full() && s.growSorter(max(leastHeld, 2*cap(l.list))) != nil {
				return 0, false
			}
			l.add(held{
				time: time, at: r.at, place: r.place, event: int32(e.Index), size: uint16(headerSize + len(r.body)),
			})
		case c.some && x.lost() != 0:
			return 0, false
		default:
			l.latest = max(l.latest, time)
		}
		if r.kind == FinishedRound {
			c.tell(now)
			return r.place, true
		}
	}
}

// follows reports whether names follow a record.
func (x *Entry) follows() bool {
	switch x.Event.Kind {
	case Comm, Fork, Mmap, Mmap2, Ksymbol, BuildID:
		return true
	}
	return false
}

// samples skips the next samples that have been read.
func (c *Scout) samples() {
	s, w := &c.stream, c.window()
	if s.source.left > 0 {
		return
	}
	o, b, latest := s.rec.order, w.unread(), s.sorter.latest
	from := len(b)
	for len(b) >= headerSize && Kind(o.u32(b)) == SampleKind {
		n := int(o.u16(b[6:]))
		if n < headerSize || n > len(b) {
			break
		}
		if e := s.attr(b[headerSize:n]); e != nil {
			latest = max(latest, s.timeOf(e, b[headerSize:n]))
		}
		b = b[n:]
		c.records++
	}
	s.sorter.latest = latest
	w.at += int64(from - len(b))
}

// fill reads the data after a record, which belong to the slice.
func (c *Scout) fill() bool {
	s, w := &c.stream.source, c.window()
	for s.left > int64(len(w.unread())) {
		if more, err := s.fill(w); !more || err != nil || s.left > mostSlice {
			return false
		}
	}
	return true
}

// tell copies the records that are passed on at the end of a round.
func (c *Scout) tell(now *news) {
	l, r, w := &c.stream.sorter, c.stream.rec, c.window()
	l.round()
	for i := range l.list[:l.ready] {
		h := &l.list[i]
		b := w.from(h.at)
		now.entries = append(now.entries, Entry{
			Event: r.events[h.event], Body: bytes.Clone(b[headerSize:h.size]), Offset: h.place,
			Misc: r.order.u16(b[4:]),
		})
	}
	l.pass()
}

// give moves the bytes that were read to a slice, and keeps the bytes from next on. It returns
// false if there is no memory.
func (c *Scout) give(x *Slice, last uint64, next int64) bool {
	w, s := c.window(), &x.stream
	old := s.source.windows[fromFile].buf[:0]
	kept := w.from(next)
	if size := max(cap(w.buf), len(kept)+blockSize); cap(old) < len(kept)+blockSize {
		if !c.swap(int64(cap(old)), int64(size)) {
			return false
		}
		old = make([]byte, 0, size)
	}
	if n := c.records + 2; cap(s.sorter.list) < n { // with room for n records, the reader needs no more memory
		n += n / 4
		if !c.swap(heldBytes*int64(cap(s.sorter.list)), heldBytes*int64(n)) {
			return false
		}
		s.sorter = sorter{}
		s.sorter.grow(n)
	}
	if s.records == nil {
		if !c.swap(0, maxBatch*entryBytes) {
			return false
		}
		s.records, s.entries = make([]record.Record, maxBatch), make([]Entry, maxBatch)
	}
	c.begins(s, last)
	s.source.windows[fromFile] = window{buf: w.buf[:w.at-w.base], base: w.base, at: c.begin.At, keep: c.begin.At}
	s.source.at, s.source.end = w.at, w.at
	w.buf, w.base, w.keep = append(old, kept...), next, next
	return true
}

// begins initializes the stream of a slice, which keeps its memory.
func (c *Scout) begins(s *Stream, last uint64) {
	r, old := c.stream.rec, s.sorter
	*s = Stream{
		rec: r, file: c.stream.file, choice: choice.Of(&c.opts), lease: r.memory.Lease(),
		source: source{order: r.order}, sorter: sorter{list: old.list[:0], other: old.other, starts: old.starts[:0]},
		part:    &slicePart{Part: &record.Part{Last: last}, log: &r.damage, lent: true},
		records: s.records, entries: s.entries,
	}
	if c.begin.State[1] > 0 {
		s.part.From = new(record.Place)
		*s.part.From = c.begin
	}
}

// swap frees less bytes of memory and takes more.
func (c *Scout) swap(less, more int64) bool {
	return c.stream.rec.memory.Left()+less-more >= c.least && c.stream.lease.Swap(less, more) == nil
}

// Merge begins to read the slice.
func (x *Slice) Merge() *record.Merger[Entry] {
	s := &x.stream
	if p := s.part.From; p != nil {
		s.readRounds(1, p.State[0])
	}
	return record.Merge[Entry]([]*Stream{s}, nil)
}

// Rest begins to read the records after the last slice. It also returns the names at their begin.
// It ends the Scout. No slice may be in use any more.
func (c *Scout) Rest() (*record.Merger[Entry], *Names) {
	c.done = true
	r := c.stream.rec
	c.stream.source.windows[fromFile] = window{}
	c.stream.lease.End()
	streams := r.streamsSince(c.opts, c.since)
	if c.begin.State[1] > 0 {
		streams[0].part = &slicePart{Part: &record.Part{From: &c.begin}, log: &r.damage}
	}
	return mergeAs[Entry](streams, (*Stream).itself), c.names
}
