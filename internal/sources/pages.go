package sources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// openPages opens the data of one CPU, as from trace_pipe_raw. It describes neither its events nor
// itself, so Opening.Formats must. That directory must have events/. Other files are used if they
// exist. A pipe is read as data arrive.
func openPages(ctx context.Context, job *Job) (record.Recording, error) {
	dir, cpu := job.Opening.Formats, cpuOf(job.Path)
	if n := job.Opening.FormatsCPU; n != nil {
		cpu = *n
	}
	formats := folder.Open(dir)
	if _, err := fs.Stat(formats, "events/header_page"); err != nil {
		if _, err := os.Stat(dir); err != nil {
			return nil, fmt.Errorf("--formats: %w", err)
		}
		return nil, fmt.Errorf("--formats %s: no copy of tracefs: events/header_page is missing", dir)
	}
	return opened(openPagesOf(ctx, job, cpu, formats))
}

func openPagesOf(ctx context.Context, job *Job, cpu int, formats fs.FS) (*ftrace.Recording, error) {
	opts := []ftrace.OpenOption{ftrace.WithMemory(job.Memory)}
	if job.Path == "-" && job.Stdin != nil {
		return openPipe(input.NewReader(ctx, job.Stdin), "stdin", cpu, formats, opts)
	}
	st, err := os.Stat(job.Path)
	if err != nil {
		return nil, err
	}
	if job.Follow != nil {
		opts = append(opts, ftrace.WithFollow(*job.Follow))
	}
	if st.Mode().IsRegular() && (st.Size() > 0 || job.Follow != nil) { // a file of tracefs itself has size 0
		return ftrace.OpenFS(pagesDir{formats, job.Path, fmt.Sprintf("cpu%d", cpu)}, job.Path, opts...)
	}
	if job.Follow != nil {
		return nil, fmt.Errorf("%s %w: it is not a regular file; without --follow it is read as data arrives", job.Path,
			input.ErrFollow)
	}
	f, err := os.Open(job.Path)
	if err != nil {
		return nil, err
	}
	return openPipe(piped{input.NewReader(ctx, f), f}, job.Path, cpu, formats, opts)
}

func openPipe(
	r io.ReadCloser, name string, cpu int, formats fs.FS, opts []ftrace.OpenOption,
) (*ftrace.Recording, error) {
	rec, err := ftrace.OpenPages(r, name, cpu, formats, opts...)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return rec, nil
}

// piped is a file that is read like a pipe.
type piped struct {
	io.ReadCloser
	file *os.File
}

// Close implements io.Closer.
func (p piped) Close() error { return errors.Join(p.ReadCloser.Close(), p.file.Close()) }

// cpuOf returns the number of the CPU in a path such as per_cpu/cpu3/trace_pipe_raw or cpu3.raw, or
// 0.
func cpuOf(name string) int {
	if m := numberedCPU().FindStringSubmatch(filepath.ToSlash(name)); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n
		}
	}
	return 0
}

var numberedCPU = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`cpu(\d{1,6})(?:/[^/]*|[^/\d][^/]*)?$`) })

// pagesDir is a directory with the structure of tracefs. A file replaces the data of all its
// processors.
type pagesDir struct {
	fs.FS
	file string
	cpu  string // directory of the CPU
}

// Open implements fs.FS.
func (d pagesDir) Open(name string) (fs.File, error) {
	if !d.is(name) {
		return d.FS.Open(name)
	}
	if name != path.Join("per_cpu", d.cpu, "trace_pipe_raw") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return os.Open(d.file)
}

// is reports whether a name is in the part that the file replaces.
func (d pagesDir) is(name string) bool {
	return path.Dir(path.Dir(name)) == "per_cpu" || path.Dir(name) == "per_cpu" || name == "per_cpu" ||
		name == "instances"
}

// ReadDir implements fs.ReadDirFS.
func (d pagesDir) ReadDir(name string) ([]fs.DirEntry, error) {
	switch {
	case name == "per_cpu":
		st, err := fs.Stat(d.FS, ".")
		if err != nil {
			return nil, err
		}
		return []fs.DirEntry{fs.FileInfoToDirEntry(named{st, d.cpu})}, nil
	case d.is(name):
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return fs.ReadDir(d.FS, name)
}

// named is the information about a file, with another name.
type named struct {
	fs.FileInfo
	name string
}

// Name implements fs.FileInfo.
func (n named) Name() string { return n.name }
