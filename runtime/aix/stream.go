package aix

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/progress"
	"github.com/tracec/tracec/runtime/record"
)

// Sizes of the buffers of a stream. A batch and the data it points to should stay in the caches of
// one core.
const (
	batchSize  = 256
	windowSize = 256 << 10
	arenaSize  = 64 << 10
)

// batchBytes is the memory of a batch and the Entry of each record.
const batchBytes = batchSize*int64(unsafe.Sizeof(record.Record{})+unsafe.Sizeof(Entry{})) + int64(unsafe.Sizeof(known{}))

// manyKnown is how many entries are learned from one after the other. Later the first of one batch
// in 16 are.
const manyKnown = 2048

// Streams returns a stream per file, in the order of Info.Files, without files of unselected
// processors. The recording of a pipe can be read only once.
func (r *Recording) Streams(opts record.Options) []*Stream {
	var streams []*Stream
	live := r.live(&opts)
	for _, p := range r.parts {
		if p.file.CPU < 0 || opts.HasCPU(int32(p.file.CPU)) {
			s := r.stream(p)
			s.choice, s.until, s.live = choice.Of(&opts), opts.Until, live
			s.share = r.read.Share(p.size())
			streams = append(streams, s)
		}
	}
	return streams
}

// region is a part of a file whose entries are one after another: a trace buffer, or a whole
// stream.
type region struct {
	off, end int64 // end is math.MaxInt64 for a pipe
	buffer   int32
	initial  bool
}

// size returns how many bytes there are to walk, negative when unknown.
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
	form         form
	half         ShortWord
	cpu          int32 // that the file is of
	sizes        [4]sizes
	slowPathOnly bool // only step is used: for tests
	probing      bool // damage is not recorded: it is when the stream is walked

	regions []region // the remaining regions
	region  region
	buf     []byte // the window
	base    int64  // its place in the file
	pos     int    // in buf
	last    bool   // the region ends where buf does

	batch   []record.Record
	entries []Entry
	n       int
	arena   []byte // rewritten entries of the batch

	unwrap    unwrapper
	convert   converter
	ticks     uint64 // of the entry before
	time      uint64
	raw       uint64 // stamp of the entry before, as recorded
	stamped   bool   // there was one
	clocked   bool   // the scale is known
	threads   threads
	hooks     hooks
	known     *known
	described *hooks
	learned   int   // how many entries of the batch are in known
	batches   int   // so far
	ahead     int64 // of the stamp before another is usual, in ticks; see near
	back      int64

	rawBefore     uint64 // stamp of the last entry of the batch before
	stampedBefore bool

	guesses []guess // while parts are planned
	plans   []portion
	planned int  // how many of plans are done
	begun   bool // the first entry has been looked for
	more    bool // the window is to move on before the walk does
	pending bool // nothing more has been written yet

	lost     bool   // something was skipped before the next record
	gapStart int64  // where the damage begins in which the walk is, else -1
	want     string // of the hole
	cause    error
	fail     error // of the system, returned after the data read before it
	err      error
	lease    *memory.Lease
	share    progress.Share

	choice *choice.Choice // nil: everything
	until  uint64         // 0: no end
	late   int            // how many records from until on came last
	live   *record.Live   // nil: the recording is not followed
}

var _ record.Growing = (*Stream)(nil)

// Live implements record.Growing. It is nil for streams of recordings that are not followed.
func (s *Stream) Live() *record.Live { return s.live }

// Seen implements record.Growing.
func (s *Stream) Seen() time.Time {
	if f := s.part.src.grow; f != nil {
		return f.Seen()
	}
	return time.Time{}
}

func (r *Recording) stream(p *part) *Stream {
	s := &Stream{rec: r, part: p, form: p.form, half: r.config.shortWord, regions: p.regions, cpu: int32(p.file.CPU), sizes: p.form.sizes(), gapStart: -1, described: r.config.described,
		ahead: leastAhead, back: leastBack,
		lease: r.memory.Lease()}
	runtime.AddCleanup(s, (*memory.Lease).End, s.lease) // of a stream that is not read to its end
	s.clocked = r.info.HasClock
	s.setClock(r.info.Clock)
	s.unwrap.rule = r.config.unwrap
	if p.file.Kind.Is64() {
		s.unwrap.rule = UnwrapNever
	}
	if p.file.CPU >= 0 && r.hasStart { // a processor's first buffer may begin after a wrap
		s.unwrap.last, s.unwrap.seen = r.start, 1
	}
	return s
}

func (s *Stream) setClock(c Clock) {
	s.unwrap.period = c.period()
	s.convert = newConverter(c)
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
	if s.choice != nil {
		return choice.Next(s.choice, s.walkIn)
	}
	return s.walkIn()
}

// Until makes the stream end some thousand records after a time, as with record.Options.Until. It
// is for readers that select by themselves.
func (s *Stream) Until(time uint64) { s.until = time }

// mostLate is how many consecutive entries after a window of time end the stream. A few of them may
// be damage.
const mostLate = 4096

// walkIn is walkOn until the window of time ends. Regions before the last one are walked as a
// whole: one that comes later may be of an earlier time.
func (s *Stream) walkIn() (record.Batch[Entry], error) {
	if s.late >= mostLate {
		s.Close()
	}
	b, err := s.walkOn()
	if s.until == 0 || len(s.regions) > 0 {
		return b, err
	}
	for i := range b.Records {
		if s.late++; b.Records[i].Time < s.until {
			s.late = 0
		}
	}
	return b, err
}

