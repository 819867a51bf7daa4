package textdump

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// System prints recordings of LTTng before CTF.
func System() report.System {
	return report.System{
		Source: sources.LTTng(), Report: printReport, List: list, Info: info, Stat: stat,
		Catalog: catalog, ForList: catalog,
	}
}

// printReport implements tracec report: textDump with the options that all systems share.
func printReport(ctx context.Context, job *report.Job, o *report.Options) error {
	if o.Stat {
		f, err := info(ctx, job)
		if f == nil {
			return err
		}
		_, failed := job.Out.Write(f.Text)
		return errors.Join(failed, err)
	}
	o.InTurn(job)
	return Print(ctx, job, nil, Options{Plain: o.Plain || o.Raw, Name: job.Path, Filter: Filter{Choice: *o}})
}

// Print opens the input of a job and prints it.
func Print(ctx context.Context, job *report.Job, how []lttng.Option, o Options) error {
	if err := o.Filter.check(); err != nil {
		return err
	}
	own := sources.LTTng() // with times computed by the formula in how
	own.Open = func(ctx context.Context, job *sources.Job) (record.Recording, error) {
		t, err := sources.OpenLTTng(ctx, job, how...)
		if err != nil {
			return nil, err // not a nil *lttng.Recording in an interface
		}
		return t, nil
	}
	choice, err := job.Settle(ctx, own, &o.Filter.Choice)
	if err != nil {
		return err
	}
	o.Filter.Choice = *choice
	t, err := sources.OpenLTTng(ctx, &job.Job, how...)
	if err != nil {
		return err
	}
	defer t.Close()
	if o.Name == "" {
		o.Name = job.Path
	}
	if o.Workers == 0 {
		o.Workers = job.Workers
	}
	o.Style = job.Style
	if o.Nothing == nil {
		o.Nothing = func() { job.Warn(nothing(ctx, job, &o.Filter)) }
	}
	err = Run(ctx, t, o, job.Out)
	if c := clocks(t); c != nil && !errors.As(err, new(*report.UsageError)) {
		job.Warn(c)
	}
	if lost := losses(t); lost != nil {
		job.Warn(lost)
	}
	return report.Tell(job, t, err)
}

// nothing reports that no event matched the filter.
func nothing(ctx context.Context, job *report.Job, f *Filter) error {
	if chosen := f.chosen(); chosen != f.Choice.Chosen() { // named with the options of another command
		return selection.Nothing(job.Path, "event", chosen)
	}
	return job.Nothing(ctx, "event", &f.Choice.Options)
}

// losses returns an error with the number of lost events. LTTV's text cannot show it: LTTV warned
// of each sub-buffer separately.
func losses(rec *lttng.Recording) error {
	sum, files := uint64(0), 0
	for _, f := range rec.Files() {
		if f.EventsLost > 0 {
			sum, files = sum+uint64(f.EventsLost), files+1
		}
	}
	if sum == 0 {
		return nil
	}
	return fmt.Errorf("%s: %d events were lost, in %d of %d files (tracec info names them)", rec.Name(), sum, files,
		len(rec.Files()))
}

// sameClock is the maximum difference between the start of one clock in two traces, by wall time.
// The wall clock may have been set between the traces.
const sameClock = 10 * time.Second

// clocks returns an error that names the traces of a set with clocks that started at different
// times. LTTV orders them by their clocks nevertheless.
func clocks(rec *lttng.Recording) error {
	if rec.Traces()[0].WallClock() {
		return nil
	}
	var first, other *lttng.Trace
	var gap time.Duration
	more := 0
	for _, tr := range rec.Traces() {
		zero, ok := tr.Zero()
		if !ok {
			continue
		}
		if first == nil {
			first = tr
			continue
		}
		begin, _ := first.Zero()
		switch d := zero.Sub(begin); {
		case d.Abs() <= sameClock:
		case other == nil:
			other, gap = tr, d
		default:
			more++
		}
	}
	if other == nil {
		return nil
	}
	when := "after"
	if gap < 0 {
		when = "before"
	}
	also := ""
	if more > 0 {
		also = fmt.Sprintf(" (and of %d more)", more)
	}
	return fmt.Errorf("%s: its clock began %v %s the clock of %s%s; each trace has the times of its own clock (textdump --time wall orders by the wall clock)",
		other.Name(), gap.Abs().Round(time.Second), when, first.Name(), also)
}

