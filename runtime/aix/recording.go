package aix

import (
	"errors"
	"io"
	"math"

	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/progress"
	"github.com/tracec/tracec/runtime/record"
)

// Recording is an open recording. Its methods may be called from several goroutines, and its
// streams may run in parallel. Close must come after all of them.
type Recording struct {
	info     Info
	parts    []*part
	config   *config
	start    uint64 // first stamp of the base file
	hasStart bool
	damage   damage.Log
	memory   *memory.Budget
	read     progress.Counter
	watch    *growing.Watch // nil if the recording is not followed
}

// part is a file of a recording.
type part struct {
	file    *File
	src     *source
	form    form
	regions []region
}

// noEnd is the end of a pipe.
const noEnd = math.MaxInt64

func (c *config) form(is64 bool) form {
	return form{is64: is64, cpuid: c.cpuid, maxBuffer: c.maxBuffer}
}

// Position returns the number of bytes that the streams of the recording have read, and the number
// of bytes to read, which is 0 for a pipe. Any goroutine may call it.
func (r *Recording) Position() (done, total int64) { return r.read.Position() }

// Info returns the description of the recording. It belongs to the recording.
func (r *Recording) Info() *Info { return &r.info }

// Machine implements record.Recording. AIX runs only on big-endian machines.
func (r *Recording) Machine() record.Machine {
	m := record.Machine{BigEndian: true, WordSize: r.info.WordSize(), CPUs: r.info.TracedCPUs()}
	switch c := r.info.Clock; {
	case r.info.HasClock && c.Type == ClockTimeBase:
		m.Clock = "timebase"
	case r.info.HasClock:
		m.Clock = "rtc"
	}
	return m
}

// finish finds the state needed before the first entry is read: scale and beginning of the clock.
func (r *Recording) finish() {
	for _, p := range r.parts {
		r.info.Files = append(r.info.Files, *p.file)
		p.file = &r.info.Files[len(r.info.Files)-1]
	}
	for i, p := range r.parts {
		p.file = &r.info.Files[i] // appending has moved them
	}
	r.info.Clock = Clock{Mul: 1, Div: 1, Type: ClockTimeBase}
	if c := r.config.clock; c != nil {
		r.info.Clock, r.info.HasClock = *c, true
	}
	for i, p := range r.parts {
		if i == 0 || !r.info.HasClock {
			r.look(p, i == 0)
		}
	}
}

// lookAhead is the number of bytes of a file that are searched for the scale of its clock. The
// trace command writes it among the first entries.
const lookAhead = headSize

// headOf returns a file without the bytes that have not arrived yet.
func (p *part) headOf() (part, error) {
	ahead := *p
	if p.src.live() {
		head, err := p.src.head(lookAhead)
		if err != nil {
			return ahead, err
		}
		ahead.src = &source{name: p.src.name, size: int64(len(head)), r: bytesAt(head)}
	}
	return ahead, nil
}

// Begin returns the time of the first record for which is returns true, in the order of
// [Recording.Merge]. Streams that can be read only once are not read. For these, Begin uses the
// part that was read when they were opened. ok is false if it has no such record.
func (r *Recording) Begin(is func(*record.Record, *Entry) bool) (time uint64, ok bool) {
	least := uint64(math.MaxUint64) // of the times at which merges reach the first one of a file
	for _, p := range r.parts {
		if t, met, found := r.beginOf(p, is); found && (!ok || met < least) {
			time, least, ok = t, met, true
		}
	}
	return time, ok
}

// beginOf is Begin for one file. A merge reaches a record at the latest time up to it.
func (r *Recording) beginOf(p *part, is func(*record.Record, *Entry) bool) (time, met uint64, ok bool) {
	ahead, err := p.headOf()
	if err != nil {
		return 0, 0, false
	}
	s := r.stream(&ahead)
	s.gap.probing = true
	defer s.end()
	for {
		batch, err := s.Next()
		if err != nil {
			return 0, 0, false
		}
		for i := range batch.Records {
			rec := &batch.Records[i]
			if met = max(met, rec.Time); is(rec, &batch.Entries[i]) {
				return rec.Time, met, true
			}
		}
	}
}

// look walks the beginning of a file.
func (r *Recording) look(p *part, base bool) {
	ahead, err := p.headOf()
	if err != nil {
		r.blind(p, 0, err)
		return
	}
	ahead.regions = nil
	left := int64(lookAhead)
	for _, g := range p.regions {
		if left <= 0 {
			break
		}
		g.end = min(g.end, g.off+left, max(ahead.src.size, g.off))
		left -= g.end - g.off
		ahead.regions = append(ahead.regions, g)
	}
	s := r.stream(&ahead)
	s.gap.probing = true
	for first := base; ; {
		batch, err := s.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.blind(p, s.win.base+int64(len(s.win.buf)), err)
			}
			break
		}
		for i := range batch.Entries {
			if e := &batch.Entries[i]; first && e.Has(Stamped) {
				r.start, r.hasStart, first = s.firstRaw(i), true, false
			}
		}
		if s.clock.known {
			break
		}
	}
	if s.clock.known && !r.info.HasClock {
		r.info.Clock, r.info.HasClock = s.clock.convert.clock, true
	}
	s.end()
}

// blind reports that a search for the scale of the clock failed. The walk reads again, and may find
// it.
func (r *Recording) blind(p *part, off int64, err error) {
	var d *Damage
	if errors.As(err, &d) {
		off, err = d.Offset, d.Err
	}
	r.damage.Add(p.src.fail(off, "the scale of the clock and the first stamp", err), 0)
}

// firstRaw returns the stamp of an entry as recorded.
func (s *Stream) firstRaw(i int) uint64 {
	h, _ := s.past.form.parse(s.out.entries[i].Raw)
	return s.past.form.tick(s.out.entries[i].Raw, &h)
}

// bytesAt is bytes.Reader without its state.
type bytesAt []byte

func (b bytesAt) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= int64(len(b)) {
		return 0, io.EOF
	}
	n := copy(p, b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Close closes all files, as described at [record.Recording].
func (r *Recording) Close() error {
	var errs []error
	for _, p := range r.parts {
		errs = append(errs, p.src.Close())
	}
	return errors.Join(errs...)
}

// HoldOnce takes bytes from the memory budget of the recording, for data that several of its
// readers create, such as a compiled filter. Only the first reader takes them. They are freed when
// the recording is closed. The error is an ErrLimit.
func (r *Recording) HoldOnce(what string, bytes int64) error { return r.memory.TakeOnce(what, bytes) }

// HoldFor is HoldOnce for the text of an event. A refusal is also damage, so that readers of the
// events learn why they have no text.
func (r *Recording) HoldFor(what string, bytes int64) error {
	return r.damage.Refused(r.Name(), what, r.HoldOnce(what, bytes))
}
