package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/tracec/tracec/cmd/internal/archive"
)

// System is one kind of recording: of ftrace, AIX, uftrace or LTTng.
type System struct {
	Name string // "ftrace"
	// Detect recognises a recording: by the first bytes of a file, or by what a directory holds.
	Detect func(*Probe) bool
	// Report, List and Info print a recording that Detect recognised. An error that is ErrDamaged means
	// that everything intact was printed.
	Report func(context.Context, *Job, *Options) error
	List   func(context.Context, *Job, *ListOptions) error
	Info   func(context.Context, *Job) error
	// Stat counts events. With ErrDamaged there are counts of what is intact.
	Stat func(context.Context, *Job, *Options) (*Stat, error)
}

// Job is a recording to work on and where to print.
type Job struct {
	Path  string
	Stdin io.Reader // what Path "-" stands for; the probed bytes included
	Piped bool      // Path is a pipe or a device: it can be read once, and Stdin is what it holds
	Out   io.Writer
	Warn  func(error) // damage and other trouble that does not stop the work
	// Memory is how much the recording may take, in bytes; all inputs of a job share it. 0 is the default of the library.
	Memory int64
	// Progress is told now and then how far the work is: done of total units, total 0 when unknown.
	// Nil when nobody wants to know.
	Progress func(done, total int64)
}

// ListOptions are the options of tracec list.
type ListOptions struct {
	Events []string // globs, as in Options
	Fields bool     // also the fields of every event
}

// UsageError is an option that makes no sense, for this kind of recording or at all.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

func (e *UsageError) Unwrap() error { return e.Err }

// Usagef is a UsageError in words.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// ErrDamaged says that parts of a recording could not be read and were left out, or that a stream ended
// early. What was wrong has been told through Job.Warn.
var ErrDamaged = errors.New("the recording is damaged")

// ErrUnknown says that a file is no recording that any system knows.
var ErrUnknown = errors.New("not a recording that tracec knows")

// Probe is what Detect may look at.
type Probe struct {
	Path string // "-" is standard input
	Head []byte // the first bytes, at most 8 KiB, more of archives in pipes; empty for a directory
	Dir  fs.FS  // nil for a file

	regular bool // a file that can be read once more
	parts   []archive.Entry
	looked  bool // for parts
}

// Has reports whether the directory has a file or directory of that name.
func (p *Probe) Has(name string) bool {
	if p.Dir == nil {
		return false
	}
	_, err := fs.Stat(p.Dir, name)
	return err == nil
}

// headSize is enough for an event of the largest kind with another behind it: what streams without a magic
// number are known by.
const headSize = 8 << 10

// packedHead is enough for the names of the first files in a compressed archive: xz and zstd show nothing before they have a whole
// block.
const packedHead = 1 << 20

// Find opens path far enough to tell which of the systems it belongs to. For "-", and for a pipe such as the
// shell's <(zstdcat x), it replaces job.Stdin by a reader that yields the probed bytes again.
func Find(systems []System, job *Job) (*System, error) {
	p := &Probe{Path: job.Path}
	if err := p.load(job); err != nil {
		return nil, err
	}
	for i := range systems {
		if systems[i].Detect(p) {
			return &systems[i], nil
		}
	}
	if p.Dir == nil && len(p.Head) == 0 {
		return nil, fmt.Errorf("%s: the file is empty: %w", job.Path, ErrUnknown)
	}
	return nil, fmt.Errorf("%s: %w", job.Path, ErrUnknown)
}

func (p *Probe) load(job *Job) error {
	src := job.Stdin
	if job.Path != "-" {
		st, err := os.Stat(job.Path)
		if err != nil {
			return err
		}
		if st.IsDir() {
			p.Dir = os.DirFS(job.Path)
			return nil
		}
		f, err := os.Open(job.Path)
		if err != nil {
			return err
		}
		if job.Piped = !st.Mode().IsRegular(); !job.Piped { // a pipe stays open until the process ends
			defer f.Close()
		}
		src = f
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(src, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: %w", job.Path, err)
	}
	p.Head, p.regular = head[:n], job.Path != "-" && !job.Piped
	if n == headSize && !p.regular && archive.Packed(p.Head) {
		more, err := io.ReadAll(io.LimitReader(src, packedHead))
		if err != nil {
			return fmt.Errorf("%s: %w", job.Path, err)
		}
		p.Head = append(p.Head, more...)
	}
	if job.Path == "-" || job.Piped {
		job.Stdin = io.MultiReader(bytes.NewReader(p.Head), src)
	}
	return nil
}
