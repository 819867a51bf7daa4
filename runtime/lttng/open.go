package lttng

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// Open opens a directory. Errors are *Damage, *fs.PathError or both joined.
func Open(dir string, opts ...Option) (*Recording, error) {
	st, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		return nil, &Damage{File: dir, Err: fmt.Errorf("a file where the directory of a trace is wanted: %w", ErrFormat)}
	}
	return OpenFS(os.DirFS(dir), dir, opts...)
}

// OpenFS opens a directory of a file system, such as an unpacked archive; name is for messages. Its files should be
// io.ReaderAt; others are read into memory.
func OpenFS(dir fs.FS, name string, opts ...Option) (*Recording, error) {
	r := &Recording{dir: dir, name: name, tables: map[string]*table{}}
	for _, o := range opts {
		o(&r.config)
	}
	r.memory = memory.New(r.config.memory)
	if err := r.findFiles(); err != nil {
		return nil, err
	}
	if len(r.files) == 0 {
		return nil, &Damage{File: name, Err: fmt.Errorf("no file with the magic number %#x: %w", magic, ErrFormat)}
	}
	r.describe()
	r.readMetadata()
	return r, nil
}

// maxFiles bounds what is opened: 4096 processors have less than 30 channels each.
const maxFiles = 1 << 17

// findFiles lists the files with a magic number, also in folders (lttng.md 3.5).
func (r *Recording) findFiles() error {
	var bad []error
	err := fs.WalkDir(r.dir, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && p == ".":
			return err
		case err != nil:
			r.damage.Note(p, 0, 0, err)
			return nil
		case d.IsDir() && (p == "eventdefs" || p != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || strings.HasPrefix(d.Name(), "."):
			return nil
		case len(r.files) >= maxFiles:
			r.damage.Note(p, 0, 0, fmt.Errorf("more than %d files, of which this and those behind it are left out: %w", maxFiles, ErrCorrupt))
			return fs.SkipAll
		case !isRegular(r.dir, p, d):
			return nil
		}
		f, err := r.probe(p)
		if err != nil {
			bad = append(bad, err)
		}
		if f != nil {
			r.files = append(r.files, f)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(r.files) == 0 { // what has no magic number is part of something else
		bad = slices.DeleteFunc(bad, func(err error) bool { return errors.Is(err, ErrFormat) })
		return errors.Join(bad...)
	}
	for _, err := range bad {
		var d *Damage
		if errors.As(err, &d) {
			r.damage.Note(d.File, d.Offset, d.Skipped, d.Err)
		}
	}
	slices.SortFunc(r.files, func(a, b *File) int {
		return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.CPU, b.CPU), cmp.Compare(a.Path, b.Path))
	})
	r.tellTwins()
	return nil
}

// tellTwins notes the first file that is in two directories: those are two traces, such as of two programs, and read as one.
func (r *Recording) tellTwins() {
	for i, f := range r.files[1:] {
		if before := r.files[i]; path.Base(before.Path) == path.Base(f.Path) && before.Channel == f.Channel {
			r.damage.Note(f.Path, 0, 0, fmt.Errorf("the trace has also %s: two traces are read as one: %w", before.Path, ErrFormat))
			return
		}
	}
}

// probe looks at the head of a file; nil without an error says that it is none of a trace.
func (r *Recording) probe(name string) (*File, error) {
	src, size, err := r.open(name)
	if err != nil {
		return nil, &Damage{File: name, Err: err}
	}
	defer src.Close()
	head := make([]byte, min(maxHeader, size))
	if _, err := src.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, &Damage{File: name, Err: err}
	}
	h, ok := parseHeader(head, r.config.dialect)
	if !ok {
		later, found := r.laterHeader(name, src, size)
		switch {
		case found: // the stream tells what it leaves out
			h = later
		case IsHead(head) && h.dialect == Auto:
			return nil, &Damage{File: name, Err: fmt.Errorf("%w: %d.%d", ErrVersion, h.major, h.minor)}
		case IsHead(head):
			return nil, &Damage{File: name, Skipped: size, Err: fmt.Errorf("the header of the first sub-buffer: %w", ErrCorrupt)}
		case isNumbered(name):
			return nil, &Damage{File: name, Skipped: size, Err: fmt.Errorf("no magic number: %w", ErrFormat)}
		default:
			return nil, nil
		}
	}
	f := &File{Path: name, Size: size, Heartbeat: h.heartbeat, head: h}
	f.Channel, f.CPU = channelOf(name, h.dialect)
	return f, nil
}

