// Package uftrace describes uftrace to package report: how recordings are
// recognised, opened, listed and counted.
//
// What the commands of uftrace print is in the packages below: replay, dump,
// export, summary (uftrace report), graph and about (uftrace info).
package uftrace

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Open opens an input of a job, which may take so many bytes of memory. The job closes what it was
// unpacked to.
func Open(ctx context.Context, job *report.Job, name string, memory int64, opts ...uftrace.Option) (*uftrace.Recording, error) {
	in, err := job.Open(ctx, name, System())
	switch {
	case err != nil:
		return nil, err
	case in.Dir == nil:
		return nil, in.Unknown()
	}
	form, ok := uftrace.ParseDemangle(cmp.Or(job.Opening.Demangle, "simple"))
	if !ok {
		return nil, report.Usagef("--demangle %s: want simple, full or no", job.Opening.Demangle)
	}
	opts = append(slices.Clone(opts), uftrace.WithMemory(memory), uftrace.WithDemangle(form))
	if job.Follow != nil {
		opts = append(opts, uftrace.WithFollow(*job.Follow))
	}
	if job.NoIndex {
		opts = append(opts, uftrace.WithIndex(""))
	}
	rec, err := uftrace.OpenFS(in.Dir, in.Name, append(opts, uftrace.WithPath(in.Place))...)
	if err != nil {
		return nil, err
	}
	if rec.IndexErr() != nil {
		job.NoteIndex(rec)
	}
	job.Reads(rec)
	return rec, nil
}

func open(ctx context.Context, job *report.Job) (*uftrace.Recording, error) {
	return Open(ctx, job, job.Path, job.Memory)
}

// openAny opens what a job is about, as a recording of any kind.
func openAny(ctx context.Context, job *report.Job) (record.Recording, error) {
	return report.Opened(open(ctx, job))
}

// magic begins the file info (uftrace.md 1.2).
const magic = "Ftrace!\x00"

// IsRecording reports whether a directory holds a recording: a file info with the magic number, or,
// when the recorder was killed, what is beside it.
func IsRecording(dir fs.FS) bool {
	if f, err := openInfo(dir); err == nil {
		head := make([]byte, len(magic))
		n, _ := io.ReadFull(f, head)
		f.Close()
		if string(head[:n]) == magic {
			return true
		}
	}
	list, err := fs.ReadDir(dir, ".")
	if err != nil {
		return false
	}
	data, other := false, false
	for _, e := range list {
		data = data || isData(e.Name())
		other = other || e.Name() == "task.txt" || isMap(e.Name())
	}
	return data && other
}

// openInfo opens the file info, if it is a file: a pipe would never open.
func openInfo(dir fs.FS) (fs.File, error) {
	if st, err := fs.Stat(dir, "info"); err != nil || !st.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	return dir.Open("info")
}

// isData knows the name of a file of records: 1234.dat.
func isData(name string) bool {
	tid, ok := strings.CutSuffix(name, ".dat")
	return ok && tid != "" && strings.Trim(tid, "0123456789") == ""
}

func isMap(name string) bool {
	return strings.HasPrefix(name, "sid-") && strings.HasSuffix(name, ".map")
}

// detect knows directories.
func detect(p *report.Probe) bool { return p.Dir != nil && IsRecording(p.Dir) }
