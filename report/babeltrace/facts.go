package babeltrace

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/layout"
	"github.com/tracec/tracec/runtime/ctf/metadata"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// catalog returns the catalog of a recording.
func catalog(ctx context.Context, job *report.Job) (*selection.Catalog, error) {
	rec, err := sources.OpenCTF(ctx, &job.Job)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	return sources.CTFEvents(rec), nil
}

// list is tracec list.
func list(ctx context.Context, job *report.Job, o *report.ListOptions) error {
	rec, err := sources.OpenCTF(ctx, &job.Job)
	if err != nil {
		return err
	}
	defer rec.Close()
	match, err := sources.CTFEvents(rec).Checked(o.Events)
	if err != nil {
		return err
	}
	seen := map[string]bool{} // the traces of a session have most events in common
	for _, e := range rec.Events() {
		if system, name := e.Title(); !match(system, name) {
			continue
		}
		f := listed(e, o.Fields)
		if seen[string(f.Line)] {
			continue
		}
		seen[string(f.Line)] = true
		if err = o.Each(f); err != nil {
			break
		}
	}
	return report.Tell(job, rec, err)
}

// listed returns the facts about an event, and about its fields if fields is set.
func listed(e *ctf.Event, fields bool) *facts.Event {
	system, name := e.Title()
	f := &facts.Event{System: system, Name: name}
	f.Line = fmt.Appendf(nil, "%5d  %s\n", e.ID, e.Name.Name)
	if !fields {
		return f
	}
	f.Fields = []facts.Field{}
	f.Line, f.Attributes = appendAttributes(f.Line, "       attributes", e.Attributes)
	values, _ := layout.Fields(e)
	for _, v := range values {
		if v.Class == nil {
			continue
		}
		x := facts.Field{Name: v.Name, Type: v.Class.Describe(), Signed: v.Class.Signed}
		f.Line = fmt.Appendf(f.Line, "         %-24s %s\n", x.Name, x.Type)
		f.Line, x.Attributes = appendAttributes(f.Line, "           attributes", v.Attributes)
		f.Line, x.TypeAttributes = appendAttributes(f.Line, "           attributes of the type", v.Class.Attributes)
		f.Fields = append(f.Fields, x)
	}
	return f
}

// appendAttributes appends a line with attributes, if there are any. It also returns them as JSON.
func appendAttributes(out []byte, what string, list []metadata.Attribute) ([]byte, []byte) {
	if len(list) == 0 {
		return out, nil
	}
	object := metadata.AppendAttributes(nil, list)
	return fmt.Appendf(out, "%s: %s\n", what, object), object
}

// info is tracec info.
func info(ctx context.Context, job *report.Job) (*facts.Info, error) {
	rec, err := sources.OpenCTF(ctx, &job.Job)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	var out []byte
	f := facts.NewInfo("CTF trace", rec)
	f.Described = int64(len(rec.Events()))
	var sum facts.Counts
	var bad []error
	written := map[*ctf.Trace]bool{}
	for _, s := range rec.Streams(record.Options{Context: ctx}) {
		file, size := s.File(), s.Size()
		if tr := file.Trace(); !written[tr] {
			out, written[tr] = appendFacts(out, tr), true
		}
		var t report.Tally
		lost, err := count(s, &t)
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			bad = append(bad, err)
		}
		all := t.All()
		st := facts.Stream{File: file.Path, Events: all.N, Bytes: facts.Number(size), Lost: max(lost, 0)}
		out = fmt.Appendf(out, "%-32s %8d events, %d bytes", file.Path, all.N, size)
		if all.N > 0 {
			st.Span = facts.SpanOf(all.First, all.Last, false)
			out = fmt.Appendf(out, ", %s .. %s", render.Fixed(nil, all.First, 9), render.Fixed(nil, all.Last, 9))
		}
		if lost != 0 {
			out = facts.AppendLost(append(out, ", "...), max(lost, 0), lost < 0, t.Gaps)
		}
		out = append(out, '\n')
		f.Add(st)
		sum.Count += all.N
	}
	f.Recording = facts.Of(job.Path, "ctf", rec)
	f.Text = fmt.Appendf(out, "%d events; %d damaged places, %d bytes left out\n", sum.Count, f.DamagePlaces, f.Skipped)
	return f, report.Tell(job, rec, errors.Join(bad...))
}

