// Package uftrace is uftrace among the kinds of recordings. Its commands are printed by the packages below: replay, dump,
// export, summary, graph and about.
package uftrace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
	// Cut is what is wrong with the archive, such as an early end.
	Cut error

	unpacked *archive.Dir
}

// Open opens a directory, or an archive of one. The archive is unpacked to a folder for temporary files, which Close removes.
func Open(name string, opts ...uftrace.Option) (*Recording, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		rec, err := uftrace.Open(name, opts...)
		if err != nil {
			return nil, err
		}
		return &Recording{Recording: rec}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return openArchive(f, name, opts...)
}

func openArchive(r io.Reader, name string, opts ...uftrace.Option) (*Recording, error) {
	dir, cut := archive.Open(r, name, IsRecording)
	if dir == nil {
		return nil, cut
	}
	rec, err := uftrace.OpenFS(dir.FS, name, opts...)
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return &Recording{Recording: rec, Cut: cut, unpacked: dir}, nil
}

// Close closes the recording and removes what was unpacked.
func (r *Recording) Close() error {
	err := r.Recording.Close()
	if r.unpacked != nil {
		err = errors.Join(err, r.unpacked.Close())
	}
	return err
}

// Tell prints what could not be read, and returns the error of the work: err, or that the recording is damaged.
func (r *Recording) Tell(job *report.Job, err error) error {
	list := r.Damage()
	for _, d := range list {
		skipped := ""
		if d.Skipped > 0 {
			skipped = fmt.Sprintf(" (%d bytes are left out)", d.Skipped)
		}
		job.Warn(fmt.Errorf("%s: offset %d: %w%s", path.Join(r.Name(), d.File), d.Offset, d.Err, skipped))
	}
	if n := r.DamageStats().Count - int64(len(list)); n > 0 {
		job.Warn(fmt.Errorf("%s: %d more places are damaged", r.Name(), n))
	}
	if r.Cut != nil {
		job.Warn(r.Cut)
	}
	if err == nil && (len(list) > 0 || r.Cut != nil) {
		return report.ErrDamaged
	}
	return err
}

// magic begins the file info (uftrace.md 1.2).
const magic = "Ftrace!\x00"

// IsRecording reports whether a directory holds a recording: a file info with the magic number, or, when the recorder was
// killed, what stands beside it.
func IsRecording(dir fs.FS) bool {
	if f, err := dir.Open("info"); err == nil {
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
	if !archive.Packed(p.Head) {
		return false
	}
	names := archive.Names(bytes.NewReader(p.Head))
	if len(names) > 0 {
		return slices.ContainsFunc(names, isPart)
	}
	// zstd and xz show nothing before they have a whole block.
	if st, err := os.Stat(p.Path); err != nil || !st.Mode().IsRegular() {
		return true // a pipe: opening it will tell
	}
	f, err := os.Open(p.Path)
	if err != nil {
		return false
	}
	defer f.Close()
	return slices.ContainsFunc(archive.Names(f), isPart)
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
