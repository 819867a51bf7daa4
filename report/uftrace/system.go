// Package uftrace prints recordings of uftrace for package report: reports, lists and counts.
//
// The output of the commands of uftrace is in the packages below: replay, dump, export, summary
// (uftrace report), graph and about (uftrace info).
package uftrace

import (
	"context"
	"fmt"
	"strings"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/report/uftrace/dump"
	"github.com/tracec/tracec/report/uftrace/replay"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
)

// System prints recordings of uftrace.
func System() report.System {
	return report.System{
		Source: sources.Uftrace(), Report: printReport, List: list, Info: info, Stat: stat,
		Catalog: catalogOf(sources.Functions), ForList: catalogOf(listCatalog),
	}
}

// StyleOf returns the style for the version of a recorder, such as "v0.13 ( x86_64 ... )" or 0.19.
// ok is false if the text is not a version. The texts of 0.19 are used from 0.14 on, but the column
// of thread ids is wider since 0.17 (uftrace.md 2.1).
func StyleOf(version string) (style values.Style, ok bool) {
	major, minor, ok := report.ParseVersion(version)
	switch {
	case major > 0 || minor >= 17:
		return values.V019, ok
	case minor >= 14:
		return values.V014, ok
	}
	return values.V013, ok
}

// printReport implements tracec report: uftrace replay, or uftrace dump with -R, with the options
// that all systems share. -e selects functions, and also shows their callees.
func printReport(ctx context.Context, job *report.Job, o *report.Options) error {
	if _, err := window(o); err != nil {
		return err
	}
	if o.Stat {
		return printInfo(ctx, job)
	}
	if o.Raw && job.Follow != nil {
		return report.Usagef("--raw: prints the files of a uftrace recording one after the other; --follow cannot")
	}
	rec, err := open(ctx, job)
	if err != nil {
		return err
	}
	defer rec.Close()
	filters, err := choose(sources.Functions(rec), o)
	if err != nil {
		return err
	}
	match, err := matchOf(rec, o)
	if err != nil {
		return err
	}
	o.InTurn(job)
	shown := false
	version, _ := StyleOf(rec.Info().Recorder)
	paint := func(name string) string { return job.Style.Paint(style.Event, name) }
	if o.Raw {
		err = dump.Run(ctx, rec, dump.Options{
			Style: version, Play: filters, All: true, Match: match, Workers: job.Parallel(), Shown: &shown,
			Limit: o.Limit, Paint: paint,
		}, job.Out)
	} else {
		err = replay.Run(ctx, rec, replay.Options{
			Play: filters, Text: replay.Text{Paint: paint}, Style: version, Match: match, Workers: job.Parallel(),
			Limit: o.Limit, Shown: &shown,
		}, job.Out)
	}
	if err == nil && !shown && o.Chosen() != "" {
		job.Warn(job.Nothing(ctx, "call", &o.Options))
	}
	return report.Tell(job, rec, err)
}

// list prints the functions with recorded values, with their specs, and the events.
func list(ctx context.Context, job *report.Job, o *report.ListOptions) error {
	rec, err := open(ctx, job)
	if err != nil {
		return err
	}
	defer rec.Close()
	c := listCatalog(rec)
	match, err := c.Checked(o.Events)
	if err != nil {
		return err
	}
	var events []*facts.Event
	for _, s := range rec.Symbols() {
		if len(s.Args)+len(s.Results) > 0 && match(sources.ModuleName(s), s.Shown()) {
			events = append(events, listed(s, o.Fields))
		}
	}
	for id, name := range rec.Events() {
		if sys, event, _ := strings.Cut(name, ":"); match(sys, event) {
			events = append(events, &facts.Event{System: sys, Name: event, ID: facts.Number(id),
				Line: fmt.Appendf(nil, "%7d  %s\n", id, name)})
		}
	}
	return report.Tell(job, rec, o.All(events))
}

// listed returns the facts about a function, and about its values if fields is set.
func listed(s *uftrace.Symbol, fields bool) *facts.Event {
	e := &facts.Event{System: sources.ModuleName(s), Name: s.Shown(), Kind: string(s.Type)}
	e.Line = fmt.Appendf(nil, "%7c  %s:%s\n", s.Type, sources.ModuleName(s), s.Shown())
	if !fields {
		return e
	}
	e.Fields = []facts.Field{}
	for _, specs := range [][]uftrace.Spec{s.Args, s.Results} {
		for _, spec := range specs {
			name := "retval"
			if !spec.Result {
				name = fmt.Sprintf("arg%d", spec.Index)
			}
			f := facts.Field{Name: name, Type: spec.String(), Signed: strings.ContainsRune("di", rune(spec.Format))}
			if spec.Size > 0 {
				f.Size = facts.Number(spec.Size)
			}
			e.Fields = append(e.Fields, f)
			e.Line = fmt.Appendf(e.Line, "         %s\n", spec)
		}
	}
	return e
}

func open(ctx context.Context, job *report.Job) (*uftrace.Recording, error) {
	return Open(ctx, job, job.Path, job.Memory)
}

// Open opens an input of a job. memory is the limit in bytes. The job closes the unpacked copy of
// the input.
func Open(
	ctx context.Context, job *report.Job, name string, memory int64, opts ...uftrace.Option,
) (*uftrace.Recording, error) {
	return sources.OpenUftrace(ctx, &job.Job, name, memory, opts...)
}
