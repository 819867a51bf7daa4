package aix

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/internal/spool"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/pagecache"
)

// Open opens a stream or a log file, and the files of single processors that belong to it. Errors
// are *Damage, *fs.PathError or both joined.
func Open(path string, opts ...Option) (*Recording, error) {
	cfg := newConfig(opts)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && st.IsDir() {
		err = &os.PathError{Op: "read", Path: path, Err: errors.New("is a directory")}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if !st.Mode().IsRegular() {
		return openPipe(f, path, f, cfg)
	}
	return openIn(folder.Open(filepath.Dir(path)), filepath.Base(path), f, path, cfg)
}

// OpenFS opens a stream or a log file of a file system, and the files of single processors in the
// same directory, as Open does. name is for messages. The files must implement io.ReaderAt, as
// files of the system do.
func OpenFS(dir fs.FS, file, name string, opts ...Option) (*Recording, error) {
	f, err := dir.Open(file)
	if err != nil {
		return nil, err
	}
	return openIn(dir, file, f, name, newConfig(opts))
}

// openIn takes ownership of f, the file named file in dir.
func openIn(dir fs.FS, file string, f fs.File, name string, cfg *config) (*Recording, error) {
	if cfg.follow != nil {
		return openFollowed(dir, file, f, name, cfg)
	}
	src, err := openedSource(f, name)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r := newRecording(cfg)
	if err := r.open(src); err != nil {
		return nil, err
	}
	r.openCPUs(dir, file, name)
	r.finish()
	return r, nil
}

// OpenReader opens a recording from a pipe. name is for messages. Streams are decoded as they
// arrive and can be read once. A log file is first copied to an unnamed temporary file, since its
// buffers are in the order of its directory. A reader that is a regular file, such as redirected
// standard input, is used directly. OpenReader does not close r.
func OpenReader(r io.Reader, name string, opts ...Option) (*Recording, error) {
	if f, size, ok := spool.Regular(r); ok {
		return OpenReaderAt(f, size, name, opts...)
	}
	return openPipe(r, name, nil, newConfig(opts))
}

// OpenReaderAt opens a recording of size bytes that is neither a file nor a pipe.
func OpenReaderAt(r io.ReaderAt, size int64, name string, opts ...Option) (*Recording, error) {
	rec := newRecording(newConfig(opts))
	if rec.config.follow != nil {
		return nil, fmt.Errorf("%s: only files of a directory can be followed: %w", name, errors.ErrUnsupported)
	}
	if err := rec.open(&source{name: name, size: size, r: pagecache.Reader(r)}); err != nil {
		return nil, err
	}
	rec.finish()
	return rec, nil
}

func newRecording(cfg *config) *Recording {
	return &Recording{config: cfg, memory: memory.New(cfg.memory)}
}

func openPipe(r io.Reader, name string, file io.Closer, cfg *config) (*Recording, error) {
	src := &source{name: name, size: -1, pipe: bufio.NewReaderSize(r, headSize), file: file}
	err := src.await(headSize, cfg.enough)
	var head []byte
	if err == nil {
		head, err = src.head(headSize)
	}
	if err != nil {
		return nil, errors.Join(src.fail(0, "the head of a trace", err), src.Close())
	}
	kind := cfg.kind
	if kind == KindUnknown {
		kind = detect(head, cfg.maxBuffer)
	}
	if kind.IsLog() {
		file, err := spooled(src, cfg)
		if err = errors.Join(err, src.Close()); err != nil {
			return nil, err
		}
		src = file
	}
	rec := newRecording(cfg)
	if err := rec.open(src); err != nil {
		return nil, err
	}
	rec.finish()
	return rec, nil
}

// liveEntries is the number of entries from a pipe to wait for before the first is read. The trace
// command writes the scale of the clock among them.
const liveEntries = 16

// enough reports whether the bytes from a pipe suffice. They must determine its kind. They must
// also contain the scale of its clock, or so many entries that no scale is expected.
func (c *config) enough(b []byte) bool {
	kind := c.kind
	if kind == KindUnknown {
		if differ(b, Stream64.Magic()) == 0 {
			kind = Stream64
		} else if f := c.form(false); f.entries(b) {
			kind = Stream32
		}
	}
	if kind == KindUnknown || kind.IsLog() {
		return false
	}
	f := c.form(kind.Is64())
	if kind == Stream64 {
		b = b[min(4, len(b)):]
	}
	for n := 0; len(b) >= f.step(); n++ {
		h, ok := f.parse(b)
		if !ok || h.id == 0 || int(h.size) > len(b) {
			return false
		}
		if _, clock := clockOf(b[:h.size], &h); n == liveEntries || h.id == idUtility && clock {
			return true
		}
		b = b[h.size:]
	}
	return false
}

// spooled copies a pipe to a temporary file. The file is removed when the process ends, for any
// reason.
func spooled(src *source, cfg *config) (*source, error) {
	tmp, err := spool.New(cfg.tempDir)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(tmp, src.pipe); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: copy to a temporary file: %w", src.name, err), tmp.Close())
	}
	return openedSource(tmp, src.name)
}

