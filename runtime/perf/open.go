package perf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/internal/spool"
	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

const (
	magic        = "PERFILE2"
	magicSwapped = "2ELIFREP"
	magicOld     = "PERFFILE"

	pipeHeader = 16
	leastFile  = 72
	wholeFile  = 104

	maxAttrs   = 1<<16 - 1
	maxSection = 64 << 20 // of a feature, in bytes
)

// IsRecording reports whether a file begins like a perf.data.
func IsRecording(head []byte) bool {
	return len(head) >= 8 && (string(head[:8]) == magic || string(head[:8]) == magicSwapped ||
		string(head[:8]) == magicOld)
}

// Open opens a perf.data, or a directory that perf wrote. Errors are *Damage, *fs.PathError or both
// joined.
func Open(name string, opts ...Option) (*Recording, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if st.IsDir() {
		return OpenFS(folder.Open(name), name, opts...)
	}
	r, err := OpenReaderAt(f, st.Size(), name, append([]Option{WithPath(name)}, opts...)...)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.closers = append(r.closers, f)
	return r, nil
}

// OpenReaderAt opens a perf.data of size bytes. name is for messages.
func OpenReaderAt(src io.ReaderAt, size int64, name string, opts ...Option) (*Recording, error) {
	r := newRecording(name, opts)
	r.files = []*File{{Path: name, Size: size, src: src}}
	if err := r.open(r.files[0]); err != nil {
		return nil, err
	}
	return r, nil
}

// OpenReader opens a perf.data that comes through a pipe. It copies it to an unnamed temporary
// file. Only the output of perf record -o - is read while it is copied: OpenReader waits for the
// first sample, and streams grow, see record.Growing. Other files have their features at the end. A
// reader that is a regular file, such as redirected standard input, is used directly. name is for
// messages. OpenReader does not close src.
func OpenReader(src io.Reader, name string, opts ...Option) (*Recording, error) {
	if f, size, ok := spool.Regular(src); ok {
		return OpenReaderAt(f, size, name, opts...)
	}
	tmp, err := spool.New("")
	if err != nil {
		return nil, err
	}
	head := make([]byte, pipeHeader)
	n, err := io.ReadFull(src, head)
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		src, err = io.MultiReader(bytes.NewReader(head[:n]), src), nil
	}
	var size int64
	if grows := isPipe(head); err == nil && grows {
		return openCopied(src, name, tmp, opts)
	} else if err == nil {
		size, err = io.Copy(tmp, src)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: copy to a temporary file: %w", name, err), tmp.Close())
	}
	r, err := OpenReaderAt(tmp, size, name, opts...)
	if err != nil {
		return nil, errors.Join(err, tmp.Close())
	}
	r.closers = append(r.closers, tmp)
	return r, nil
}

// openCopied opens the output of perf record -o - while it is being written.
func openCopied(src io.Reader, name string, tmp *spool.File, opts []Option) (*Recording, error) {
	c := newCopied(tmp)
	go c.copy(src)
	r := newRecording(name, opts)
	r.pipe.live = c.live
	err := r.openGrowing(&File{Path: name, src: tmp, grow: c})
	if err == nil {
		err = c.failed()
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	r.closers = append(r.closers, c)
	return r, nil
}

// OpenFollowed opens a file of a directory that is still being written: see [record.Follow]. It
// waits for the first sample. Only the output of perf record -o - grows. Any other perf.data must
// be complete. name is for messages.
func OpenFollowed(dir fs.FS, file, name string, f record.Follow, opts ...Option) (*Recording, error) {
	r := newRecording(name, opts)
	watch := growing.New(f)
	grow, err := watch.Open(dir, file, name, false)
	if err != nil {
		return nil, err
	}
	r.pipe.live, r.closers = watch.Live, append(r.closers, grow)
	if err := r.openGrowing(&File{Path: name, src: grow, grow: grow}); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// openGrowing opens a file once its header is written.
func (r *Recording) openGrowing(f *File) error {
	r.files = []*File{f}
	for at := int64(0); at < pipeHeader; {
		n, err := f.grow.Need(at, 1)
		switch {
		case err == nil:
			at += n
		case errors.Is(err, io.EOF):
			at = pipeHeader // the header is not complete
		case !errors.Is(err, record.ErrPending):
			return err
		default:
			if err := r.await(); err != nil {
				return err
			}
		}
	}
	return r.open(f)
}

// whole turns a followed file into an ordinary one. The description of its events is written when
// the recorder ends.
func (r *Recording) whole(f *File, head []byte) error {
	if f.grow == nil {
		return nil
	}
	if len(head) > dataSizeAt+8 && r.order.u64(head[dataSizeAt:]) == 0 {
		return r.bad(f, dataSizeAt, fmt.Errorf("the recorder has not ended, and describes the events at its end; "+
			"only the output of perf record -o - can be followed: %w", ErrUnsupported))
	}
	size, err := f.grow.Need(0, 1)
	if err == nil {
		f.Size, f.grow, r.pipe.live = size, nil, nil
	}
	return err
}

// isPipe reports whether a file begins like the output of perf record -o -.
func isPipe(head []byte) bool {
	return IsRecording(head) && len(head) >= pipeHeader && (order{}.u64(head[8:]) == pipeHeader ||
		order{true}.u64(head[8:]) == pipeHeader)
}

// IsDirectory reports whether perf wrote a directory.
func IsDirectory(dir fs.FS) bool {
	f, err := dir.Open("data")
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 8)
	n, _ := io.ReadFull(f, head)
	return IsRecording(head[:n])
}

// OpenFS opens a directory that perf wrote: data, with or without data.0, data.1 and others. name
// is for messages.
func OpenFS(dir fs.FS, name string, opts ...Option) (*Recording, error) {
	r := newRecording(name, opts)
	r.dir, r.damage.Dir = true, name
	list, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, err
	}
	files := []string{"data"}
	for _, e := range list {
		if n, ok := strings.CutPrefix(e.Name(), "data."); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			files = append(files, e.Name())
		}
	}
	slices.SortStableFunc(files, func(a, b string) int { return len(a) - len(b) })
	for i, file := range files {
		if err := r.add(dir, file); err != nil {
			return nil, errors.Join(err, r.Close())
		}
		if i == 0 {
			if err := r.open(r.files[0]); err != nil {
				return nil, errors.Join(err, r.Close())
			}
		}
	}
	return r, nil
}

