package textdump

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/runtime/lttng"
)

// System is LTTng before CTF among the kinds of recordings.
func System() report.System {
	return report.System{Name: "lttng", Detect: detect, Report: printReport, List: list, Info: info}
}

// printReport is tracec report: textDump, with the options that mean the same for every system.
func printReport(ctx context.Context, job *report.Job, o *report.Options) error {
	if o.Stat {
		return info(ctx, job)
	}
	if len(o.Templates) > 0 {
		return &report.UsageError{Err: errors.New("--template: traces of LTTng need none")}
	}
	return Print(ctx, job, nil, Options{Plain: o.Plain || o.Raw, Name: job.Path, Filter: Filter{Choice: *o}})
}

// Print opens what a job is about and prints it.
func Print(ctx context.Context, job *report.Job, how []lttng.Option, o Options) error {
	if err := o.Filter.check(); err != nil {
		return err
	}
	t, err := Open(job, how...)
	if err != nil {
		return err
	}
	defer t.Close()
	if o.Name == "" {
		o.Name = job.Path
	}
	if o.Nothing == nil {
		o.Nothing = func(chosen string) { job.Warn(report.Nothing(job.Path, "event", chosen)) }
	}
	return t.Tell(job, Run(ctx, t.Recording, o, job.Out))
}

// list is tracec list.
func list(_ context.Context, job *report.Job, o *report.ListOptions) error {
	return List(job, nil, o)
}

// List prints the markers.
func List(job *report.Job, how []lttng.Option, o *report.ListOptions) error {
	match, err := report.EventMatcher(o.Events)
	if err != nil {
		return &report.UsageError{Err: err}
	}
	t, err := Open(job, how...)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := Catalog(t.Recording).CheckEvents("-e", o.Events); err != nil {
		return err
	}
	var out []byte
	for _, m := range t.Markers() {
		if !match(m.Channel, m.Name) {
			continue
		}
		out = fmt.Appendf(out, "%7s  %s  %q\n", id(t, m), title(m), m.Format)
		if !o.Fields {
			continue
		}
		at := 0
		for _, f := range m.Fields {
			out = appendField(out, f, &at)
		}
	}
	_, err = job.Out.Write(out)
	return t.Tell(job, err)
}

// id is the number of a marker: in its channel or in the trace, up to 0.8 of its facility and in that.
func id(t *Trace, m *lttng.Marker) string {
	if t.Info().Dialect < lttng.V10 {
		return fmt.Sprintf("%d.%d", m.ID>>8, m.ID&0xff)
	}
	return fmt.Sprint(m.ID)
}

// appendField tells place, size and type of a field. at is the end of the field before, -1 behind a string.
func appendField(out []byte, f lttng.Field, at *int) []byte {
	kind := "unsigned"
	switch {
	case f.Size == 0:
		kind = "string"
	case f.Pointer:
		kind = "pointer"
	case f.Signed:
		kind = "signed"
	}
	if f.Network {
		kind += ", network order"
	}
	place := "?"
	if *at >= 0 {
		*at = (*at + f.Align - 1) / max(f.Align, 1) * max(f.Align, 1)
		place = fmt.Sprint(*at)
	}
	out = fmt.Appendf(out, "         %-24s offset %s, size %d, align %d, %s\n", f.Name, place, f.Size, f.Align, kind)
	if f.Size == 0 {
		*at = -1
	} else if *at >= 0 {
		*at += f.Size
	}
	return out
}
