package textdump

import (
	"context"
	"io/fs"
	"slices"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// Open opens the input of a job: a trace or a set of traces. The job closes its unpacked copy.
func Open(ctx context.Context, job *report.Job, opts ...lttng.Option) (*lttng.Recording, error) {
	in, err := job.Open(ctx, job.Path, System())
	switch {
	case err != nil:
		return nil, err
	case in.Dir == nil:
		return nil, in.Unknown()
	}
	opts = append(slices.Clone(opts), lttng.WithMemory(job.Memory))
	switch d := job.Opening.Dialect; d {
	case "", "auto":
	case "seed":
		opts = append(opts, lttng.WithDialect(lttng.Seed))
	default:
		return nil, report.Usagef("--dialect %s: want auto or seed", d)
	}
	if dir := job.Opening.EventDefs; dir != "" {
		opts = append(opts, lttng.WithEventDefs(dir))
	}
	if job.Follow != nil {
		opts = append(opts, lttng.WithFollow(*job.Follow))
	}
	if job.NoIndex {
		opts = append(opts, lttng.WithIndex(""))
	}
	rec, err := lttng.OpenFS(in.Dir, in.Name, append(opts, lttng.WithPath(in.Place))...)
	if err != nil {
		return nil, err
	}
	if rec.IndexErr() != nil {
		job.NoteIndex(rec)
	}
	if job.Opening.Dialect != "seed" && isSeed(rec, in.Dir, in.Name) {
		job.Note("%s: --dialect seed reads it, the layout of the document of 2008; it cannot be told from 1.0", in.Name)
	}
	job.Reads(rec)
	return rec, nil
}

// isSeed reports whether a trace that is read as 1.0 with damaged descriptions has intact ones in
// the dialect Seed.
func isSeed(rec *lttng.Recording, dir fs.FS, name string) bool {
	traces := rec.Traces()
	if len(rec.Damage()) == 0 || len(traces) == 0 || traces[0].Info().Dialect != lttng.V10 {
		return false
	}
	seed, err := lttng.OpenFS(dir, name, lttng.WithDialect(lttng.Seed), lttng.WithIndex(""))
	if err != nil {
		return false
	}
	defer seed.Close()
	return len(seed.Damage()) == 0 && len(seed.Markers()) > len(rec.Markers())
}

// openAny opens the input of a job, as a recording of any kind.
func openAny(ctx context.Context, job *report.Job) (record.Recording, error) {
	return report.Opened(Open(ctx, job))
}

// detect recognizes the directories of traces, by the magic number of their files, and of sets of
// traces.
func detect(p *report.Probe) bool {
	return p.Dir != nil && (lttng.IsTrace(p.Dir) || lttng.IsSet(p.Dir))
}