// headSize is the number of bytes read to find the kind of a file and the scale of its clock.
const headSize = 128 << 10

// open finds the kind of src and makes it the base file.
func (r *Recording) open(src *source) error {
	err := r.add(src, -1)
	if err != nil {
		return errors.Join(err, src.Close())
	}
	r.info.Kind = r.parts[0].file.Kind
	return nil
}

// add adds a file to the recording, which then owns src.
func (r *Recording) add(src *source, cpu int) error {
	kind := r.config.kind
	if kind == KindUnknown {
		head, err := src.head(headSize)
		if err != nil {
			return src.fail(0, "the head of a trace", err)
		}
		kind = detect(head, r.config.maxBuffer)
		if kind == KindUnknown {
			return src.fail(0, "a magic number or plausible hook words of an AIX trace", ErrFormat)
		}
	}
	p := &part{file: &File{Name: src.name, Kind: kind, CPU: cpu, Size: src.size}, src: src,
		form: r.config.form(kind.Is64())}
	switch {
	case kind.IsLog():
		if err := r.memory.Take(directorySize(src, kind)); err != nil {
			return src.fail(0, "memory for the directory of a log file", err)
		}
		l := parseLog(src, kind, p.form)
		p.file.Log = l.info
		p.regions = l.regions()
		for _, d := range l.damages {
			r.damage.Add(d, 0)
		}
		r.damage.Count(l.more)
		if cpu < 0 && l.info.Mode&ModePerCPU != 0 {
			p.file.CPU = cpuOf(src.name)
		}
	default:
		begin, end := int64(0), src.size
		if kind == Stream64 {
			begin = 4
		}
		if end < 0 {
			end = noEnd
		}
		p.regions = []region{{off: min(begin, end), end: end, buffer: -1}}
	}
	r.parts = append(r.parts, p)
	return nil
}

// openCPUs opens the files of single processors that belong to a base file. An unreadable file is
// damage.
func (r *Recording) openCPUs(dir fs.FS, base, name string) {
	log := r.parts[0].file.Log
	switch r.config.cpuFiles {
	case CPUFilesNever:
		return
	case CPUFilesAsRecorded:
		if log == nil || log.Mode&ModeMultiCPU == 0 {
			return
		}
	}
	names, err := fs.ReadDir(dir, path.Dir(base))
	if err != nil {
		r.damage.Add(&Damage{File: name, Want: "the files of its processors in the same directory", Err: err}, 0)
		return
	}
	type found struct {
		cpu    int
		digits string
	}
	var files []found
	for _, n := range names {
		digits, ok := strings.CutPrefix(n.Name(), path.Base(base)+"-")
		if cpu := number(digits); ok && cpu >= 0 {
			files = append(files, found{cpu, digits})
		}
	}
	slices.SortFunc(files, func(a, b found) int { return a.cpu - b.cpu })
	for _, f := range files {
		if err := r.openCPU(dir, base+"-"+f.digits, name+"-"+f.digits, f.cpu); err != nil {
			d := &Damage{File: name + "-" + f.digits, Want: "the trace of a processor", Err: err}
			errors.As(err, &d)
			r.damage.Add(d, 0)
		}
	}
	if len(files) == 0 && log != nil && log.Mode&ModeMultiCPU != 0 { // otherwise entries may have their processors
		r.damage.Add(&Damage{File: name, Want: "files of processors in the same directory: " + path.Base(base) + "-0 and so on",
			Err: ErrTruncated}, 0)
	}
}

func (r *Recording) openCPU(dir fs.FS, file, name string, cpu int) error {
	st, err := fs.Stat(dir, file)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() { // opening a pipe could block for ever
		return &Damage{File: name, Want: "a regular file", Err: ErrFormat}
	}
	f, err := dir.Open(file)
	if err != nil {
		return err
	}
	src, err := openedSource(f, name)
	if err == nil {
		err = r.add(src, cpu)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return nil
}

// cpuOf returns the number of the processor in the name of its file, or -1.
func cpuOf(name string) int {
	i := strings.LastIndexByte(name, '-')
	return number(name[i+1:])
}

// number parses a text that consists of digits, and returns -1 for any other.
func number(s string) int {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil {
		return -1
	}
	return int(n)
}
