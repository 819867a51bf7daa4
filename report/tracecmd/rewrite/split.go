package rewrite

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracewrite"
)

// Unit is the unit of the length of a file.
type Unit uint8

// The units.
const (
	Whole  Unit = iota // the whole recording
	Nanos              // ns from the first record on
	Events             // records
	Pages              // sub-buffers of each CPU
)

// SplitOptions control the division of a recording.
type SplitOptions struct {
	Output     string // prefix of the names of files
	Start, End string // in seconds; "" means unlimited; End is inclusive
	Unit       Unit
	Length     uint64 // length of a file, in units
	Repeat     bool   // write several files, until End
	PerCPU     bool   // the length applies to every CPU separately
	CPU        int    // select one CPU; -1 selects all
	Keep       []Keep // select buffers; nil selects all
	Places     io.Writer
	Check      func(name string) error // if non-nil, returns an error if a file must not be written
}

// Keep names a buffer to keep.
type Keep struct {
	Name string // "" names the top buffer
	As   string // new name; "" makes it the top buffer
}

// splitter divides one recording.
type splitter struct {
	*source
	o          *SplitOptions
	header     tracewrite.Header
	since, end uint64
	parts      []*part
}

// part is a buffer and the positions of its CPUs.
type part struct {
	buf     *ftrace.Buffer // nil for an empty top buffer
	cursors []*cursor
	ahead   []*cursor // cursors for counting events on all CPUs
}

