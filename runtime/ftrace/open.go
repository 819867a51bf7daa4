package ftrace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/internal/spool"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/pagecache"
	"github.com/tracec/tracec/runtime/record"
)

// OpenOption changes how a recording is opened.
type OpenOption func(*openConfig)

type openConfig struct {
	order   binary.ByteOrder
	tempDir string
	memory  int64
	formats func(system, name string) bool // nil means all
	follow  *record.Follow

	path  string  // of the recording, if it is a file; otherwise empty
	index *string // name of its index, if set
}

// WithByteOrder sets the byte order of a tracefs snapshot, which is not recorded. Without this
// option, the pages determine it. A trace.dat records its byte order.
func WithByteOrder(o binary.ByteOrder) OpenOption { return func(c *openConfig) { c.order = o } }

// WithTempDir sets the directory for the temporary file of OpenReader. The default is os.TempDir.
func WithTempDir(dir string) OpenOption { return func(c *openConfig) { c.tempDir = dir } }

// WithFormats makes OpenLive read only the descriptions of these events and of the ring buffer's
// own events. A kernel describes some thousand events, and reading all takes a tenth of a second.
func WithFormats(wanted func(system, name string) bool) OpenOption {
	return func(c *openConfig) { c.formats = wanted }
}

// WithMemory limits the memory of the recording, in bytes. The default is record.DefaultMemory.
// Parts that need more are reported as damage that matches ErrLimit.
func WithMemory(bytes int64) OpenOption { return func(c *openConfig) { c.memory = bytes } }

// WithFollow reads a copy of a tracefs directory while the files of its processors are still being
// written, as sub-buffers of trace_pipe_raw are copied to them: see [record.Follow]. Processors
// that appear later are added. If a file is truncated, or replaced by another of its name, its
// stream continues at the beginning of the file. Names of threads are read again. A trace.dat
// cannot be followed, because the location of its data is written last.
func WithFollow(f record.Follow) OpenOption { return func(c *openConfig) { c.follow = &f } }

// Open opens a trace.dat of version 6 or 7, or a directory that is a copy of tracefs: events/ and
// per_cpu/cpuN/trace_pipe_raw. Errors are *Damage, *fs.PathError or both joined.
func Open(path string, opts ...OpenOption) (*Recording, error) {
	cfg := config(opts)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if st.IsDir() {
		f.Close()
		return openSnapshot(folder.Open(path), path, cfg)
	}
	if !st.Mode().IsRegular() {
		defer f.Close()
		return openPipe(f, path, cfg)
	}
	src, err := fileSource(f, path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	cfg.path = path
	return openSource(src, cfg)
}

// OpenReader opens a trace.dat that comes through a pipe. name is for messages. In a trace.dat, the
// data of one processor follow the data of another, and most offsets are at its end. So its records
// cannot be read in time order while it arrives. OpenReader first copies all of it to an unnamed
// temporary file. A reader that is a regular file, such as redirected standard input, is used
// directly. OpenReader does not close r.
func OpenReader(r io.Reader, name string, opts ...OpenOption) (*Recording, error) {
	return openPipe(r, name, config(opts))
}

// OpenReaderAt opens a trace.dat of size bytes that is neither a file nor a stream. It is read in
// blocks.
func OpenReaderAt(r io.ReaderAt, size int64, name string, opts ...OpenOption) (*Recording, error) {
	return openSource(&source{name: name, r: pagecache.Reader(r), size: size}, config(opts))
}

// OpenFS opens a directory of a file system that is a copy of tracefs. name is for messages. The
// files of its processors must implement io.ReaderAt, as files of the system do.
func OpenFS(dir fs.FS, name string, opts ...OpenOption) (*Recording, error) {
	return openSnapshot(dir, name, config(opts))
}

func config(opts []OpenOption) *openConfig {
	cfg := &openConfig{}
	for _, o := range opts {
		o(cfg)
	}
	return cfg
}

// openPipe copies r to a temporary file. The file is removed when the process ends, for any reason.
func openPipe(r io.Reader, name string, cfg *openConfig) (*Recording, error) {
	if f, _, ok := spool.Regular(r); ok {
		return openShared(f, name, cfg)
	}
	tmp, err := spool.New(cfg.tempDir)
	if err != nil {
		return nil, err
	}
	end, err := copyBounded(tmp, r)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: copy to a temporary file: %w", name, err), tmp.Close())
	}
	src, err := fileSource(tmp.File, name)
	if err != nil {
		return nil, errors.Join(err, tmp.Close())
	}
	src.open = tmp
	if end < 0 {
		return openSource(src, cfg)
	}
	src.size = end
	rec, err := openSource(src, cfg)
	if err == nil {
		rec.damage.Add(src.fail(end, "the end of the pipe", errRest), 0)
	}
	return rec, err
}

