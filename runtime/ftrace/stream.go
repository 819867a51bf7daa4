package ftrace

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/progress"
	"github.com/tracec/tracec/runtime/record"
)

// StreamOptions select the records of streams and the form of their times. The zero value
// corresponds to trace-cmd report: all records, times with all recorded corrections.
//
// The first page of a time window is found by bisecting the times of pages. The walk ends at the
// first page that begins at Until or later. Only records that their CPU recorded out of order can
// be missed.
type StreamOptions struct {
	record.Options

	RawTime   bool    // times as recorded, without the corrections below or in the recording
	NoDate    bool    // ignore the recording's DATE, as trace-cmd report --nodate does; OFFSET stays
	TicksPerS float64 // the clock's rate if positive, instead of the recorded scale
	Offset    int64   // ns to add

	// Forget ignores losses before skipped records, as trace-cmd report does. By default the next
	// record that is read reports them.
	Forget bool

	places map[*CPU][]place // for slices: pages with known times by stream
	kinds  *kindSet         // for slices: the selected kinds; nil if not known yet
}

// A stream walks one CPU's data.
type stream struct {
	rec    *Recording
	buf    *Buffer
	cpu    *CPU
	layout *layout
	blocks blocks
	plain  bool // layout.plain

	live    *record.Live // nil if it does not grow
	pending bool         // nothing more has been recorded yet

	clock   clock
	convert bool

	err error

	batch []record.Record
	lease *memory.Lease
	bytes progress.Counter
	share progress.Share
	at    position
	sel   selection
	sl    sliceState
}

// Streams returns a stream per CPU, in the order of CPUs. A CPU without data has an empty stream.
// Streams of one buffer may run in parallel. Each stream is for one goroutine.
//
// Record.Data is the payload from common_type on, in the recording's byte order. It is valid until
// the stream's next call.
func (b *Buffer) Streams(opts StreamOptions) []record.Stream[record.None] {
	var streams []record.Stream[record.None]
	u := b.unpackers(&opts)
	for i := range b.CPUs {
		c := &b.CPUs[i]
		if opts.HasCPU(int32(c.ID)) {
			streams = append(streams, b.stream(c, &opts, u))
		}
	}
	if b.rec.grow.watch != nil {
		streams = append(streams, b.newcomers(&opts))
	}
	return streams
}

func (b *Buffer) stream(c *CPU, opts *StreamOptions, u *unpackers) *stream {
	s := &stream{rec: b.rec, buf: b, cpu: c, layout: &b.layout, plain: b.layout.plain(), lease: b.rec.memory.Lease()}
	runtime.AddCleanup(s, (*memory.Lease).End, s.lease) // if a stream is not read to its end
	switch {
	case b.rec.grow.feed != nil:
		s.blocks, s.live = &fed{feed: b.rec.grow.feed, cpu: c.ID}, b.rec.grow.feed.Live()
	case b.rec.grow.watch != nil:
		s.append(opts)
	case c.avail == 0 || b.PageSize <= b.layout.data:
		s.err = io.EOF
	case b.packed && b.rec.codec == nil:
		d := c.src.fail(c.Offset, "uncompressed CPU data, according to the file's header", ErrCorrupt)
		s.damage(d, c.avail)
		s.err = io.EOF
	case b.packed:
		k := newChunks(b.rec, c.src, c.Offset, c.Offset+c.Size, c.limit, s.lease)
		k.ahead.unpackers = u
		s.blocks = k
	default:
		s.blocks = newFlat(b, c, s.lease)
	}
	size := c.Size
	if b.rec.grow.grows() {
		size = -1
	}
	s.share = s.bytes.Share(size)
	if s.err != nil {
		s.share.End()
	}
	s.clock = b.rec.clock(c.ID, opts)
	s.convert = !s.clock.identity()
	own := opts.Options
	own.CPUs = nil // a stream has one processor only
	var traits []choice.Trait
	if opts.Forget {
		traits = append(traits, choice.Forgetful)
	}
	s.sel.choice, s.sel.since, s.sel.until = choice.Of(&own, traits...), opts.Since, opts.Until
	if s.sel.kinds = opts.kinds; s.sel.kinds == nil {
		s.sel.kinds = newKindSet(s.sel.choice.Kinds())
	}
	s.pass()
	if opts.Cut != nil {
		s.slice(opts.Cut.Part())
		s.narrow(opts.places[c])
	}
	return s
}

// clock combines the corrections for one CPU.
func (r *Recording) clock(cpu int, opts *StreamOptions) clock {
	var c clock
	if opts.RawTime {
		return c
	}
	if t := r.info.TimeShift; t != nil && cpu < len(t.CPUs) {
		c.samples, c.interpolate = t.CPUs[cpu], t.Interpolate
	}
	if opts.TicksPerS > 0 {
		c.rate = 1e9 / opts.TicksPerS
	} else {
		c.tsc = r.info.TSC
	}
	c.shift = uint64(r.info.Offset) + uint64(opts.Offset)
	if !opts.NoDate {
		c.shift += uint64(r.info.Date)
	}
	return c
}