// count counts the events of a stream.
func count(s *ctf.Stream, t *report.Tally) (lost int64, err error) {
	m := record.Only(s, 0)
	defer s.Close()
	err = m.Run(func(r *record.Record, x *ctf.Entry) error {
		t.Add(0, r.CPU, report.NoTask, r.Time)
		if r.Lost != 0 {
			t.Miss(r.Lost)
			lost = record.AddLost(lost, r.Lost)
		}
		return nil
	})
	return lost, err
}

// appendFacts appends the facts about a trace.
func appendFacts(out []byte, t *ctf.Trace) []byte {
	version := "1.8"
	if t.Version == 2 {
		version = "2"
	}
	if len(out) > 0 {
		out = append(out, '\n')
	}
	out = fmt.Appendf(out, "%s: CTF %s", t.Path, version)
	if t.UUID != "" {
		out = fmt.Appendf(out, ", UUID %s", t.UUID)
	}
	out = appendName(append(out, '\n'), "trace", t.Name)
	out, _ = appendAttributes(out, "attributes of the trace", t.Attributes)
	for _, v := range t.Environment {
		if v.IsText {
			out = fmt.Appendf(out, "%s: %q\n", v.Name, v.Text)
		} else {
			out = fmt.Appendf(out, "%s: %d\n", v.Name, v.Number)
		}
	}
	for _, c := range t.Clocks {
		out = appendClock(out, c)
	}
	for _, s := range t.Streams {
		what := fmt.Sprintf("stream %d", s.ID)
		out = appendName(out, what, s.Name)
		out, _ = appendAttributes(out, "attributes of "+what, s.Attributes)
	}
	return out
}

// appendName appends a line with the parts of a name, if there are any.
func appendName(out []byte, what string, n metadata.Name) []byte {
	if n == (metadata.Name{}) {
		return out
	}
	out = fmt.Appendf(out, "%s: name %q", what, n.Name)
	if n.Namespace != "" {
		out = fmt.Appendf(out, ", namespace %q", n.Namespace)
	}
	if n.UID != "" {
		out = fmt.Appendf(out, ", UID %q", n.UID)
	}
	return append(out, '\n')
}

// appendClock appends the facts about a clock.
func appendClock(out []byte, c *metadata.Clock) []byte {
	out = fmt.Appendf(out, "clock %s: %d Hz, begins %d s and %d cycles after its origin", c.ID, c.Frequency, c.Seconds,
		c.Cycles)
	switch {
	case c.Unix:
		out = append(out, ", the Unix epoch"...)
	case c.Origin != (metadata.Name{}):
		out = fmt.Appendf(out, ", %q", c.Origin.Name)
	}
	if c.Precision > 0 {
		out = fmt.Appendf(out, ", precision %d cycles", c.Precision)
	}
	if c.Accuracy > 0 {
		out = fmt.Appendf(out, ", accuracy %d cycles", c.Accuracy)
	}
	out = append(out, '\n')
	if c.Description != "" {
		out = fmt.Appendf(out, "clock %s: %q\n", c.ID, c.Description)
	}
	if n := c.Name; n.Name != c.ID || n.Namespace != "" || n.UID != "" {
		out = appendName(out, "clock "+c.ID, n)
	}
	out, _ = appendAttributes(out, "attributes of clock "+c.ID, c.Attributes)
	return out
}

// stat counts the selected events.
func stat(ctx context.Context, job *report.Job, o *report.Options) (*report.Stat, error) {
	rec, r, err := job.Events(ctx, o)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	t := report.Tally{Memory: job.Memory}
	events := rec.(*ctf.Recording).Events()
	kinds := kindsOf(events)
	for e := range r.All() {
		t.Add(kinds[e.Entry.(*ctf.Entry).Event.Index], e.CPU, report.NoTask, e.Time)
		if e.Lost != 0 {
			t.Miss(e.Lost)
		}
	}
	s := &report.Stat{Recording: facts.Of(job.Path, "ctf", rec)}
	s.Add(t.Buffer("", report.Names{
		Event: func(n uint32) report.EventName {
			system, name := events[n].Title()
			return report.EventName{System: system, Name: name, Text: events[n].Name.Name}
		},
		Task: func(int64) string { return "" },
		Time: func(ns uint64) string { return string(render.Fixed(nil, ns, 9)) },
	}))
	return s, report.Tell(job, rec, r.Err())
}

// kindsOf returns the first event with the same name for each event. The traces of a session
// describe the same events.
func kindsOf(events []*ctf.Event) []uint32 {
	first := map[string]uint32{}
	kinds := make([]uint32, len(events))
	for i, e := range events {
		n, ok := first[e.Name.Name]
		if !ok {
			n = uint32(i)
			first[e.Name.Name] = n
		}
		kinds[i] = n
	}
	return kinds
}
