// Package input opens the inputs that a command line names: files, directories, pipes and standard
// input. It also opens recordings in archives and directories.
package input

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tracec/tracec/internal/folder"
)

// An Input is an opened path: a directory, a file or a pipe.
type Input struct {
	Path string // as given; "-" is standard input
	Name string // name of the file or directory for messages
	// Place is Name for a file or directory of the system. It is empty for pipes and for unpacked
	// files.
	Place string
	Kind  int // index in the kinds of Open; -1 if unknown

	Dir    fs.FS     // a recording that is a directory
	File   *File     // a recording that is a file
	Stream io.Reader // a recording that can be read once; it ends when the context is done

	damage  []error
	what    string // description of an input that is not a recording
	named   bool   // what is certain
	below   bool   // what describes the contents of the directory
	several string // the recordings in it
	hint    string // advice for the user before naming one of them
	closer  []io.Closer
}

// File is a file with random access.
type File struct {
	io.ReaderAt
	Size int64
	Dir  fs.FS  // its directory; nil if it has none
	Base string // its name in Dir
}

// Damage returns the damage of unpacking. All other data has been read.
func (in *Input) Damage() []error { return in.damage }

// Close closes all files and removes temporary ones.
func (in *Input) Close() error {
	var errs error
	for _, c := range slices.Backward(in.closer) {
		errs = errors.Join(errs, c.Close())
	}
	in.closer = nil
	return errs
}

// A Probe holds the data for recognizing an input.
type Probe struct {
	Head []byte // the first bytes, at most 8 KiB; empty for a directory
	Dir  fs.FS  // the directory; nil for a file
}

// Has reports whether the directory has a file or directory of that name.
func (p *Probe) Has(name string) bool {
	if p.Dir == nil {
		return false
	}
	_, err := fs.Stat(p.Dir, name)
	return err == nil
}

// Kind is a kind of recording.
type Kind struct {
	Detect func(*Probe) bool // reports whether an input is of the kind
	Guess  bool              // Detect may be wrong
	Said   bool              // the user has named this kind
	// Sure recognizes an input by its magic number. Detect may also go by likelihood. Sure may be
	// nil.
	Sure func(*Probe) bool
	// Extent returns the end of a recording that is a file, by its own sizes, if the end is within
	// size bytes. It is nil if no recording of the kind records its sizes.
	Extent func(r io.ReaderAt, size int64) (end int64, ok bool)
}

// Open opens path, unpacks it and determines its kind. An input of an unknown kind is also opened,
// with Kind -1, and Unknown describes it. Unpacking uses at most memory bytes; 0 means the default.
// progress, if non-nil, receives the progress of reading a pipe or unpacking a file, on any
// goroutine. Errors come from the system or the context.
func Open(
	ctx context.Context, path string, stdin io.Reader, memory int64, kinds []Kind, progress Progress,
) (*Input, error) {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	o := &opener{ctx: ctx, kinds: kinds, memory: memory, progress: progress,
		in: &Input{Path: path, Name: path, Kind: -1}}
	if err := o.open(stdin); err != nil {
		return nil, errors.Join(err, o.in.Close())
	}
	return o.in, nil
}

// OpenFS is [Open] for a file or a directory of a file system.
func OpenFS(
	ctx context.Context, dir fs.FS, name string, memory int64, kinds []Kind, progress Progress,
) (*Input, error) {
	o := &opener{ctx: ctx, kinds: kinds, memory: memory, progress: progress,
		in: &Input{Path: name, Name: name, Kind: -1}}
	if err := o.openIn(dir); err != nil {
		return nil, errors.Join(err, o.in.Close())
	}
	return o.in, nil
}

func (o *opener) openIn(dir fs.FS) error {
	st, err := fs.Stat(dir, o.in.Path)
	if err != nil {
		return err
	}
	if !st.IsDir() {
		return o.takeFile(dir, o.in.Path, 0)
	}
	sub, err := fs.Sub(dir, o.in.Path)
	if err != nil {
		return err
	}
	return o.directory(sub)
}

// Progress receives the number of bytes copied so far and the total, which is 0 if unknown. Each
// level of packing starts again at 0.
type Progress func(done, total int64)

type opener struct {
	ctx      context.Context
	kinds    []Kind
	memory   int64
	progress Progress
	in       *Input
}

func (o *opener) open(stdin io.Reader) error {
	if o.in.Path == "-" {
		o.in.Name = "stdin"
		return o.reader(stdin)
	}
	st, err := os.Stat(o.in.Path)
	if err != nil {
		return err
	}
	if st.IsDir() {
		o.in.Place = o.in.Path
		return o.directory(folder.Open(o.in.Path))
	}
	if st.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 { // opening a pipe waits for the other end
		f, err := wait(o.ctx, func() (*os.File, error) { return os.Open(o.in.Path) })
		if err != nil {
			return err
		}
		o.in.closer = append(o.in.closer, f)
		return o.reader(f)
	}
	if kernel := o.ofKernel(st); kernel != "" {
		o.in.what, o.in.named = ofKernel(kernel), true
		o.in.File = &File{ReaderAt: nothing{}}
		return nil
	}
	f, err := os.Open(o.in.Path)
	if err != nil {
		return err
	}
	o.in.closer = append(o.in.closer, f)
	return o.reader(f)
}

// ofKernel returns the name of the kernel's file system that the path belongs to, if the file has
// size 0. Such files may be endless, and reading may consume their data, as in trace_pipe.
func (o *opener) ofKernel(st fs.FileInfo) string {
	if !st.Mode().IsRegular() || st.Size() > 0 {
		return ""
	}
	return folder.KernelAt(o.in.Path)
}

// reader opens a file or a pipe.
func (o *opener) reader(r io.Reader) error {
	if f, ok := r.(*os.File); ok {
		if st, err := f.Stat(); err == nil && st.Mode().IsRegular() {
			at, err := f.Seek(0, io.SeekCurrent)
			if err != nil {
				return err
			}
			size := max(0, st.Size()-at)
			file := &File{ReaderAt: io.NewSectionReader(f, at, size), Size: size}
			if at == 0 && o.in.Path != "-" {
				o.in.Place = o.in.Path
				file.ReaderAt, file.Dir, file.Base = f, folder.Open(filepath.Dir(o.in.Path)), filepath.Base(o.in.Path)
			}
			return o.file(file, nil)
		}
	}
	return o.stream(r)
}

// is returns the kind of an input, or -1. A single file of uftrace calls looks like an AIX stream
// if there are few functions.
func (o *opener) is(p *Probe) int {
	return slices.IndexFunc(o.kinds, func(k Kind) bool { return k.Detect(p) && !(k.Guess && isThread(p.Head)) })
}

// wait waits for an operation that cannot be cancelled.
func wait[T any](ctx context.Context, do func() (T, error)) (result T, err error) {
	type answer struct {
		result T
		err    error
	}
	c := make(chan answer, 1)
	go func() {
		r, err := do()
		c <- answer{r, err}
	}()
	select {
	case a := <-c:
		return a.result, a.err
	case <-ctx.Done():
		return result, ctx.Err()
	}
}
