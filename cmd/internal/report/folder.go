package report

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/tracec/tracec/cmd/internal/archive"
)

// Folder is a recording that is a directory, or came as an archive of one.
type Folder struct {
	fs.FS
	Name string // for messages
	cut  error  // what is wrong with the archive, such as an early end

	unpacked *archive.Dir
}

// OpenFolder opens what a job is about. An archive is unpacked to a folder for temporary files that Close removes; isRoot knows
// the directory that is wanted of it.
func (j *Job) OpenFolder(isRoot func(fs.FS) bool) (*Folder, error) {
	switch {
	case j.Path == "-" && j.Stdin != nil:
		return unpack(j.Stdin, "stdin", isRoot)
	case j.Piped:
		return unpack(j.Stdin, j.Path, isRoot)
	}
	st, err := os.Stat(j.Path)
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		return &Folder{FS: os.DirFS(j.Path), Name: j.Path}, nil
	}
	f, err := os.Open(j.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return unpack(f, j.Path, isRoot)
}

func unpack(r io.Reader, name string, isRoot func(fs.FS) bool) (*Folder, error) {
	dir, cut := archive.Open(r, name, isRoot)
	if dir == nil {
		return nil, cut
	}
	return &Folder{FS: dir.FS, Name: name, cut: cut, unpacked: dir}, nil
}

// Close removes what was unpacked.
func (f *Folder) Close() error {
	if f.unpacked == nil {
		return nil
	}
	return f.unpacked.Close()
}

// damage is what the containers tell of a place that could not be read.
type damage = struct {
	File    string // within the folder
	Offset  int64  // in bytes
	Skipped int64
	Err     error
}

// Tell prints what could not be read: the first places of count. It returns the error of the work: err, or that the recording is
// damaged.
func Tell[D ~damage](job *Job, f *Folder, first []*D, count int64, err error) error {
	for _, x := range first {
		d := damage(*x)
		skipped := ""
		if d.Skipped > 0 {
			skipped = fmt.Sprintf(" (%d bytes are left out)", d.Skipped)
		}
		job.Warn(fmt.Errorf("%s: offset %d: %w%s", path.Join(f.Name, d.File), d.Offset, d.Err, skipped))
	}
	if n := count - int64(len(first)); n > 0 {
		job.Warn(fmt.Errorf("%s: %d more places are damaged", f.Name, n))
	}
	if f.cut != nil {
		job.Warn(f.cut)
	}
	if err == nil && (count > 0 || f.cut != nil) {
		return ErrDamaged
	}
	return err
}

// HasPart reports whether the file is an archive that holds, among its first files, one that isPart knows.
func (p *Probe) HasPart(isPart func(archive.Entry) bool) bool {
	if !p.looked {
		p.looked = true
		p.parts = p.entries()
	}
	return slices.ContainsFunc(p.parts, isPart)
}

func (p *Probe) entries() []archive.Entry {
	if p.Dir != nil || !archive.Packed(p.Head) {
		return nil
	}
	if !p.regular {
		return archive.Entries(bytes.NewReader(p.Head))
	}
	f, err := os.Open(p.Path)
	if err != nil {
		return nil
	}
	defer f.Close()
	return archive.Entries(f)
}
