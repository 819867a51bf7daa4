package tracecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/plugin"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// printer prints records as lines.
type printer struct {
	_ ordered.Apart

	settings
	inputs  []*input
	sources []source // by Record.Stream
	current *source
	live    bool // the recording grows: write the text before waiting

	buf      []byte // text not yet written
	columns  cpuColumns
	seconds  secondsColumn
	latency  latencies
	previous uint64 // time of the previous line in the unit of --ts-diff

	shown   int64 // number of events shown
	noted   bool  // an option without matches was reported
	damaged bool

	page     *page           // the page that is being printed; nil if records come from streams
	attempt  *attempt        // the page of a printer without earlier state; nil for others
	reported map[string]bool // reported errors in descriptions, which several printers find; nil with one printer

	_ ordered.Apart
}

// settings do not change during a report. All its printers share them.
type settings struct {
	opts    *Options
	job     *report.Job
	width   int // width of the names at the start of lines, 0 without names
	plugins *plugin.Options
	style   Style
	tasks   []int32 // threads of Options.Choice, sorted; nil selects all
	align   uint64  // the time that --align-ts subtracts
	flagged bool    // lines have the column of flags
	stacks  bool    // there are filters: stacks are shown after events that pass
	losses  bool    // there are filters of tracec report: also report losses before events that do not pass
}

// source is one stream: a processor of a buffer, or a whole buffer if texts depend on the next
// record.
type source struct {
	buffer *buffer
	ahead  *ahead           // nil if no text depends on the next record
	last   map[int32]uint64 // by CPU: time of the previous record, for --ts-check
}

// flushSize is the size of the text that is buffered before writing. The slice has capacity for
// lines beyond it. So it grows only for records larger than the ring buffer's pages.
const (
	flushSize  = 256 << 10
	bufferSize = flushSize + 128<<10
)

// print writes all lines. An error of a stream ends the reading of that stream only.
func (p *printer) print(streams []record.Stream[record.None]) error {
	return p.each(streams, func(_ *source, r *record.Record) { p.record(r) })
}

// each calls do for all records in the order of time.
func (p *printer) each(streams []record.Stream[record.None], do func(*source, *record.Record)) error {
	m := record.Merge(streams, nil)
	look, most := flushSize, p.limit()
	if most > 0 { // events are counted only for a limit
		look = 0
	}
	for {
		if p.live && !p.ready(m) {
			if err := p.flush(); err != nil {
				return err
			}
			p.renew()
		}
		run, _, err := m.NextRun()
		switch {
		case errors.Is(err, io.EOF):
			return p.flush()
		case err != nil:
			p.damage(err)
			continue
		}
		for i := range run {
			do(&p.sources[run[i].Stream], &run[i])
			if len(p.buf) >= look {
				if most > 0 && p.shown >= most {
					return p.flush()
				}
				if len(p.buf) < flushSize {
					continue
				}
				if err := p.flush(); err != nil {
					return err
				}
			}
		}
	}
}

// limit returns the maximum number of printed events, or 0.
func (p *printer) limit() int64 {
	if p.opts.Choice == nil {
		return 0
	}
	return p.opts.Choice.Limit
}

// ready reports whether the next records are already available.
func (p *printer) ready(m *record.Merger[record.None]) bool {
	for i := range p.sources {
		if a := p.sources[i].ahead; a != nil {
			return a.ended || a.merger.Ready()
		}
	}
	return m.Ready()
}

// renew clears the cached columns of tasks, since a growing recording may rename tasks.
func (p *printer) renew() {
	for _, in := range p.inputs {
		in.names.columns.clear()
	}
}

func (p *printer) flush() error {
	if len(p.buf) == 0 {
		return nil
	}
	_, err := p.job.Out.Write(p.buf)
	p.buf = p.buf[:0]
	return err
}

func (p *printer) damage(err error) {
	// an interrupted report is not a damaged recording
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return
	}
	if p.attempt != nil { // it may depend on missing earlier state
		p.attempt.damage = append(p.attempt.damage, err)
		return
	}
	if p.reported != nil {
		if p.reported[err.Error()] {
			return
		}
		p.reported[err.Error()] = true
	}
	p.damaged = true
	p.job.Warn(err)
}

// peek and consume serve the plugins, for the stream of the record that is being printed.
func (p *printer) peek() *record.Record {
	switch {
	case p.page != nil:
		return p.page.peek()
	case p.current.ahead == nil:
		return nil
	}
	return p.current.ahead.peek()
}

func (p *printer) consume() {
	if p.page != nil {
		p.page.consumed = true
		return
	}
	p.current.ahead.consumed = true
}

