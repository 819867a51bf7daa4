package tracecmd

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

	"github.com/tracec/tracec/report"
	from "github.com/tracec/tracec/report/input"
	"github.com/tracec/tracec/runtime/ftrace"
)

// Pages say what the data of one processor needs to be read: as trace_pipe_raw gives it out, it describes neither its events nor itself.
type Pages struct {
	Formats   string // a directory that is laid out as tracefs; events/ is needed, whatever else there is is used
	Processor int    // below 0: the one in the path of the data, else 0
}

// OpenPages opens the data of a processor as the recording of a job. A pipe is read as it comes.
func OpenPages(ctx context.Context, job *report.Job, p Pages) error {
	if p.Processor < 0 {
		p.Processor = processorOf(job.Path)
	}
	formats := os.DirFS(p.Formats)
	if _, err := fs.Stat(formats, "events/header_page"); err != nil {
		return fmt.Errorf("%s: not laid out as tracefs: %w", p.Formats, err)
	}
	rec, err := openPages(ctx, job, p, formats)
	if err != nil {
		return err
	}
	job.Recording, job.Systems = rec, []report.System{System()}
	return nil
}

func openPages(ctx context.Context, job *report.Job, p Pages, formats fs.FS) (*ftrace.Recording, error) {
	opts := []ftrace.OpenOption{ftrace.WithMemory(job.Memory)}
	if job.Path == "-" {
		return openPipe(from.NewReader(ctx, job.Stdin), "stdin", p, formats, opts)
	}
	st, err := os.Stat(job.Path)
	if err != nil {
		return nil, err
	}
	if job.Follow != nil {
		opts = append(opts, ftrace.WithFollow(*job.Follow))
	}
	if st.Mode().IsRegular() && (st.Size() > 0 || job.Follow != nil) { // a file of tracefs itself has size 0
		return ftrace.OpenFS(pagesDir{formats, job.Path, fmt.Sprintf("cpu%d", p.Processor)}, job.Path, opts...)
	}
	if job.Follow != nil {
		return nil, fmt.Errorf("%s %w: it is no regular file, and is read as it comes without that", job.Path, from.ErrFollow)
	}
	f, err := os.Open(job.Path)
	if err != nil {
		return nil, err
	}
	return openPipe(piped{from.NewReader(ctx, f), f}, job.Path, p, formats, opts)
}

func openPipe(r io.ReadCloser, name string, p Pages, formats fs.FS, opts []ftrace.OpenOption) (*ftrace.Recording, error) {
	rec, err := ftrace.OpenPages(r, name, p.Processor, formats, opts...)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return rec, nil
}

// piped is a file that is read as a pipe.
type piped struct {
	io.ReadCloser
	file *os.File
}

// Close implements io.Closer.
func (p piped) Close() error { return errors.Join(p.ReadCloser.Close(), p.file.Close()) }

// processorOf is the number of the processor in a path such as per_cpu/cpu3/trace_pipe_raw or cpu3.raw, 0 without one.
func processorOf(name string) int {
	if m := numberedCPU().FindStringSubmatch(filepath.ToSlash(name)); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n
		}
	}
	return 0
}

var numberedCPU = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`cpu(\d{1,6})(?:/[^/]*|[^/\d][^/]*)?$`) })

// pagesDir is a directory laid out as tracefs, with a file in place of the data of all processors.
type pagesDir struct {
	fs.FS
	file string
	cpu  string // its directory
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

// is reports whether a name is in the part that the file takes the place of.
func (d pagesDir) is(name string) bool {
	return path.Dir(path.Dir(name)) == "per_cpu" || path.Dir(name) == "per_cpu" || name == "per_cpu" || name == "instances"
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

// named is what is known of a file, by another name.
type named struct {
	fs.FileInfo
	name string
}

// Name implements fs.FileInfo.
func (n named) Name() string { return n.name }