// Split writes parts of a recording to separate files, in the version and compression of the
// recording. Their names end with .1, with Repeat .0001 and so on. The error is report.ErrDamaged
// if parts were unreadable and everything else was written.
func Split(ctx context.Context, rec *ftrace.Recording, o SplitOptions, job *report.Job) error {
	s := &splitter{source: newSource(rec, job), o: &o, end: math.MaxUint64}
	defer s.stop()
	if err := s.bounds(); err != nil {
		return err
	}
	if err := s.open(ctx); err != nil {
		return err
	}
	for n := 1; ; n++ {
		name := o.Output + ".1"
		if o.Repeat {
			name = fmt.Sprintf("%s.%04d", o.Output, n)
		}
		if o.Check != nil {
			if err := o.Check(name); err != nil {
				return err
			}
		}
		count, err := s.file(ctx, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if count == 0 {
			job.Warn(fmt.Errorf("%s: the selected part has no events", name))
		}
		if !o.Repeat || !s.more() {
			return s.finish()
		}
	}
}

func (s *splitter) bounds() (err error) {
	if s.o.Start != "" {
		if s.since, err = parseSeconds(s.o.Start); err != nil {
			return err
		}
	}
	if s.o.End != "" {
		if s.end, err = parseSeconds(s.o.End); err != nil {
			return err
		}
	}
	if s.end < s.since {
		return report.Usagef("the end, %s, is before the start, %s", s.o.End, s.o.Start)
	}
	return nil
}

// parseSeconds reads seconds to the nanosecond. Unlike the times of reports they are not rounded.
func parseSeconds(text string) (uint64, error) {
	whole, frac, _ := strings.Cut(text, ".")
	v, err := strconv.ParseUint(whole, 10, 64)
	digits := min(len(frac), 9)
	ns, err2 := strconv.ParseUint("0"+frac[:digits]+strings.Repeat("0", 9-digits), 10, 64)
	if err != nil || err2 != nil || v >= math.MaxUint64/1_000_000_000 {
		return 0, report.Usagef("%q is not a time in seconds", text)
	}
	return v*1_000_000_000 + ns, nil
}

// open selects the buffers and begins to read their CPUs.
func (s *splitter) open(ctx context.Context) error {
	var buffers []*ftrace.Buffer
	var names []string
	for _, b := range s.rec.Buffers() {
		i := slices.IndexFunc(s.o.Keep, func(k Keep) bool { return k.Name == b.Name })
		switch {
		case b.Text() != nil:
			return fmt.Errorf("%s: the text of a latency tracer cannot be split", s.job.Path)
		case s.o.Keep == nil:
			names = append(names, b.Name)
		case i < 0:
			continue
		default:
			names = append(names, s.o.Keep[i].As)
		}
		buffers = append(buffers, b)
	}
	if c := s.o.CPU; c >= 0 && !slices.ContainsFunc(buffers, func(b *ftrace.Buffer) bool {
		return slices.ContainsFunc(b.CPUs, func(have ftrace.CPU) bool { return have.ID == c })
	}) {
		return report.Usagef("-C: the recording has no data of CPU %d", c)
	}
	for _, k := range s.o.Keep {
		if !slices.ContainsFunc(s.rec.Buffers(), func(b *ftrace.Buffer) bool { return b.Name == k.Name }) {
			return report.Usagef("-B: the recording has no buffer %q", k.Name)
		}
	}
	if err := s.begin(buffers, names); err != nil {
		return err
	}
	for k := range s.cursors() {
		if err := k.seek(ctx, s.since); err != nil {
			return err
		}
	}
	return nil
}

// begin puts the top buffer first, or an empty buffer if no buffer is to be the top one.
func (s *splitter) begin(buffers []*ftrace.Buffer, names []string) (err error) {
	s.header, err = s.source.header(s.format(), s.rec.Buffers())
	if err != nil {
		return err
	}
	s.header.Buffers = nil
	top := slices.Index(names, "")
	if top < 0 {
		s.header.Buffers = append(s.header.Buffers, tracewrite.Buffer{})
		s.parts = append(s.parts, &part{})
	} else {
		buffers[0], buffers[top] = buffers[top], buffers[0]
		names[0], names[top] = names[top], names[0]
	}
	for i, b := range buffers {
		s.header.Buffers = append(s.header.Buffers,
			tracewrite.Buffer{Name: names[i], Clock: b.Clock, PageSize: b.PageSize})
		p := &part{buf: b}
		s.parts = append(s.parts, p)
		if err := s.cpus(p); err != nil {
			return err
		}
	}
	return nil
}

// cpus begins to read the CPUs of a buffer.
func (s *splitter) cpus(p *part) error {
	for i := range p.buf.CPUs {
		c := &p.buf.CPUs[i]
		if s.o.CPU >= 0 && c.ID != s.o.CPU {
			continue
		}
		k, err := s.newCursor(p.buf, c)
		if err != nil {
			return err
		}
		p.cursors = append(p.cursors, k)
		if s.o.Unit == Events && !s.o.PerCPU {
			if k, err = s.newCursor(p.buf, c); err != nil {
				return err
			}
			p.ahead = append(p.ahead, k)
		}
	}
	return nil
}

// cursors returns the cursors of all parts.
func (s *splitter) cursors() iter.Seq[*cursor] {
	return func(yield func(*cursor) bool) {
		for _, p := range s.parts {
			for _, k := range slices.Concat(p.cursors, p.ahead) {
				if !yield(k) {
					return
				}
			}
		}
	}
}

func (s *splitter) stop() {
	for k := range s.cursors() {
		k.pages.Close()
	}
}

// more reports whether there are records for another file.
func (s *splitter) more() bool {
	return slices.ContainsFunc(s.parts, func(p *part) bool {
		return slices.ContainsFunc(p.cursors, func(k *cursor) bool { return k.ok && k.t <= s.end })
	})
}

// file writes one file and returns its number of records.
func (s *splitter) file(ctx context.Context, name string) (count uint64, err error) {
	w, err := tracewrite.Create(name, s.header)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	s.options(w)
	for i, p := range s.parts {
		if err := w.Buffer(i); err != nil {
			return 0, err
		}
		limits := s.limits(p)
		for j, k := range p.cursors {
			n, err := s.copy(ctx, w, k, limits[j])
			if err != nil {
				return 0, err
			}
			count += n
		}
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	places(s.o.Places, &s.header, w.Data())
	return count, nil
}

// limit is the end of a CPU's part of a file.
type limit struct {
	records uint64
	end     uint64 // time of the last record to take
	page    int    // first page to skip
}

func (s *splitter) limits(p *part) []limit {
	list := make([]limit, len(p.cursors))
	first := uint64(math.MaxUint64)
	for i, k := range p.cursors {
		list[i] = limit{math.MaxUint64, s.end, math.MaxInt}
		if k.ok {
			first = min(first, k.t)
		}
	}
	for i, k := range p.cursors {
		l := &list[i]
		switch s.o.Unit {
		case Nanos:
			from := first
			if s.o.PerCPU {
				from = k.t
			}
			if last := from + s.o.Length; last >= from {
				l.end = min(l.end, last)
			}
		case Events:
			l.records = s.o.Length
		case Pages:
			l.page = k.page + int(min(s.o.Length, math.MaxInt32))
		}
	}
	if p.ahead != nil {
		s.plan(p, list)
	}
	return list
}

// plan counts each CPU's records among the next records in time order.
func (s *splitter) plan(p *part, list []limit) {
	for i := range list {
		list[i].records = 0
	}
	for n := uint64(0); n < s.o.Length; n++ {
		first := -1
		for i, k := range p.ahead {
			if k.ok && (first < 0 || k.t < p.ahead[first].t) {
				first = i
			}
		}
		if first < 0 || p.ahead[first].t > s.end {
			return
		}
		list[first].records++
		p.ahead[first].advance()
	}
}

// copy writes the records of a CPU up to a limit.
func (s *splitter) copy(ctx context.Context, w *tracewrite.Writer, k *cursor, l limit) (n uint64, err error) {
	if err := w.CPU(k.cpu.ID); err != nil {
		return 0, err
	}
	pages := tracewrite.NewPages(s.header.ByteOrder, s.info.WordSize, k.buf.PageSize, w.Page)
	for ; k.ok && n < l.records && k.t <= l.end && k.page < l.page; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return n, ctx.Err()
		}
		if err := pages.Add(k.rec.Time, k.rec.Lost, k.rec.Data); err != nil {
			return n, err
		}
		k.advance()
	}
	return n, pages.Flush()
}
