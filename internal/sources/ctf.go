package sources

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/tracec/tracec/compiler/ctf/recorded"
	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/layout"
	"github.com/tracec/tracec/runtime/record"
)

// CTF is the source of traces in the Common Trace Format, and of directories with such traces.
func CTF() *Source {
	return &Source{
		Name: "ctf", Title: "CTF", Follows: true, Detect: detectCTF,
		Holds: isA[*ctf.Recording], Span: spanCTF, Times: nanoseconds, Choose: chooseCTF, Describe: describeCTF,
		Open: func(ctx context.Context, job *Job) (record.Recording, error) { return opened(OpenCTF(ctx, job)) },
	}
}

// detectCTF recognizes directories with traces, and the file metadata of a trace.
func detectCTF(p *input.Probe) bool {
	if p.Dir != nil {
		return ctf.IsTrace(p.Dir)
	}
	fragment, isJSON := bytes.CutPrefix(p.Head, []byte{0x1e})
	return ctf.IsMetadata(p.Head) && (!isJSON || bytes.HasPrefix(bytes.TrimSpace(fragment), []byte("{")))
}

// OpenCTF opens a directory with traces, or the file metadata of one, which has no events.
func OpenCTF(ctx context.Context, job *Job) (*ctf.Recording, error) {
	in, err := job.Open(ctx, job.Path, CTF())
	switch {
	case err != nil:
		return nil, err
	case in.Dir == nil && in.File == nil:
		return nil, in.Unknown()
	}
	opts := []ctf.Option{ctf.WithMemory(job.Memory), ctf.WithPath(in.Place)}
	if job.NoIndex {
		opts = append(opts, ctf.WithIndex(""))
	}
	if job.Follow != nil {
		opts = append(opts, ctf.WithFollow(*job.Follow))
	}
	open := openCTF
	if len(job.More) > 0 {
		open = job.openSeveralCTF
	}
	rec, err := open(ctx, in, opts...)
	if err != nil {
		return nil, err
	}
	if err := rec.Incomparable(); err != nil {
		job.Note("%s: %w", rec.Name(), err)
	}
	job.Reads(rec)
	return rec, nil
}

// openSeveralCTF opens all directories of a job.
func (j *Job) openSeveralCTF(ctx context.Context, _ *input.Input, opts ...ctf.Option) (*ctf.Recording, error) {
	var list []ctf.Directory
	for _, path := range append([]string{j.Path}, j.More...) {
		in, err := j.Open(ctx, path, CTF())
		switch {
		case err != nil:
			return nil, err
		case in.Dir == nil:
			return nil, fmt.Errorf("%s: name the directory of a trace, to read it together with others", in.Name)
		}
		list = append(list, ctf.Directory{Name: filepath.ToSlash(in.Name), FS: in.Dir})
	}
	return ctf.OpenSeveral(list, opts...)
}

func openCTF(_ context.Context, in *input.Input, opts ...ctf.Option) (*ctf.Recording, error) {
	if in.Dir != nil {
		return ctf.OpenFS(in.Dir, in.Name, opts...)
	}
	if in.File.Size > ctf.MaxMetadata {
		return nil, &ctf.Damage{File: in.Name, Err: fmt.Errorf("more than %d bytes of metadata: %w",
			ctf.MaxMetadata, ctf.ErrLimit)}
	}
	data := make([]byte, in.File.Size)
	if _, err := in.File.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return ctf.OpenMetadata(data, in.Name, opts...)
}

func spanCTF(ctx context.Context, rec record.Recording) (*selection.Span, error) {
	first, last, ok, err := Ends(ctx, rec.(*ctf.Recording).Merge,
		func(*record.Record, *ctf.Entry) bool { return true }, false)
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
	c := &selection.Catalog{Recording: rec.Name(), Noun: "event", NamesLater: true}
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

// describeCTF compiles the events.
func describeCTF(r record.Recording, events pattern.List) *Description {
	rec := r.(*ctf.Recording)
	catalog := CTFEvents(rec)
	events = catalog.In(events)
	unit, errs := recorded.Unit(rec, func(provider, name string) bool { return events.Matches(provider, name, "") })
	return &Description{
		Recorded: layout.Source(rec),
		Unit:     unit, Messages: rec.Warnings(), LeftOut: errs, Catalog: catalog, Noun: "events", Parts: "fields",
		Nothing: fmt.Errorf("%s: the trace describes no event", rec.Name()),
	}
}