// Time returns the function that converts a recorded time of one of the buffer's CPUs to the time
// that streams with these options report.
func (b *Buffer) Time(cpu int, opts StreamOptions) func(raw uint64) uint64 {
	c := b.rec.clock(cpu, &opts)
	return c.convert
}

// Position returns the number of bytes read and their total, as counted by CPU.Size. For packed
// data, all chunks before the current one count as read. Any goroutine may call it.
func (s *stream) Position() (done, total int64) { return s.bytes.Position() }

// Next returns the next records, 256 at most. After Close of the recording the error is
// os.ErrClosed.
func (s *stream) Next() (record.Batch[record.None], error) {
	switch {
	case s.sel.choice == nil:
		return s.read()
	case s.sl.part != nil: // records are already selected
		if err := s.sel.choice.Err(); err != nil {
			return record.Batch[record.None]{}, err
		}
		return s.read()
	}
	return choice.Next(s.sel.choice, s.read)
}

// read returns the next records of the pages from Since to Until.
func (s *stream) read() (record.Batch[record.None], error) {
	if s.err != nil {
		return record.Batch[record.None]{}, s.err
	}
	if s.batch == nil && !s.begin() {
		return record.Batch[record.None]{}, s.err
	}
	if s.rec.closed.Load() {
		return record.Batch[record.None]{}, s.end(os.ErrClosed)
	}
	n := s.fillBatch()
	if n == 0 {
		if err := s.sel.choice.Err(); err != nil {
			return record.Batch[record.None]{}, err
		}
		if s.pending {
			s.pending = false
			return record.Batch[record.None]{}, record.ErrPending
		}
		return record.Batch[record.None]{}, s.end(s.last())
	}
	s.share.Reach(s.at.pageOff - s.cpu.Offset)
	if s.sl.part == nil {
		s.finish(s.batch[:n])
	}
	return record.Plain(s.batch[:n]), nil
}

// begin allocates the batch. If there is no memory for it, the stream ends with damage.
func (s *stream) begin() bool {
	n := s.rec.pool.share.batch
	if err := s.lease.Swap(0, n*recordSize); err != nil {
		s.damage(s.cpu.src.fail(s.cpu.Offset, "CPU data", err), s.cpu.avail)
		s.end(io.EOF)
		return false
	}
	if s.sl.part != nil {
		s.batch = s.rec.pool.spare.take(s)
	}
	if s.batch == nil {
		s.batch = make([]record.Record, n)
	}
	for i := range s.batch {
		s.batch[i].CPU = int32(s.cpu.ID)
	}
	return true
}

// end frees the memory of the stream. It returns err, which ends the stream.
func (s *stream) end(err error) error {
	s.err = err
	s.endPart()
	s.at.block, s.at.next, s.batch, s.blocks, s.at.page = nil, 0, nil, nothing{}, page{}
	s.lease.End()
	s.share.End()
	return err
}

// fillBatch decodes until the batch is full, or until further reading would overwrite data of the
// batch.
func (s *stream) fillBatch() (n int) {
	sieved := s.sel.kinds != nil && s.plain
	for n < len(s.batch) {
		if !s.at.inside {
			if n == 0 && s.sel.choice.Err() != nil { // many pages may have no selected record
				return 0
			}
			if !s.enter(n > 0) {
				break
			}
			if s.sl.part != nil && s.isOver() {
				return n
			}
		}
		var got int
		var f fault
		sieved = sieved && s.at.page.lost == 0
		if s.plain {
			got, f = s.at.page.decodeFast(s.batch[n:], s.sel.kinds)
		} else {
			got, f = s.at.page.walkAny(s.layout, s.batch[n:])
		}
		if s.sl.part != nil {
			got, f = s.within(s.batch[n:n+got], f)
		} else if s.sel.kinds == nil || !s.plain {
			got = s.sel.choice.Sift(s.batch[n : n+got])
		}
		n += got
		if s.sl.part != nil && s.sl.part.Ended {
			return n
		}
		if f != faultNone {
			s.fault(f)
		} else if s.at.page.ended() {
			if rest := len(s.at.page.data) - s.at.page.pos; rest > 0 {
				s.fault(faultCrossing)
			}
			if s.at.inside = false; s.at.cut {
				s.at.page.lost = record.LostUnknown
			}
		}
	}
	if sieved {
		s.sel.choice.Sieved()
	}
	return n
}

