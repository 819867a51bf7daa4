package sources

import (
	"context"

	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// CTF is the source of traces in the Common Trace Format, and of directories that hold some.
func CTF() *Source {
	return &Source{
		Name: "ctf", Title: "CTF", Detect: func(p *input.Probe) bool { return p.Dir != nil && ctf.IsTrace(p.Dir) },
		Holds: isA[*ctf.Recording], Span: spanCTF, Times: nanoseconds, Choose: chooseCTF,
		NoIndex: "packets say in their headers when they begin and end",
		Open:    func(ctx context.Context, job *Job) (record.Recording, error) { return opened(OpenCTF(ctx, job)) },
	}
}

// OpenCTF opens a directory with traces.
func OpenCTF(ctx context.Context, job *Job) (*ctf.Recording, error) {
	in, err := job.Open(ctx, job.Path, CTF())
	switch {
	case err != nil:
		return nil, err
	case in.Dir == nil:
		return nil, in.Unknown()
	}
	rec, err := ctf.OpenFS(in.Dir, in.Name, ctf.WithMemory(job.Memory), ctf.WithPath(in.Place))
	if err != nil {
		return nil, err
	}
	if err := rec.Incomparable(); err != nil {
		job.Note("%s: %w", in.Name, err)
	}
	job.Reads(rec)
	return rec, nil
}

func spanCTF(ctx context.Context, rec record.Recording) (*selection.Span, error) {
	first, last, ok, err := Ends(ctx, rec.(*ctf.Recording).Merge, func(*record.Record, *ctf.Entry) bool { return true }, false)
	return &selection.Span{First: first, Last: last, Empty: !ok}, err
}

func chooseCTF(ctx context.Context, job *Job, _ *selection.Options) (*Choice, error) {
	rec, err := OpenCTF(ctx, job)
	if err != nil {
		return nil, err
	}
	return &Choice{Recording: rec, Catalog: CTFEvents(rec)}, nil
}

// CTFEvents returns the catalog of a recording.
func CTFEvents(rec *ctf.Recording) *selection.Catalog {
	c := &selection.Catalog{Recording: rec.Name(), Noun: "event"}
	told := map[selection.Name]bool{}
	for _, e := range rec.Events() {
		system, name := e.Title()
		if n := (selection.Name{System: system, Name: name}); !told[n] {
			told[n] = true
			c.Events = append(c.Events, n)
		}
	}
	return c
}