var errRest = fmt.Errorf("%w: more follows the end of the recording, and is left out", ErrCorrupt)

// copyBounded copies r, but only up to the end of the recording if its own sizes determine that. In
// this case end is that offset, otherwise -1.
func copyBounded(tmp *spool.File, r io.Reader) (end int64, err error) {
	bound := spool.Bound{Extent: Extent}
	for size := int64(0); ; {
		n, err := io.CopyN(tmp, r, 1<<20)
		size += n
		if errors.Is(err, io.EOF) {
			return -1, nil
		}
		if err != nil {
			return -1, err
		}
		if end, ok := bound.Reached(tmp, size); ok {
			return end, nil
		}
	}
}

// openShared uses the caller's file without closing it.
func openShared(f *os.File, name string, cfg *openConfig) (*Recording, error) {
	again, err := os.Open(f.Name())
	if err == nil {
		a, err1 := again.Stat()
		b, err2 := f.Stat()
		if err1 == nil && err2 == nil && os.SameFile(a, b) {
			src, err := fileSource(again, name)
			if err != nil {
				return nil, errors.Join(err, again.Close())
			}
			return openSource(src, cfg)
		}
		again.Close()
	}
	st, err := f.Stat() // the name may not lead to it (/dev/stdin, or a renamed file)
	if err != nil {
		return nil, err
	}
	return openSource(&source{name: name, r: pagecache.Reader(f), size: st.Size()}, cfg)
}

// magic is the beginning of a trace.dat (man trace-cmd.dat).
const magic = "\x17\x08\x44tracing"

// openSource takes over src.
func openSource(src *source, cfg *openConfig) (*Recording, error) {
	if cfg.follow != nil {
		return nil, errors.Join(src.fail(0, "a directory, which can be followed", ErrUnsupported), src.Close())
	}
	r := &Recording{sources: []*source{src}, memory: memory.New(cfg.memory)}
	r.info.Name = src.name
	if err := r.open(src); err != nil {
		r.Close()
		return nil, err
	}
	r.finish()
	r.index.Path, r.index.Name = cfg.path, cfg.index
	r.index.Load(r.identity, r.memory)
	return r, nil
}

func (r *Recording) open(src *source) error {
	c := newCursor(src, binary.LittleEndian, 0)
	if head, err := src.view(0, min(src.size, int64(len(magic))), nil); err != nil || string(head) != magic {
		if err == nil {
			err = ErrFormat
		}
		return src.fail(0, "the magic bytes of a trace.dat", err)
	}
	c.take(int64(len(magic)), "magic")
	at := c.off
	switch v := c.zstring(16, "version"); v {
	case "6":
		r.info.Version = 6
	case "7":
		r.info.Version = 7
	default:
		if c.err != nil {
			return c.err
		}
		return src.fail(at, "version 6 or 7", fmt.Errorf("%w: version %q", ErrUnsupported, v))
	}
	if err := r.machine(c); err != nil {
		return err
	}
	if r.info.Version == 6 {
		return r.openV6(c)
	}
	return r.openV7(c)
}

// machine reads the byte order, the size of long and the page size of the recorder.
func (r *Recording) machine(c *cursor) error {
	src, at := c.src, c.off
	r.order = binary.LittleEndian
	switch c.u8("byte order") {
	case 0:
	case 1:
		r.order, r.layout.big = binary.BigEndian, true
	default:
		return src.fail(at, "byte order 0 or 1", ErrCorrupt)
	}
	c.order, r.info.ByteOrder = r.order, r.order
	at = c.off
	r.info.RecorderWord = int(c.u8("size of long"))
	if c.err == nil && r.info.RecorderWord != 4 && r.info.RecorderWord != 8 {
		return src.fail(at, "a long of 4 or 8 bytes", ErrCorrupt)
	}
	at = c.off
	r.info.PageSize = int(c.u32("page size"))
	r.info.FilePageSize = r.info.PageSize
	if c.err == nil && !validPageSize(r.info.PageSize) {
		return src.fail(at, "a page size", fmt.Errorf("%w: %d", ErrCorrupt, r.info.PageSize))
	}
	return c.failure()
}

// MaxPage is the size of the largest sub-buffer, in bytes. The kernel counts the bytes written to
// one in 20 bits (kernel/trace/ring_buffer.c: RB_WRITE_MASK, ring_buffer_subbuf_order_set).
const MaxPage = 1 << 20

func validPageSize(n int) bool { return n >= 64 && n <= MaxPage }
