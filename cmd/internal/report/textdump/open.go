package textdump

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/tracec/tracec/cmd/internal/archive"
	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/runtime/lttng"
)

// Trace is an open trace, of a directory or of an archive.
type Trace struct {
	*lttng.Recording
	folder *report.Folder
}

// Open opens what a job is about: the directory of a trace or of a set of traces, or an archive of one.
func Open(job *report.Job, opts ...lttng.Option) (*Trace, error) {
	dir, err := job.OpenFolder(isRoot)
	if err != nil {
		return nil, err
	}
	rec, err := lttng.OpenFS(dir.FS, dir.Name, append(slices.Clone(opts), lttng.WithMemory(job.Memory))...)
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return &Trace{rec, dir}, nil
}

// Close closes the trace and removes what was unpacked.
func (t *Trace) Close() error { return errors.Join(t.Recording.Close(), t.folder.Close()) }

// Tell prints what could not be read, and returns the error of the work: err, or that the trace is damaged.
func (t *Trace) Tell(job *report.Job, err error) error {
	return report.Tell(job, t.folder, t.Damage(), t.DamageStats().Count, err)
}

// isRoot reports whether a directory of an archive is a trace, or a set of several.
func isRoot(dir fs.FS) bool { return lttng.IsTrace(dir) || lttng.IsSet(dir) }

// detect knows directories and archives by the magic number of their files. Of XML files and others there are none before it.
func detect(p *report.Probe) bool {
	if p.Dir != nil {
		return lttng.HasTraces(p.Dir)
	}
	return p.HasPart(func(e archive.Entry) bool { return lttng.IsHead(e.Head) })
}