// walkOn returns the next records of the file.
func (s *Stream) walkOn() (record.Batch[Entry], error) {
	s.n, s.learned = 0, 0
	if s.err != nil {
		return record.Batch[Entry]{}, s.err
	}
	if s.batch == nil && !s.allocate() {
		return record.Batch[Entry]{}, s.err
	}
	s.arena = s.arena[:0]
	s.rawBefore, s.stampedBefore = s.raw, s.stamped
	if s.more {
		s.more = false
		s.advance()
	}
	for s.err == nil {
		w := s.walk()
		if w == walkCorrupt && s.resync() {
			continue
		}
		if s.n > 0 || w == walkFull { // the next window overwrites the data of the batch
			s.keep(w)
			s.finish()
			return record.Batch[Entry]{Records: s.batch[:s.n], Entries: s.entries[:s.n]}, nil
		}
		s.advance()
		if s.pending {
			s.pending = false
			return record.Batch[Entry]{}, record.ErrPending
		}
	}
	s.end()
	return record.Batch[Entry]{}, s.err
}

// keep leaves the last entries of a full batch to the next one, so that a later doubt can take them
// back. Live entries are not delayed.
func (s *Stream) keep(w walked) {
	if s.n <= again || s.part.src.live() || s.planned < len(s.plans) || s.gapStart >= 0 {
		return
	}
	switch {
	case w == walkFull:
		s.unread(again)
	case !s.last:
		s.unread(again)
		s.more = true
	}
}

// allocate makes the buffers of a stream. They are smaller if many streams share the memory.
// Without memory for them the stream ends, which is damage.
func (s *Stream) allocate() bool {
	share := int(min(s.rec.memory.Left()/int64(2*max(1, len(s.rec.parts))), windowSize))
	arena := max(min(arenaSize, share/4), 2*s.form.maxEntry())
	window := max(share, 4*s.form.margin())
	if err := s.lease.Swap(0, batchBytes+int64(arena+window)); err != nil {
		d := s.part.src.fail(0, "memory for the buffers of a stream", err)
		d.Skipped = max(0, s.part.src.size)
		s.report(d)
		s.err = io.EOF
		return false
	}
	s.batch = make([]record.Record, batchSize)
	s.entries = make([]Entry, batchSize)
	s.arena = make([]byte, 0, arena)
	s.buf = make([]byte, 0, window)
	s.known = &known{}
	s.last = true
	return true
}

// end gives back the memory of a stream that has ended.
func (s *Stream) end() {
	s.batch, s.entries, s.arena, s.buf, s.pos, s.n = nil, nil, nil, nil, 0, 0
	s.lease.End()
	s.share.End()
}

// advance reads on in the region, or goes to the next one.
func (s *Stream) advance() {
	switch {
	case !s.last:
		s.readMore()
	case s.fail != nil:
		s.err = s.fail
	case len(s.regions) == 0:
		s.err = io.EOF
	default:
		s.region, s.regions = s.regions[0], s.regions[1:]
		s.base, s.pos, s.last, s.buf = s.region.off, 0, false, s.buf[:0]
		s.readMore()
	}
}

// readMore drops the bytes that have been walked and fills the free room. From a pipe it reads the
// available bytes.
func (s *Stream) readMore() {
	n := copy(s.buf, s.buf[s.pos:])
	s.base += int64(s.pos)
	s.pos = 0
	at := s.base + int64(n)
	room := s.buf[n:cap(s.buf)]
	room = room[:min(int64(len(room)), s.region.end-at)]
	got, err := s.part.src.read(room, at)
	s.buf = s.buf[:n+got]
	s.share.Read(int64(got))
	at += int64(got)
	s.last = at == s.region.end
	switch {
	case err == nil:
	case errors.Is(err, record.ErrPending):
		s.pending = true
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		s.last = true
		if s.region.end != math.MaxInt64 && at != s.region.end {
			d := s.part.src.fail(at, "the rest of the file, which was longer when it was opened", ErrTruncated)
			d.Skipped = s.region.end - at
			s.report(d)
		}
	default:
		s.last, s.regions = true, nil
		s.fail = s.part.src.fail(at, fmt.Sprintf("%d bytes", len(room)-got), err)
	}
}

func (s *Stream) report(d *Damage) {
	s.lost = true
	if !s.probing {
		s.rec.damage.Add(d, 0)
	}
}

// finish fills in the times in a separate loop: few loads, no branches that depend on the kind of
// hook.
func (s *Stream) finish() {
	switch {
	case s.known.entries < manyKnown:
		s.learn(s.n)
	case s.batches&15 == 0:
		s.learn(min(s.n, 32))
	}
	s.batches++
	s.narrow()
	if s.form.is64 {
		for i := range s.entries[:s.n] {
			e := &s.entries[i]
			if e.Flags&Stamped != 0 {
				s.ticks = e.Ticks
				s.time = s.convert.convert(s.ticks)
			}
			e.Ticks = s.ticks
			s.batch[i].Time = s.time
		}
	} else {
		for i := range s.entries[:s.n] {
			e := &s.entries[i]
			if e.Flags&Stamped != 0 {
				s.ticks = s.unwrap.ticks(e.Ticks, s.batch[i].ID == idUtility)
				s.time = s.convert.convert(s.ticks)
			}
			e.Ticks = s.ticks
			s.batch[i].Time = s.time
		}
	}
}
