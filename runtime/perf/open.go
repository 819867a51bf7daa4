package perf

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/internal/spool"
	"github.com/tracec/tracec/runtime/ftrace"
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
	maxSection = 64 << 20 // bytes of a feature
)

// IsRecording reports whether a file begins as a perf.data does.
func IsRecording(head []byte) bool {
	return len(head) >= 8 && (string(head[:8]) == magic || string(head[:8]) == magicSwapped || string(head[:8]) == magicOld)
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
		return OpenFS(folder.Open(name), name, append(opts, nil)...)
	}
	r, err := OpenReaderAt(f, st.Size(), name, opts...)
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

// OpenReader opens a perf.data that comes through a pipe. It first copies all of it to an unnamed
// temporary file, since features are at its end. name is for messages.
func OpenReader(src io.Reader, name string, opts ...Option) (*Recording, error) {
	tmp, err := spool.New("")
	if err != nil {
		return nil, err
	}
	size, err := io.Copy(tmp, src)
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

// IsDirectory reports whether a directory is one that perf wrote.
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
		if o != nil {
			o(&r.config)
		}
	}
	r.memory = memory.New(r.config.memory)
	r.modules.rec = r
	return r
}

// add opens a file of a directory. It has records from its first byte on, but for the first file.
func (r *Recording) add(dir fs.FS, name string) error {
	f, err := dir.Open(name)
	if err != nil {
		return err
	}
	r.closers = append(r.closers, f)
	st, err := f.Stat()
	if err != nil {
		return err
	}
	src, ok := f.(io.ReaderAt)
	if !ok {
		return &Damage{File: path.Join(r.name, name), Err: fmt.Errorf("files of recordings must be io.ReaderAt: %w", ErrFormat)}
	}
	r.files = append(r.files, &File{Path: name, Size: st.Size(), to: st.Size(), src: src, index: int32(len(r.files))})
	return nil
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
	if !r.bigIsOther(head) {
		r.order.big = !r.order.big
	}
	size := r.order.u64(head[8:])
	switch {
	case size == pipeHeader:
		r.pipe = true
		f.from, f.to = pipeHeader, f.Size
		r.preamble(f)
	case size < leastFile || n < leastFile:
		return r.bad(f, 8, fmt.Errorf("a header of %d bytes: %w", size, ErrCorrupt))
	default:
		r.header(f, head[:min(size, wholeFile)])
	}
	r.addKinds()
	return nil
}

// bigIsOther reports whether the size of the header makes sense in the order that was taken.
func (r *Recording) bigIsOther(head []byte) bool { return r.order.u64(head[8:]) < 1<<32 }

// section is a place of a file.
type section struct{ at, size int64 }

func (r *Recording) section(b []byte) section {
	at, size := r.order.u64(b), r.order.u64(b[8:])
	return section{int64(min(at, 1<<61)), int64(min(size, 1<<61))} // whose sum is a number, too
}

// bytes reads a section. What lies beyond the end of the file is damage.
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

// header reads what the header of a file leads to.
func (r *Recording) header(f *File, head []byte) {
	entry := int64(min(r.order.u64(head[16:]), 1<<20))
	attrs, data := r.section(head[24:]), r.section(head[40:])
	f.from, f.to = min(data.at, f.Size), min(data.at+data.size, f.Size)
	switch {
	case data.size == 0: // of a recorder that was killed (perf.md 0.8)
		f.to = f.Size
	case data.at+data.size > f.Size:
		r.damage.Note(f.Path, f.Size, data.at+data.size-f.Size, fmt.Errorf("%d bytes of records: %w", data.size, ErrTruncated))
	}
	if entry < leastAttr+16 {
		r.damage.Note(f.Path, 16, attrs.size, fmt.Errorf("an attribute of %d bytes: %w", entry, ErrCorrupt))
		return
	}
	list := r.bytes(f, attrs, "attributes")
	for ; int64(len(list)) >= entry && len(r.attrs) < maxAttrs; list = list[entry:] {
		r.addAttr(r.order.attr(list[:entry-16]), r.idsOf(f, r.section(list[entry-16:])))
	}
	if len(head) >= wholeFile && data.size > 0 {
		r.features(f, head[72:], data.at+data.size)
	}
}

// idsOf reads the ids of an attribute.
func (r *Recording) idsOf(f *File, s section) (ids []uint64) {
	b := r.bytes(f, s, "ids of an attribute")
	for ; len(b) >= 8; b = b[8:] {
		ids = append(ids, r.order.u64(b))
	}
	return ids
}

