package aix

import (
	"io"
	"math"
	"runtime"
	"time"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// Sizes of the buffers of a stream. A batch and the data to which it points should stay in the
// caches of one core.
const (
	batchSize  = 256
	windowSize = 256 << 10
	arenaSize  = 64 << 10
)

// batchBytes is the memory of a batch and the Entry of each record.
const batchBytes = batchSize*int64(unsafe.Sizeof(record.Record{})+unsafe.Sizeof(Entry{})) + int64(unsafe.Sizeof(known{}))

// manyKnown is the number of entries at the start of which all are learned. After that, only the
// first entry of one batch in 16 is.
const manyKnown = 2048

// Streams returns a stream per file, in the order of Info.Files, without files of unselected
// processors. The recording of a pipe can be read only once.
func (r *Recording) Streams(opts record.Options) []*Stream {
	var streams []*Stream
	live := r.live(&opts)
	for _, p := range r.parts {
		if p.file.CPU < 0 || opts.HasCPU(int32(p.file.CPU)) {
			s := r.stream(p)
			s.sel.choice, s.sel.until, s.sel.live = choice.Of(&opts), opts.Until, live
			s.win.share = r.read.Share(p.size())
			streams = append(streams, s)
		}
	}
	return streams
}

// size returns the number of bytes to walk. It is negative if unknown.
func (p *part) size() (n int64) {
	for _, g := range p.regions {
		if g.end == math.MaxInt64 {
			return -1
		}
		n += g.end - g.off
	}
	return n
}

// Stream walks one file. It is for one goroutine.
type Stream struct {
	rec          *Recording
	part         *part
	cpu          int32 // of the file
	slowPathOnly bool  // only step is used, for tests
	err          error
	lease        *memory.Lease

	win   window
	past  history
	clock timing
	out   output
	doubt doubt
	gap   gap
	sel   selection
}

var _ record.Growing = (*Stream)(nil)

// Live implements record.Growing. It returns nil if the recording is not followed.
func (s *Stream) Live() *record.Live { return s.sel.live }

// Seen implements record.Growing.
func (s *Stream) Seen() time.Time {
	if f := s.win.src.grow; f != nil {
		return f.Seen()
	}
	return time.Time{}
}

func (r *Recording) stream(p *part) *Stream {
	s := &Stream{
		rec: r, part: p, cpu: int32(p.file.CPU), lease: r.memory.Lease(),
		win:  window{src: p.src, regions: p.regions},
		past: newHistory(p.form, r.config.described),
		out:  output{half: r.config.shortWord},
		gap:  gap{start: -1},
	}
	runtime.AddCleanup(s, (*memory.Lease).End, s.lease) // of a stream that is not read to its end
	s.clock.known = r.info.HasClock
	s.clock.set(r.info.Clock)
	s.clock.unwrap.rule = r.config.unwrap
	if p.file.Kind.Is64() {
		s.clock.unwrap.rule = UnwrapNever
	}
	if p.file.CPU >= 0 && r.hasStart { // the first buffer of a processor may begin after a wrap
		s.clock.unwrap.last, s.clock.unwrap.seen = r.start, 1
	}
	return s
}

// File returns the description of the stream's file.
func (s *Stream) File() *File { return s.part.file }

// Close ends the stream, also before its last entry.
func (s *Stream) Close() {
	s.err = io.EOF
	s.end()
}

// Next returns the next records and their entries, 256 at most.
func (s *Stream) Next() (record.Batch[Entry], error) {
	if s.sel.choice != nil {
		return choice.Next(s.sel.choice, s.walkIn)
	}
	return s.walkIn()
}

// Until makes the stream end some thousand records after a time, as with record.Options.Until. It
// is for readers that select records themselves.
func (s *Stream) Until(time uint64) { s.sel.until = time }

// walkIn is walkOn until the time window ends. Regions before the last one are walked as a whole,
// because a later region may have earlier times.
func (s *Stream) walkIn() (record.Batch[Entry], error) {
	if s.sel.over() {
		s.Close()
	}
	b, err := s.walkOn()
	if len(s.win.regions) == 0 {
		s.sel.count(b.Records)
	}
	return b, err
}

// walkOn returns the next records of the file.
func (s *Stream) walkOn() (record.Batch[Entry], error) {
	s.out.n, s.out.learned = 0, 0
	if s.err != nil {
		return record.Batch[Entry]{}, s.err
	}
	if s.out.records == nil && !s.allocate() {
		return record.Batch[Entry]{}, s.err
	}
	s.out.arena = s.out.arena[:0]
	s.past.rawBefore, s.past.stampedBefore = s.past.raw, s.past.stamped
	if s.win.more {
		s.win.more = false
		s.advance()
	}
	for s.err == nil {
		w := s.walk()
		if w == walkCorrupt && s.resync() {
			continue
		}
		if s.out.n > 0 || w == walkFull { // the next window overwrites the data of the batch
			s.keep(w)
			s.finish()
			return record.Batch[Entry]{Records: s.out.records[:s.out.n], Entries: s.out.entries[:s.out.n]}, nil
		}
		s.advance()
		if s.win.waits() {
			return record.Batch[Entry]{}, record.ErrPending
		}
	}
	s.end()
	return record.Batch[Entry]{}, s.err
}

// keep moves the last entries of a full batch to the next one, so that a later doubt can remove
// them. Live entries are not delayed.
func (s *Stream) keep(w walked) {
	if s.out.n <= again || s.win.src.live() || s.doubt.planned < len(s.doubt.plans) || s.gap.open() {
		return
	}
	switch {
	case w == walkFull:
		s.unread(again)
	case !s.win.last:
		s.unread(again)
		s.win.more = true
	}
}

// allocate makes the buffers of a stream. They are smaller if many streams share the memory. If
// there is no memory for them, the stream ends, which is damage.
func (s *Stream) allocate() bool {
	share := int(min(s.rec.memory.Left()/int64(2*max(1, len(s.rec.parts))), windowSize))
	arena := max(min(arenaSize, share/4), 2*s.past.form.maxEntry())
	window := max(share, 4*s.past.form.margin())
	if err := s.lease.Swap(0, batchBytes+int64(arena+window)); err != nil {
		d := s.win.src.fail(0, "memory for the buffers of a stream", err)
		d.Skipped = max(0, s.win.src.size)
		s.report(d)
		s.err = io.EOF
		return false
	}
	s.out.records = make([]record.Record, batchSize)
	s.out.entries = make([]Entry, batchSize)
	s.out.arena = make([]byte, 0, arena)
	s.win.buf = make([]byte, 0, window)
	s.past.known = &known{}
	s.win.last = true
	return true
}

// end frees the memory of a stream that has ended.
func (s *Stream) end() {
	s.out.records, s.out.entries, s.out.arena, s.win.buf, s.win.pos, s.out.n = nil, nil, nil, nil, 0, 0
	s.lease.End()
	s.win.share.End()
}

// advance moves the window forward.
func (s *Stream) advance() {
	d, err := s.win.advance()
	if d != nil {
		s.report(d)
	}
	s.err = err
}

func (s *Stream) report(d *Damage) {
	s.gap.lost = true
	if !s.gap.probing {
		s.rec.damage.Add(d, 0)
	}
}

// finish learns from the batch and sets its times.
func (s *Stream) finish() {
	switch {
	case s.past.known.entries < manyKnown:
		s.learn(s.out.n)
	case s.out.batches&15 == 0:
		s.learn(min(s.out.n, 32))
	}
	s.out.batches++
	s.past.narrow()
	s.clock.stamp(s.out.records[:s.out.n], s.out.entries[:s.out.n], s.past.form.is64)
}