func newRecording(name string, opts []Option) *Recording {
	r := &Recording{name: name}
	for _, o := range opts {
		o(&r.config)
	}
	r.memory = memory.New(r.config.memory)
	r.modules.rec = r
	return r
}

// add opens a file of a directory. Files have records from their first byte on, except the first
// file.
func (r *Recording) add(dir fs.FS, name string) error {
	f, err := dir.Open(name)
	if err != nil {
		return r.unopened(name, err)
	}
	r.closers = append(r.closers, f)
	st, err := f.Stat()
	if err != nil {
		return err
	}
	src, ok := f.(io.ReaderAt)
	if !ok {
		return &Damage{File: path.Join(r.name, name),
			Err: fmt.Errorf("files of recordings must be io.ReaderAt: %w", ErrFormat)}
	}
	n := int32(len(r.files))
	r.files = append(r.files, &File{Path: name, Size: st.Size(), to: st.Size(), src: src, index: n})
	return nil
}

// unopened handles the error for a file of a directory that cannot be opened.
func (r *Recording) unopened(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	if errors.Is(err, syscall.EMFILE) {
		err = fmt.Errorf("%w: %d files of the directory are open, which the limit of the process (ulimit -n) allows",
			err, len(r.files))
	}
	return &fs.PathError{Op: "open", Path: path.Join(r.name, name), Err: err}
}

// bad is the error of a file that cannot be opened.
func (r *Recording) bad(f *File, at int64, err error) error {
	d := &Damage{File: f.Path, Offset: at, Err: err}
	if r.dir {
		d.File = path.Join(r.name, f.Path)
	}
	return d
}

// open reads the header, the attributes and the features.
func (r *Recording) open(f *File) error {
	for _, name := range []string{r.config.kallsyms, r.config.symfs} {
		if _, err := os.Stat(name); name != "" && err != nil {
			return err
		}
	}
	head := make([]byte, wholeFile)
	n, err := f.src.ReadAt(head, 0)
	if n < pipeHeader {
		if err == nil || errors.Is(err, io.EOF) {
			err = ErrFormat
		}
		return r.bad(f, 0, err)
	}
	switch string(head[:8]) {
	case magic:
	case magicSwapped:
		r.order.big = true
	case magicOld:
		return r.bad(f, 0, fmt.Errorf("a perf.data of version 1, before Linux 2.6.33: %w", ErrUnsupported))
	default:
		return r.bad(f, 0, ErrFormat)
	}
	if !r.hasPlausibleSize(head) {
		r.order.big = !r.order.big
	}
	size := r.order.u64(head[8:])
	switch {
	case size == pipeHeader:
		r.pipe.is = true
		f.from, f.to = pipeHeader, f.Size
		if f.grow != nil {
			f.to = math.MaxInt64
		}
		if err := r.preamble(f); err != nil {
			return err
		}
	case size < leastFile || n < leastFile:
		return r.bad(f, 8, fmt.Errorf("a header of %d bytes: %w", size, ErrCorrupt))
	default:
		if err := r.whole(f, head[:n]); err != nil {
			return err
		}
		r.header(f, head[:min(size, wholeFile)])
	}
	r.addKinds()
	r.useIndex()
	return nil
}

// hasPlausibleSize reports whether the size of the header is plausible in the assumed byte order.
func (r *Recording) hasPlausibleSize(head []byte) bool { return r.order.u64(head[8:]) < 1<<32 }

// section is a range of a file.
type section struct{ at, size int64 }

func (r *Recording) section(b []byte) section {
	at, size := r.order.u64(b), r.order.u64(b[8:])
	return section{int64(min(at, 1<<61)), int64(min(size, 1<<61))} // the sum is then also a valid number
}

// bytes reads a section. Bytes beyond the end of the file are damage.
func (r *Recording) bytes(f *File, s section, what string) []byte {
	if s.size > maxSection {
		r.damage.Note(f.Path, s.at, s.size, fmt.Errorf("%s of %d bytes: %w", what, s.size, ErrLimit))
		return nil
	}
	if err := r.memory.Take(s.size); err != nil {
		r.damage.Note(f.Path, s.at, s.size, fmt.Errorf("%s: %w", what, err))
		return nil
	}
	size := max(0, min(s.size, f.Size-s.at))
	b := make([]byte, size)
	n, err := f.src.ReadAt(b, s.at)
	if n < len(b) || size < s.size {
		if err == nil || errors.Is(err, io.EOF) {
			err = ErrTruncated
		}
		r.damage.Note(f.Path, s.at, s.size-int64(n), fmt.Errorf("%s: %w", what, err))
	}
	return b[:n]
}