// addAttr adds an attribute, whose ids may come later.
func (r *Recording) addAttr(a Attr, ids []uint64) *Event {
	e := &Event{Kind: SampleKind, Attr: &a, IDs: ids, ID: attrBase + uint32(len(r.attrs)), Index: len(r.attrs), plan: planOf(&a)}
	e.Name = fmt.Sprintf("%d:%#x", a.Type, a.Config)
	if e.IsTracepoint() && a.Config < attrBase {
		e.ID = uint32(a.Config)
	}
	for _, id := range ids {
		r.byID.add(id, e)
	}
	if a.Flags&UseClockID != 0 {
		r.clocks.id, r.clocks.chosen = a.ClockID, true
	}
	r.attrs = append(r.attrs, e)
	return e
}

// features reads the sections of the bits that are set. Their places follow the records.
func (r *Recording) features(f *File, words []byte, at int64) {
	set := r.order.u64(words)
	if r.order.big && set&(1<<featHost) == 0 && set>>32&(1<<featHost) != 0 { // words of 4 bytes
		set = set<<32 | set>>32
	}
	r.info.Features = set
	for n := range mostFeatures {
		if set>>n&1 == 0 {
			continue
		}
		place := r.bytes(f, section{at, 16}, "the place of a feature")
		if len(place) < 16 {
			return
		}
		at += 16
		s := r.section(place)
		switch {
		case n == featTracing:
			r.openTracing(f, r.bytes(f, s, "tracing data"))
		case readFeatures>>n&1 != 0 && s.size > 0:
			r.feature(n, r.bytes(f, s, "a feature"))
		}
	}
}

// readFeatures are those that Info has.
const readFeatures = 1<<featBuildID | 1<<featHost | 1<<featRelease | 1<<featVersion | 1<<featArch | 1<<featCPUs | 1<<featCPUDesc | 1<<featCommandLine |
	1<<featEventDesc | 1<<featSampleTime | 1<<featClockData

// openTracing reads the descriptions of tracepoints.
func (r *Recording) openTracing(f *File, data []byte) {
	t, err := ftrace.OpenTracing(data, f.Path, r.info.Release, ftrace.WithMemory(cmpOr(r.config.memory, record.DefaultMemory)))
	if err != nil {
		r.damage.Note(f.Path, 0, int64(len(data)), fmt.Errorf("tracing data: %w", err))
		return
	}
	r.tracing = t
	names := map[uint64]string{}
	for _, x := range t.Formats() {
		names[uint64(x.ID)] = x.System + ":" + x.Name
	}
	for _, e := range r.attrs {
		if n := names[e.Attr.Config]; e.Attr.Type == Tracepoint && n != "" {
			e.Name = n
		}
	}
}

// preamble reads the records of a pipe up to the first sample: attributes, features, names.
func (r *Recording) preamble(f *File) {
	s := &source{order: r.order, src: f.src, at: f.from, end: f.to}
	defer s.close()
	for {
		x, err := s.outer()
		if err != nil || x.kind == SampleKind || x.kind == Compressed || x.kind == Compressed2 {
			return // the stream of the file tells of damage
		}
		r.describe(f, s, x)
	}
}

// describe takes what a record says of the recording.
func (r *Recording) describe(f *File, s *source, x raw) {
	b := x.body
	switch {
	case x.kind == HeaderAttr && len(b) >= leastAttr:
		a := r.order.attr(b)
		size := int(a.Size)
		if size < leastAttr || size > len(b) {
			r.damage.Note(f.Path, x.place, 0, fmt.Errorf("an attribute of %d bytes: %w", size, ErrCorrupt))
			return
		}
		var ids []uint64
		for b = b[size:]; len(b) >= 8; b = b[8:] {
			ids = append(ids, r.order.u64(b))
		}
		if len(r.attrs) < maxAttrs {
			r.addAttr(a, ids)
		}
	case x.kind == HeaderFeature && len(b) >= 8:
		if n := r.order.u64(b); n < mostFeatures {
			r.info.Features |= 1 << n
			if readFeatures>>n&1 != 0 {
				r.feature(int(n), b[8:])
			}
		}
	case x.kind == TracingData:
		r.openTracing(f, r.bytes(f, section{x.place + headerSize + int64(len(b)), int64(r.order.u32(b))}, "tracing data"))
	case x.kind == EventUpdate && len(b) > 16 && r.order.u64(b) == 2:
		if e := r.byID.find(r.order.u64(b[8:])); e != nil {
			e.Name = strings.TrimRight(string(b[16:]), "\x00")
		}
	}
}

func cmpOr(a, b int64) int64 {
	if a != 0 {
		return a
	}
	return b
}
