package textdump

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// info implements tracec info.
func info(ctx context.Context, job *report.Job) (*facts.Info, error) { return Info(ctx, job, nil) }

// Info returns the facts in the headers, and facts from a walk over all events.
func Info(ctx context.Context, job *report.Job, how []lttng.Option) (*facts.Info, error) {
	t, err := sources.OpenLTTng(ctx, &job.Job, how...)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var out []byte
	set := len(t.Traces()) > 1
	of := t.Traces()[0].Info()
	f := facts.NewInfo(fmt.Sprintf("LTTng trace, version %d.%d", of.Major, of.Minor), t)
	f.Described = int64(len(t.Markers()))
	if set {
		out = fmt.Appendf(out, "Set of %d LTTng traces\n\n", len(t.Traces()))
	}
	var sum counts
	var lost uint64
	var bad []error
	var in *lttng.Trace
	for _, s := range t.Streams(record.Options{}) {
		if tr := s.File().Trace(); tr != in {
			out, in = appendHead(out, tr, set), tr
		}
		c, err := count(ctx, s)
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil { // an error of one file
			bad = append(bad, err)
		}
		sum.events += c.events
		sum.unknown += c.unknown
		lost += uint64(s.File().EventsLost)
		out = c.appendTo(out, s.File())
		f.Add(c.stream(s.File()))
	}
	if set {
		out = append(out, '\n')
	}
	f.Recording = facts.Of(job.Path, "lttng", t)
	f.Text = fmt.Appendf(out, "%d events, %d of them of unknown markers, %d lost; %d damaged places, %d bytes left out\n",
		sum.events, sum.unknown, lost, f.DamagePlaces, f.Skipped)
	return f, report.Tell(job, t, errors.Join(bad...))
}

// stream returns the facts about a file.
func (c *counts) stream(f *lttng.File) facts.Stream {
	s := facts.Stream{File: f.Path, CPU: facts.Number(f.CPU), Events: c.events, Bytes: facts.Number(f.Size),
		Lost: int64(f.EventsLost)}
	if c.events > 0 {
		s.Span = facts.SpanOf(c.first, c.last, false)
	}
	return s
}

// appendHead appends the facts that all files of a trace share.
func appendHead(out []byte, t *lttng.Trace, set bool) []byte {
	i := t.Info()
	if set {
		if !bytes.HasSuffix(out, []byte("\n\n")) {
			out = append(out, '\n')
		}
		out = fmt.Appendf(out, "%s: ", t.Name())
	}
	order, alignment := "little-endian", "packed"
	if i.BigEndian {
		order = "big-endian"
	}
	if i.Alignment > 0 {
		alignment = fmt.Sprintf("aligned to %d bytes", i.Alignment)
	}
	out = fmt.Appendf(out, "LTTng trace, version %d.%d, %s, %d bit, %s\n", i.Major, i.Minor, order, 8*i.WordSize,
		alignment)
	if i.Dialect == lttng.Seed {
		out = append(out, "read in the layout of the document of 2008/06/02\n"...)
	}
	out = fmt.Appendf(out, "clock: %d Hz, scale %d, starts at %d, times by the %s formula\n", i.StartFreq, i.FreqScale,
		i.StartTSC, formula(i.Formula))
	out = fmt.Appendf(out, "wall clock at the start: %d.%06d\n", i.StartSec, i.StartUsec)
	if i.Dialect <= lttng.V20 || i.Dialect == lttng.Seed {
		h := i.Head
		out = fmt.Appendf(out, "header: arch_type %d, arch_variant %d, float_word_order %d, flight_recorder %d, has_heartbeat %d, "+
			"tsc_lsb_truncate %d, tscbits %d, compact_data_shift %d, start_monotonic %d\n",
			h.Arch, h.Variant, h.FloatOrder, i.FlightRecorder, truth(i.Heartbeat), h.TSCLSB, h.TSCBits, h.CompactShift,
			i.StartMonotonic)
	}
	return fmt.Appendf(out, "files: %d, markers: %d, processors: %d\n", len(t.Files()), len(t.Markers()), i.CPUs)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func formula(f lttng.Formula) string {
	return [...]string{"", "old", "new", "exact"}[f]
}

// counts holds the totals of a file.
type counts struct {
	events, unknown int64
	first, last     uint64 // times
}

// count walks one file.
func count(ctx context.Context, s *lttng.Stream) (c counts, err error) {
	defer s.Close()
	for {
		batch, err := s.Next()
		for i := range batch.Records {
			r := &batch.Records[i]
			if c.events++; c.events == 1 {
				c.first = r.Time
			}
			c.last = max(c.last, r.Time)
			if r.ID == lttng.NoMarker {
				c.unknown++
			}
		}
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return c, err
		}
	}
}

func (c *counts) appendTo(out []byte, f *lttng.File) []byte {
	name := strings.TrimPrefix(f.Path, f.Trace().Path()+"/")
	out = fmt.Appendf(out, "%-32s %8d events in %d sub-buffers, %d bytes", name, c.events, f.Blocks, f.Size)
	if c.events > 0 {
		out = fmt.Appendf(out, ", %d.%09d .. %d.%09d", c.first/1e9, c.first%1e9, c.last/1e9, c.last%1e9)
	}
	if f.EventsLost > 0 {
		out = fmt.Appendf(out, ", %d events lost", f.EventsLost)
	}
	if f.Corrupt > 0 {
		out = fmt.Appendf(out, ", %d corrupt sub-buffers", f.Corrupt)
	}
	if f.Unclosed > 0 {
		out = fmt.Appendf(out, ", %d never closed", f.Unclosed)
	}
	return append(out, '\n')
}
