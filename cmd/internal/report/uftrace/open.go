// Package uftrace is uftrace among the kinds of recordings. Its commands are printed by the packages below: replay, dump,
// export, summary, graph and about.
package uftrace

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tracec/tracec/cmd/internal/archive"
	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Recording is an open recording, of a directory or of an archive.
type Recording struct {
	*uftrace.Recording
	folder *report.Folder
}

// Open opens a directory, or an archive of one, which may take so many bytes of memory. The archive is unpacked to a folder for temporary files, which Close removes.
func Open(name string, memory int64, opts ...uftrace.Option) (*Recording, error) {
	return open(&report.Job{Path: name, Memory: memory}, opts...)
}

func open(job *report.Job, opts ...uftrace.Option) (*Recording, error) {
	dir, err := job.OpenFolder(IsRecording)
	if err != nil {
		return nil, err
	}
	rec, err := uftrace.OpenFS(dir.FS, dir.Name, append(slices.Clone(opts), uftrace.WithMemory(job.Memory))...)
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return &Recording{rec, dir}, nil
}

// Close closes the recording and removes what was unpacked.
func (r *Recording) Close() error { return errors.Join(r.Recording.Close(), r.folder.Close()) }

// Tell prints what could not be read, and returns the error of the work: err, or that the recording is damaged.
func (r *Recording) Tell(job *report.Job, err error) error {
	return report.Tell(job, r.folder, r.Damage(), r.DamageStats().Count, err)
}

// magic begins the file info (uftrace.md 1.2).
const magic = "Ftrace!\x00"

// IsRecording reports whether a directory holds a recording: a file info with the magic number, or, when the recorder was
// killed, what stands beside it.
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

// detect knows directories, and archives by the names of their first files.
func detect(p *report.Probe) bool {
	if p.Dir != nil {
		return IsRecording(p.Dir)
	}
	return p.HasPart(func(e archive.Entry) bool { return isPart(e.Name) })
}

// isPart knows the names of the files of a recording.
func isPart(name string) bool {
	switch n := path.Base(name); n {
	case "info", "task.txt", "default.opts", "kernel_header":
		return true
	default:
		return isData(n) || isMap(n) || strings.HasSuffix(n, ".sym") || strings.HasPrefix(n, "perf-cpu")
	}
}