// fault leaves a page that is invalid from some event on. In an incomplete page, this is expected.
func (s *stream) fault(f fault) {
	s.at.inside, s.at.page.lost = false, record.LostUnknown
	if s.at.cut && f == faultCrossing {
		return
	}
	rest := int64(len(s.at.page.data) - s.at.page.pos)
	if s.buf.packed {
		d := s.cpu.src.fail(s.at.pageOff, fmt.Sprintf("%s (byte %d of the unpacked chunk)", f.want(), s.place()),
			ErrCorrupt)
		s.damage(d, rest)
		return
	}
	s.damage(s.cpu.src.fail(s.at.pageOff+int64(s.at.page.pos), f.want(), ErrCorrupt), rest)
}

// place returns the position of the walk in the block.
func (s *stream) place() int { return s.at.next - s.buf.PageSize + s.at.page.pos }

// enter moves to the next sub-buffer with events. If the batch points into the block, enter stays
// in the block, even if it skips many sub-buffers without events.
func (s *stream) enter(stay bool) bool {
	for {
		for s.at.next >= len(s.at.block) {
			if stay || !s.fetch() {
				return false
			}
		}
		raw := s.at.block[s.at.next:min(s.at.next+s.buf.PageSize, len(s.at.block))]
		s.at.pageOff = s.at.off
		if !s.buf.packed {
			s.at.pageOff += int64(s.at.next)
		}
		s.at.next += s.buf.PageSize
		missing, ok := s.at.page.enter(s.layout, raw, s.buf.PageSize)
		if !ok {
			d := s.cpu.src.fail(s.at.pageOff, s.pageName("a ring-buffer page"), ErrCorrupt)
			if len(raw) < s.buf.PageSize {
				d.Err = ErrTruncated
			}
			s.damage(d, int64(len(raw)))
			s.at.page.lost = record.LostUnknown
			continue
		}
		if s.at.cut = missing > 0; s.at.cut {
			d := s.cpu.src.fail(s.at.pageOff, s.pageName(fmt.Sprintf("%d more bytes of a page", missing)), ErrTruncated)
			if s.cpu.avail < s.cpu.Size {
				missing = 0 // already counted when the file was opened
			}
			s.damage(d, int64(missing))
		}
		if s.at.page.ended() {
			if s.at.cut {
				s.at.page.lost = record.LostUnknown
			}
			continue
		}
		if s.sel.until > 0 && s.clock.convert(s.at.page.time) >= s.sel.until {
			s.at.block, s.at.next, s.blocks = nil, 0, nothing{}
			return false
		}
		s.at.inside, s.at.index = true, 0
		return true
	}
}

func (s *stream) pageName(what string) string {
	if s.buf.packed {
		return fmt.Sprintf("%s at byte %d of the unpacked chunk", what, s.at.next-s.buf.PageSize)
	}
	return what
}

// fetch gets the next readable block.
func (s *stream) fetch() bool {
	if !s.sel.sought {
		s.sel.sought = true
		s.seek()
	}
	for {
		data, off, err := s.blocks.next()
		if err == nil {
			s.at.block, s.at.off, s.at.next = data, off, 0
			return true
		}
		if err == io.EOF || err == record.ErrPending {
			s.at.block, s.at.next, s.pending = nil, 0, err == record.ErrPending
			return false
		}
		s.at.page.lost = record.LostUnknown
		d := *asDamage(s.cpu.src, off, err)
		s.damage(&d, d.Skipped)
	}
}

// seek goes to the beginning of the stream.
func (s *stream) seek() {
	switch {
	case s.sl.part != nil && s.sl.part.From != nil:
		s.blocks.(*flat).off = s.sl.part.From.At
	case s.sel.since > 0:
		s.blocks.seek(s.late)
	}
}

// late reports whether the page with this head begins at Since or later. A page that is empty or
// invalid has no usable time and counts as late.
func (s *stream) late(head []byte) bool {
	if len(head) < s.layout.data {
		return true
	}
	n := s.layout.committed(head)
	return n == 0 || n > s.buf.PageSize-s.layout.data || s.clock.convert(s.layout.stamp(head)) >= s.sel.since
}

// damage adds damage of this stream.
func (s *stream) damage(d *Damage, skipped int64) {
	d.Part, d.Skipped = s.buf.part(s.cpu.ID), max(0, skipped)
	switch {
	case s.sl.part == nil:
		s.rec.damage.Add(d, int64(s.at.next))
	case s.sl.part.Begun: // otherwise the previous slice reports it
		s.sl.held.Add(d, int64(s.at.next))
	}
}

// finish runs the steps that few recordings or callers need, in separate loops.
func (s *stream) finish(batch []record.Record) {
	if s.convert {
		s.clock.apply(batch)
	}
	if t := s.rec.noTask; t != nil {
		for i := range batch {
			if t.has(batch[i].ID) {
				batch[i].Task = -1
			}
		}
	}
}

// nothing replaces the data after the end of a time window.
type nothing struct{}

func (nothing) next() ([]byte, int64, error) { return nil, 0, io.EOF }
func (nothing) seek(func(head []byte) bool)  {}
