package textdump

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tracec/tracec/cmd/internal/archive"
	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/runtime/lttng"
)

// Trace is an open trace, of a directory or of an archive.
type Trace struct {
	*lttng.Recording
	// Cut is what is wrong with the archive, such as an early end.
	Cut error

	unpacked *archive.Dir
}

// Open opens what a job is about: a directory, or an archive of one, which is unpacked to a folder for temporary files that
// Close removes.
func Open(job *report.Job, opts ...lttng.Option) (*Trace, error) {
	switch {
	case job.Path == "-":
		return openArchive(job.Stdin, "stdin", opts)
	case job.Piped:
		return openArchive(job.Stdin, job.Path, opts)
	}
	st, err := os.Stat(job.Path)
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		rec, err := lttng.Open(job.Path, opts...)
		if err != nil {
			return nil, err
		}
		return &Trace{Recording: rec}, nil
	}
	f, err := os.Open(job.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return openArchive(f, job.Path, opts)
}

func openArchive(r io.Reader, name string, opts []lttng.Option) (*Trace, error) {
	dir, cut := archive.Open(r, name, lttng.IsTrace)
	if dir == nil {
		return nil, cut
	}
	rec, err := lttng.OpenFS(dir.FS, name, opts...)
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return &Trace{Recording: rec, Cut: cut, unpacked: dir}, nil
}

// Close closes the trace and removes what was unpacked.
func (t *Trace) Close() error {
	err := t.Recording.Close()
	if t.unpacked != nil {
		err = errors.Join(err, t.unpacked.Close())
	}
	return err
}

// Tell prints what could not be read, and returns the error of the work: err, or that the trace is damaged.
func (t *Trace) Tell(job *report.Job, err error) error {
	list := t.Damage()
	for _, d := range list {
		job.Warn(fmt.Errorf("%s/%w", t.Name(), d))
	}
	if n := t.DamageStats().Count - int64(len(list)); n > 0 {
		job.Warn(fmt.Errorf("%s: %d more places are damaged", t.Name(), n))
	}
	if t.Cut != nil {
		job.Warn(t.Cut)
	}
	if err == nil && (len(list) > 0 || t.Cut != nil) {
		return report.ErrDamaged
	}
	return err
}

// detect knows directories by the magic number of their files, and archives by the names of theirs.
func detect(p *report.Probe) bool {
	if p.Dir != nil {
		return lttng.IsTrace(p.Dir)
	}
	if !archive.Packed(p.Head) {
		return false
	}
	names := archive.Names(bytes.NewReader(p.Head))
	if len(names) == 0 && p.Path != "-" { // zstd and xz show nothing before they have a whole block
		if st, err := os.Stat(p.Path); err != nil || !st.Mode().IsRegular() {
			return false
		}
		f, err := os.Open(p.Path)
		if err != nil {
			return false
		}
		defer f.Close()
		names = archive.Names(f)
	}
	return slices.ContainsFunc(names, isPart)
}

// isPart knows the names of the files of a trace: metadata_0, control/facilities_3, process-724.724.6281045228952.
func isPart(name string) bool {
	base := path.Base(name)
	i := strings.LastIndexByte(base, '_')
	if i <= 0 || i+1 == len(base) || strings.Trim(base[i+1:], "0123456789") != "" {
		return strings.Contains(name, "ltt-usertrace/process-")
	}
	switch base[:i] {
	case "metadata", "facilities", "cpu", "compact", "kernel", "ust":
		return true
	}
	return false
}