// record prints the line of a record, unless options or filters skip it.
func (p *printer) record(r *record.Record) {
	s := &p.sources[r.Stream]
	p.current = s
	if s.ahead != nil && s.ahead.take() {
		return
	}
	ev := p.event(s.buffer.in, r.ID)
	show := !ev.hidden && !p.skip(s, ev, r)
	if p.stacks {
		show = s.buffer.follow(ev, r.CPU, show)
	}
	if r.Lost != 0 && (show || p.losses) {
		p.lost(s, r)
	}
	if !show {
		return
	}
	if p.opts.TSCheck {
		p.checkTime(s, r)
	}
	p.line(s, ev, r)
	p.shown++
}

// skip reports whether filters on values of the record exclude it.
func (p *printer) skip(s *source, ev *event, r *record.Record) bool {
	if p.tasks != nil {
		if _, found := slices.BinarySearch(p.tasks, r.Task); !found {
			return true
		}
	}
	if p.opts.NoHardIRQ || p.opts.NoSoftIRQ {
		flags := ev.latency.flags.of(r.Data, ev.latency.big)
		if p.opts.NoHardIRQ && flags&flagHardIRQ != 0 || p.opts.NoSoftIRQ && flags&flagSoftIRQ != 0 {
			return true
		}
	}
	if ev.only == nil && ev.never == nil {
		return false
	}
	return !p.pass(s, ev, r)
}

// line prints one line: prefix, task, CPU or latency columns, time, name, text.
func (p *printer) line(s *source, ev *event, r *record.Record) {
	b := s.buffer
	dst := append(p.buf, b.prefix...)
	dst = b.in.names.columns.append(dst, r.Task)
	dst = p.columns.append(dst, r.CPU)
	if p.flagged {
		dst = p.flags(dst, b.in, ev, r.Data)
	}
	t := r.Time - p.align
	dst = p.seconds.appendTime(dst, t, b.time)
	dst = append(dst, ':')
	if p.opts.TSDiff {
		dst = p.appendDiff(dst, b.in, r.Time)
	}
	dst = append(dst, ' ')
	dst = append(dst, ev.name...)
	dst = ev.text(dst, r)
	if ev.wake != nil {
		dst = p.latency.append(dst, ev.wake, r)
	}
	if dst[len(dst)-1] != '\n' {
		dst = append(dst, '\n')
	}
	p.buf = dst
}

// flags appends the state of the CPU after its number: directly with -l, after a blank in the
// layouts of trace-cmd 3.3 and of the kernel.
func (p *printer) flags(dst []byte, in *input, ev *event, data []byte) []byte {
	switch {
	case p.opts.Raw:
		return appendRawLatency(dst, ev, data)
	case !p.opts.Latency:
		dst = append(dst, ' ')
	}
	if p.opts.Reference {
		return ev.latency.append(dst, data)
	}
	return in.flags.append(dst, &ev.latency, data)
}

// appendRawLatency appends the column of flags for -R as a number.
func appendRawLatency(dst []byte, ev *event, data []byte) []byte {
	dst = append(dst, "-0x"...)
	return render.HexLower(dst, uint64(ev.latency.flags.of(data, ev.latency.big)))
}

// lost prints the mark for events lost before r. trace-cmd omits the prefix of the line after the
// mark, tracec does not.
func (p *printer) lost(s *source, r *record.Record) {
	dst := append(p.buf, s.buffer.prefix...)
	dst = append(dst, "CPU:"...)
	dst = render.Dec(dst, int64(r.CPU))
	dst = append(dst, " ["...)
	if r.Lost > 0 {
		dst = render.Dec(dst, r.Lost)
		dst = append(dst, ' ')
	}
	p.buf = append(dst, "EVENTS DROPPED]\n"...)
}

// appendDiff appends the time since the previous line in a column. It is in microseconds, as the
// difference of the rounded times, or in nanoseconds with -t and --ts2secs. As in trace-cmd a
// previous line at time 0 does not count.
func (p *printer) appendDiff(dst []byte, in *input, t uint64) []byte {
	if !p.opts.FullTime && p.frequency(in) == 0 {
		t = (t + 500) / 1000
	}
	dst = append(dst, ' ')
	start := len(dst)
	if p.previous != 0 {
		dst = append(dst, "(+"...)
		dst = render.Dec(dst, int64(t-p.previous))
		dst = append(dst, ')')
	}
	p.previous = t
	return padRight(dst, start, 8)
}

// checkTime warns about a CPU with times that go backwards.
func (p *printer) checkTime(s *source, r *record.Record) {
	if s.last == nil {
		s.last = map[int32]uint64{}
	}
	if last := s.last[r.CPU]; r.Time < last {
		p.job.Warn(fmt.Errorf("CPU %d: time goes backwards from %d to %d", r.CPU, last, r.Time))
	}
	s.last[r.CPU] = r.Time
}
