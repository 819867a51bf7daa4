package lttng

import (
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

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/runtime/internal/memory"
)

// Open opens a directory: a trace, or a directory with a set of traces. Errors are *Damage,
// *fs.PathError or both joined.
func Open(dir string, opts ...Option) (*Recording, error) {
	st, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		return nil, &Damage{File: dir, Err: fmt.Errorf("a file instead of the directory of a trace: %w",
			ErrFormat)}
	}
	return OpenFS(folder.Open(dir), dir, append([]Option{WithPath(dir)}, opts...)...)
}

// OpenFS opens a directory of a file system, such as an unpacked archive. name is for messages. Its
// files should implement io.ReaderAt. Others are read into memory.
func OpenFS(dir fs.FS, name string, opts ...Option) (*Recording, error) {
	if kernel := folder.Kernel(dir); kernel != "" { // a search for traces would read all of its files
		return nil, &Damage{File: name, Err: fmt.Errorf("the files of the kernel (%s): %w", kernel, ErrFormat)}
	}
	r := &Recording{dir: dir, name: name}
	for _, o := range opts {
		o(&r.config)
	}
	r.memory = memory.New(r.config.memory)
	r.handles.dir, r.damage.Dir = dir, name
	if err := r.await(); err != nil {
		return nil, err
	}
	if err := r.findFiles(); err != nil {
		return nil, err
	}
	if len(r.files) == 0 {
		return nil, &Damage{File: name, Err: fmt.Errorf("no file with the magic number %#x: %w", magic, ErrFormat)}
	}
	r.group()
	for _, tr := range r.traces {
		tr.describe()
		tr.readMetadata()
	}
	r.number()
	r.mark()
	r.useIndex()
	return r, nil
}

// group makes the traces from the files.
func (r *Recording) group() {
	parts := map[string]*Trace{}
	for _, f := range r.files {
		dir := r.traceOf(f)
		tr := parts[dir]
		if tr == nil {
			tr = &Trace{rec: r, path: dir, tables: map[string]*table{}}
			parts[dir] = tr
			r.traces = append(r.traces, tr)
		}
		f.trace = tr
		tr.files = append(tr.files, f)
	}
	slices.SortFunc(r.traces, func(a, b *Trace) int { return cmp.Compare(a.path, b.path) })
	r.files = r.files[:0]
	for _, tr := range r.traces {
		tr.agree()
		slices.SortFunc(tr.files, func(a, b *File) int {
			return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.CPU, b.CPU), cmp.Compare(a.Path, b.Path))
		})
		r.files = append(r.files, tr.files...)
	}
	for i, f := range r.files {
		f.index = int32(i)
	}
}

// agree drops files whose layout differs from most of the trace, because their events are not
// described. If only the first header of a file is damaged, a later header shows its layout.
func (tr *Trace) agree() {
	most, count := tr.files[0].head.kind(), map[layoutKind]int{}
	for _, f := range tr.files {
		k := f.head.kind()
		if count[k]++; count[k] > count[most] {
			most = k
		}
	}
	tr.files = slices.DeleteFunc(tr.files, func(f *File) bool {
		if f.head.kind() != most && !tr.rec.probeAgain(f, most) {
			h := &f.head
			tr.rec.damage.Note(f.Path, 0, f.Size, fmt.Errorf("a file of %s, %v, in a trace of %s, %v: %w", h.dialect,
				h.order, most.dialect, most.order, ErrVersion))
			return true
		}
		f.Channel, f.CPU = channelOf(within(tr.path, f.Path), most.dialect)
		return false
	})
}

// probeAgain looks for a later header of the wanted kind, and uses it as the header of the file.
func (r *Recording) probeAgain(f *File, want layoutKind) bool {
	src, size, err := openFile(r.dir, f.Path)
	if err != nil {
		return false
	}
	defer src.Close()
	h, ok := r.laterHeader(f.Path, src, size, func(h *header) bool { return h.kind() == want })
	if ok {
		f.head, f.Heartbeat = h, h.short.heartbeat
	}
	return ok
}

// traceOf returns the directory of the trace to which a file belongs. From 2.3 on all files of a
// trace are in it. Up to 2.2 some are in its folders (lttng.md 3.5).
func (r *Recording) traceOf(f *File) string {
	dir := path.Dir(f.Path)
	if f.head.dialect.perChannel() {
		return dir
	}
	for up := dir; ; up = path.Dir(up) {
		if r.roots[up] {
			return up
		}
		if up == "." {
			break
		}
	}
	if isFolder(path.Base(dir)) {
		return path.Dir(dir)
	}
	return dir
}

// isFolder reports whether traces up to 2.2 had files in a folder of that name.
func isFolder(name string) bool { return name == "control" || name == "ltt-usertrace" }

// within returns a path below dir relative to it.
func within(dir, name string) string {
	if dir == "." {
		return name
	}
	return strings.TrimPrefix(name, dir+"/")
}

// probe reads the head of a file. If it returns nil without an error, the file does not belong to a
// trace.
func (r *Recording) probe(name string) (*File, error) {
	src, size, err := openFile(r.dir, name)
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
		later, found := r.laterHeader(name, src, size, func(*header) bool { return true })
		switch {
		case found: // the stream will report the bytes that it skips
			h = later
		case IsHead(head) && h.dialect == Auto:
			return nil, &Damage{File: name, Err: fmt.Errorf("%w: %d.%d", ErrVersion, h.major, h.minor)}
		case IsHead(head):
			return nil, &Damage{File: name, Skipped: size,
				Err: fmt.Errorf("the header of the first sub-buffer: %w", ErrCorrupt)}
		case isNumbered(name):
			return nil, &Damage{File: name, Skipped: size, Err: fmt.Errorf("no magic number: %w", ErrFormat)}
		default:
			return nil, nil
		}
	}
	return &File{Path: name, Size: size, Heartbeat: h.short.heartbeat, head: h}, nil
}

// maxSearch limits the search for a header in files that begin without one. Sub-buffers are usually
// smaller.
const maxSearch = 16 << 20

// laterHeader finds the first page of a file after its start that begins with a wanted header.
// Files not named like files of traces may be anything.
func (r *Recording) laterHeader(
	name string, src io.ReaderAt, size int64, wanted func(*header) bool,
) (h header, ok bool) {
	if !isNumbered(name) {
		return h, false
	}
	b := make([]byte, maxHeader)
	for off := int64(pageSize); off < min(size, maxSearch); off += pageSize {
		n, _ := src.ReadAt(b, off)
		if h, ok = parseHeader(b[:n], r.config.dialect); ok && wanted(&h) {
			return h, true
		}
	}
	return h, false
}

// isNumbered reports whether a file is named like the file of a channel on a processor: kernel_0.
func isNumbered(name string) bool {
	i := strings.LastIndexByte(name, '_')
	_, err := strconv.ParseUint(name[i+1:], 10, 31)
	return i > strings.LastIndexByte(name, '/') && err == nil
}

// channelOf splits a path at its last underscore (lttng.md 3.5). Files without an underscore are of
// user space, and not of a processor.
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