// catalog returns the catalog of a trace.
func catalog(ctx context.Context, job *report.Job) (*selection.Catalog, error) {
	t, err := sources.OpenLTTng(ctx, &job.Job)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return sources.Markers(t), nil
}

// list implements tracec list.
func list(ctx context.Context, job *report.Job, o *report.ListOptions) error {
	return List(ctx, job, nil, o)
}

// List prints the markers.
func List(ctx context.Context, job *report.Job, how []lttng.Option, o *report.ListOptions) error {
	t, err := sources.OpenLTTng(ctx, &job.Job, how...)
	if err != nil {
		return err
	}
	defer t.Close()
	c := sources.Markers(t)
	match, err := c.Checked(o.Events)
	if err != nil {
		return err
	}
	told := map[string]bool{} // most traces of a set describe the same events
	for _, m := range sorted(t) {
		if !match(m.Channel, m.Name) {
			continue
		}
		e := listed(m, o.Fields)
		if told[string(e.Line)] {
			continue
		}
		told[string(e.Line)] = true
		if err = o.Each(e); err != nil {
			break
		}
	}
	return report.Tell(job, t, err)
}

// sorted returns the markers by channel and id. The markers of one trace are already sorted.
func sorted(rec *lttng.Recording) []*lttng.Marker {
	if len(rec.Traces()) == 1 {
		return rec.Markers()
	}
	return slices.SortedStableFunc(slices.Values(rec.Markers()), func(a, b *lttng.Marker) int {
		return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
	})
}

// listed returns the facts about a marker, and about its fields if fields is set.
func listed(m *lttng.Marker, fields bool) *facts.Event {
	e := &facts.Event{System: m.Channel, Name: m.Name, ID: facts.Number(m.ID), Format: m.Format}
	e.Line = fmt.Appendf(nil, "%7s  %s  %q\n", id(m), title(m), m.Format)
	if !fields {
		return e
	}
	at, taken := 0, map[string]bool{}
	e.Fields = []facts.Field{}
	for i := range m.Fields {
		addField(e, &m.Fields[i], ir.Distinct(m.Fields[i].Name, taken), &at)
	}
	return e
}

// id returns the number of a marker: in its channel or in the trace. Up to 0.8 it is the number of
// its facility and the number in the facility.
func id(m *lttng.Marker) string {
	if m.Trace().Info().Dialect < lttng.V10 {
		return fmt.Sprintf("%d.%d", m.ID>>8, m.ID&0xff)
	}
	return fmt.Sprint(m.ID)
}

// addField adds name, offset, size and type of a field. at is the end of the previous field, or -1
// after a field of variable size.
func addField(e *facts.Event, f *lttng.Field, name string, at *int) {
	kind := "unsigned"
	switch {
	case f.Kind == lttng.String:
		kind = "string"
	case f.Kind == lttng.Float:
		kind = "float"
	case f.Kind != lttng.Integer:
		kind = f.Source
	case f.Pointer:
		kind = "pointer"
	case f.Signed:
		kind = "signed"
	}
	if f.Network {
		kind += ", network order"
	}
	x := facts.Field{Name: name, Type: kind, Signed: f.Signed}
	place, size := "?", fmt.Sprint(f.Size)
	if *at >= 0 {
		*at = (*at + f.Align - 1) / max(f.Align, 1) * max(f.Align, 1)
		place, x.Offset = fmt.Sprint(*at), facts.Number(*at)
	}
	if f.Size < 0 || f.Kind == lttng.Sequence {
		size = "?"
	} else if f.Kind != lttng.String {
		x.Size = facts.Number(f.Size)
	}
	e.Fields = append(e.Fields, x)
	e.Line = fmt.Appendf(e.Line, "         %-24s offset %s, size %s, align %d, %s\n", name, place, size, f.Align, kind)
	if f.Kind == lttng.String || size == "?" {
		*at = -1
	} else if *at >= 0 {
		*at += f.Size
	}
}