// maxSearch bounds the search for a header in files that begin without one: sub-buffers are smaller, mostly.
const maxSearch = 16 << 20

// laterHeader finds the first page of a file that begins with a header. Files that are not called as those of traces are
// may be anything.
func (r *Recording) laterHeader(name string, src io.ReaderAt, size int64) (h header, ok bool) {
	if !isNumbered(name) {
		return h, false
	}
	b := make([]byte, maxHeader)
	for off := int64(pageSize); off < min(size, maxSearch); off += pageSize {
		n, _ := src.ReadAt(b, off)
		if h, ok = parseHeader(b[:n], r.config.dialect); ok {
			return h, true
		}
	}
	return h, false
}

// isNumbered reports whether a file is called like one of a channel on a processor: kernel_0.
func isNumbered(name string) bool {
	i := strings.LastIndexByte(name, '_')
	_, err := strconv.ParseUint(name[i+1:], 10, 31)
	return i > strings.LastIndexByte(name, '/') && err == nil
}

// channelOf splits a path at its last underscore (lttng.md 3.5). Files without one are of user space, on no processor.
func channelOf(name string, d Dialect) (channel string, cpu int) {
	channel = name
	if i := strings.LastIndexByte(name, '_'); i > strings.LastIndexByte(name, '/') {
		if n, err := strconv.ParseUint(name[i+1:], 10, 31); err == nil {
			channel, cpu = name[:i], int(n)
		}
	}
	if !d.perChannel() {
		return "/" + channel, cpu
	}
	return strings.TrimPrefix(path.Base(channel), "flight-"), cpu
}

// sourceFile is an open file.
type sourceFile interface {
	io.ReaderAt
	io.Closer
}

func (r *Recording) open(name string) (sourceFile, int64, error) {
	f, err := r.dir.Open(name)
	if err != nil {
		return nil, 0, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	if s, ok := f.(sourceFile); ok && st.Mode().IsRegular() {
		return s, st.Size(), nil
	}
	if !st.Mode().IsRegular() { // a pipe or a device could be read for ever
		return nil, 0, errors.Join(fmt.Errorf("not a regular file: %w", ErrFormat), f.Close())
	}
	all, err := io.ReadAll(f)
	return inMemory{bytes.NewReader(all)}, int64(len(all)), errors.Join(err, f.Close())
}

// inMemory is a file of a file system that cannot read at a place.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// describe fills Info from the first header of the metadata, which alone has it all in 0.x (lttng.md 3.2).
func (r *Recording) describe() {
	meta := slices.DeleteFunc(slices.Clone(r.files), func(f *File) bool { return !f.isMetadata() })
	first := r.files[0]
	if len(meta) > 0 {
		first = meta[0]
	}
	h := first.head
	order := fmt.Sprint(h.order)
	r.info = Info{
		Dialect: h.dialect, Major: h.major, Minor: h.minor, BigEndian: order == "BigEndian", WordSize: h.word, Alignment: h.alignment,
		FlightRecorder: h.flight, Heartbeat: h.heartbeat, StartFreq: h.freq, FreqScale: h.scale, StartTSC: h.tsc,
		StartMonotonic: h.monotonic, StartSec: h.sec, StartUsec: h.usec, Formula: r.config.formula, CPUs: len(meta),
	}
	if h.dialect >= V21 && h.dialect != Seed { // it has no field of its own (lttng.md 3.3)
		r.info.StartTSC = h.begin
	}
	if r.info.Formula == EraFormula {
		r.info.Formula = OldFormula
		if h.dialect == V25 || h.dialect == V26 {
			r.info.Formula = NewFormula
		}
	}
	r.clock = newClock(r.info.Formula, r.info.StartFreq, r.info.FreqScale, r.info.StartTSC)
	if len(meta) == 0 {
		r.damage.Note(".", 0, 0, fmt.Errorf("no file describes the markers: %w", ErrMarker))
	}
}

// isMetadata reports whether the file holds the descriptions of the markers.
func (f *File) isMetadata() bool {
	return f.Channel == "metadata" || f.Channel == "/control/metadata" || f.Channel == "/control/facilities"
}
