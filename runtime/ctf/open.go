package ctf

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
	"strings"
	"sync"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/runtime/ctf/metadata"
	"github.com/tracec/tracec/runtime/internal/memory"
)

// Limits of the search: a session of LTTng is a few folders deep.
const (
	maxFiles = 1 << 17
	maxDepth = 12
	// mostFolders bounds the folders that are searched.
	mostFolders = 1 << 12
)

// modelBytes is the maximum number of bytes of the model for 1 byte of metadata.
const modelBytes = 16

// MaxMetadata is the maximum size of the metadata of a trace, in bytes.
const MaxMetadata = 64 << 20

// Open opens a directory: a trace, or a directory that contains traces. Errors are *Damage,
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

// OpenFS opens a directory of a file system, such as an unpacked archive; name is for messages.
func OpenFS(dir fs.FS, name string, opts ...Option) (*Recording, error) {
	if kernel := folder.Kernel(dir); kernel != "" {
		return nil, ofKernel(name, kernel)
	}
	r := &Recording{dir: dir, name: name}
	for _, o := range opts {
		o(&r.config)
	}
	r.memory, r.damage.Dir = memory.New(r.config.memory), name
	if err := r.search(); err != nil {
		return nil, err
	}
	if len(r.traces) == 0 {
		return nil, r.noTrace(name)
	}
	r.sortTraces()
	r.number()
	r.useIndex()
	return r, nil
}

// noTrace returns the error for a directory without a trace.
func (r *Recording) noTrace(name string) error {
	if d, _ := r.damage.Ends(); d != nil {
		return d
	}
	return &Damage{File: name, Err: fmt.Errorf("no file metadata of a trace: %w", ErrFormat)}
}

func (r *Recording) sortTraces() {
	slices.SortFunc(r.traces, func(a, b *Trace) int { return cmp.Compare(a.Path, b.Path) })
}

// number makes the plans of new traces and the chains of new files.
func (r *Recording) number() {
	for _, t := range r.traces {
		if t.streams == nil {
			r.plan(t)
		}
		for _, f := range t.files {
			if f.places != nil {
				continue
			}
			f.index = int32(len(r.files))
			f.places = sync.OnceValue(func() []int64 { return r.indexed(f) })
			r.files = append(r.files, f)
		}
	}
	if r.watch == nil {
		r.link()
		return
	}
	for _, f := range r.files[len(r.chains):] { // packets of several files cannot be sorted while files grow
		r.chains = append(r.chains, &chain{files: []*File{f}, index: int32(len(r.chains))})
	}
}

// search looks for traces. In a followed recording, it waits for the first one.
func (r *Recording) search() error {
	if r.config.follow != nil {
		return r.await()
	}
	left := mostFolders
	return r.find(".", 0, &left)
}

// find looks for traces in a folder and below it, in as many folders as are left.
func (r *Recording) find(dir string, depth int, left *int) error {
	if *left--; *left == -1 && r.notes() {
		r.damage.Note(dir, 0, 0, fmt.Errorf("more than %d folders: %w", mostFolders, ErrLimit))
	}
	if *left < 0 {
		return nil
	}
	list, err := fs.ReadDir(r.dir, dir)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == "metadata" && !e.IsDir() }) {
		if err := r.trace(dir, list); !errors.Is(err, errForeign) {
			return err
		}
	}
	for _, e := range list {
		if !e.IsDir() || depth == maxDepth {
			continue
		}
		if err := r.find(path.Join(dir, e.Name()), depth+1, left); err != nil && r.notes() &&
			!errors.Is(err, ErrFormat) {
			r.damage.Note(path.Join(dir, e.Name()), 0, 0, err)
		}
	}
	return nil
}

// errForeign is the error of a file metadata that does not describe a trace. There may be traces
// below its folder.
var errForeign = errors.New("metadata of another format")

// trace reads the metadata of a folder and lists its files. For a known trace, it lists the new
// files.
func (r *Recording) trace(dir string, list []fs.DirEntry) error {
	i := slices.IndexFunc(r.traces, func(t *Trace) bool { return t.Path == dir })
	t, isNew := &Trace{Path: dir}, i < 0
	if !isNew {
		if t = r.traces[i]; r.watch == nil { // it was also found below another directory
			return nil
		}
	}
	files := r.list(t, list)
	if isNew {
		if r.watch != nil && (len(files) == 0 || r.tried(dir)) {
			return nil // a rotation has moved the trace, or nothing has been recorded
		}
		t.files = files
		err := r.readTrace(t)
		if err != nil || t.Trace == nil || len(t.Trace.Streams) == 0 && !t.read.ended {
			r.memory.Give(t.read.bytes * modelBytes)
			return err
		}
		r.traces = append(r.traces, t)
	} else {
		t.files = append(t.files, files...)
	}
	r.remember(files)
	return nil
}

// readTrace reads the metadata of a trace. If the metadata are damaged, t.Trace may be nil without
// an error.
func (r *Recording) readTrace(t *Trace) error {
	name := path.Join(t.Path, "metadata")
	t.read = r.state(t.Path)
	data, err := r.readMetadata(name)
	if err == nil {
		t.read.bytes = int64(len(data))
	}
	if err != nil {
		return err
	}
	if !IsMetadata(data) && !bytes.Contains(data, []byte("trace")) {
		if t.read.ended && len(data)+len(t.files) > 0 {
			r.damage.Note(name, 0, 0, fmt.Errorf("%d bytes that do not describe a trace: the %d other files of the directory are not read: %w",
				len(data), len(t.files), ErrMetadata))
		}
		return errForeign
	}
	m, faults := metadata.Read(name, data)
	if t.read.ended {
		r.noteFaults(name, faults)
	}
	if m != nil {
		t.Trace = m
		t.lateEnds, t.lateBegins = mistakes(m)
		t.process = t.Variable("procname").Text
	}
	return nil
}

// list returns the files of a trace that are not known yet.
func (r *Recording) list(t *Trace, list []fs.DirEntry) (files []*File) {
	for _, e := range list {
		if e.IsDir() || e.Name() == "metadata" || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		name := path.Join(t.Path, e.Name())
		st, err := fs.Stat(r.dir, name)
		if err != nil || !st.Mode().IsRegular() || r.watch == nil && st.Size() == 0 || r.isKnown(t, name, st) {
			continue
		}
		if len(r.files)+len(t.files)+len(files) >= maxFiles {
			if r.notes() {
				r.damage.Note(name, 0, st.Size(), fmt.Errorf("more than %d files: this file and all later ones are not read: %w",
					maxFiles, ErrLimit))
			}
			break
		}
		files = append(files, &File{Path: name, Size: st.Size(), trace: t})
	}
	return files
}

func (r *Recording) readMetadata(name string) ([]byte, error) {
	data, err := r.readSmall(name, MaxMetadata)
	if err == nil {
		err = r.memory.Take(int64(len(data)) * modelBytes)
	}
	return data, err
}

// mistakes reports which times of packets the tracer gets wrong (docs/spec/ctf.md 6.4).
func mistakes(m *metadata.Trace) (lateEnds, lateBegins bool) {
	tracer, version := "", [3]int64{}
	for _, v := range m.Environment {
		switch v.Name {
		case "tracer_name":
			tracer = v.Text
		case "tracer_major":
			version[0] = v.Number
		case "tracer_minor":
			version[1] = v.Number
		case "tracer_patch", "tracer_patchlevel":
			version[2] = v.Number
		}
	}
	before := func(v ...int64) bool { return slices.Compare(version[:], v) < 0 }
	return strings.HasPrefix(tracer, "lttng") && before(2, 11), tracer == "barectf" && before(2, 3, 1)
}

// readSmall reads a regular file of at most most bytes.
func (r *Recording) readSmall(name string, most int64) ([]byte, error) {
	if st, err := fs.Stat(r.dir, name); err != nil || !st.Mode().IsRegular() {
		return nil, cmp.Or(err, error(&Damage{File: name, Err: fmt.Errorf("no regular file: %w", ErrFormat)}))
	}
	f, err := r.dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if int64(len(data)) > most {
		return nil, &Damage{File: name, Err: fmt.Errorf("more than %d bytes: %w", most, ErrLimit)}
	}
	return data, err
}

// MetadataText returns the text of the metadata of a trace.
func (r *Recording) MetadataText(t *Trace) ([]byte, error) {
	name := path.Join(t.Path, "metadata")
	data, err := r.readMetadata(name)
	if err != nil {
		return nil, err
	}
	text, err := metadata.TextOf(name, data)
	return []byte(text), err
}

// IsMetadata reports whether a file begins like metadata: with the signature of TSDL, a packet or a
// fragment of JSON.
func IsMetadata(head []byte) bool {
	return bytes.HasPrefix(head, []byte("/* CTF 1.8")) || len(head) > 0 && head[0] == 0x1e ||
		len(head) > 3 && (bytes.HasPrefix(head, []byte{0x75, 0xd1, 0x1d, 0x57}) ||
			bytes.HasPrefix(head, []byte{0x57, 0x1d, 0xd1, 0x75}))
}

// plan makes the plans of the streams and events of a trace.
func (r *Recording) plan(t *Trace) {
	before := t.streams // the streams before the metadata grew
	t.streams = []*stream{}
	for _, s := range t.Trace.Streams {
		if slices.ContainsFunc([]*metadata.Class{t.Header, s.PacketContext, s.EventHeader, s.EventContext}, dangles) {
			continue // metadata.Read has reported it
		}
		x := &slots{}
		x.collect(t.Header)
		x.collect(s.PacketContext)
		x.collect(s.EventHeader)
		x.collect(s.EventContext)
		for _, e := range s.Events {
			x.collect(e.Context)
			x.collect(e.Payload)
		}
		st := &stream{Stream: s, trace: t, events: map[uint64]*Event{}, cpu: -1, clock: clockOf(s.Clock)}
		if c := cpuOf(s.PacketContext); c != nil {
			x.add(&metadata.Reference{Fields: []*metadata.Class{c}})
			st.cpu = x.of[c]
		}
		if hasOwn(s.PacketContext) {
			st.packetForm = formOf([3]*metadata.Class{s.PacketContext})
			st.packetForm.Unpacked = true
		}
		st.packetHeader, st.packetContext, st.header = x.plan(t.Header, nil),
			x.plan(s.PacketContext, st.packetForm), x.plan(s.EventHeader, nil)
		for _, e := range s.Events {
			ev := &Event{Event: e, Stream: s, trace: t, packetForm: st.packetForm, base: st.clock.base}
			ev.Form = formOf(ev.Scopes())
			ev.Form.Unpacked = ev.Form.Unpacked || ev.beginsInByte()
			ev.threads = threadsOf(ev)
			ev.specific, ev.payload = x.plan(e.Context, ev.Form), x.plan(e.Payload, ev.Form)
			st.events[e.ID] = ev
			r.add(ev, before)
		}
		st.context = x.plan(s.EventContext, &Form{})
		st.quick, st.slots = quickOf(st.header), x.n
		st.number()
		t.streams = append(t.streams, st)
	}
}

// mostSmall bounds the numbers of events that are found without a map.
const mostSmall = 1 << 14

// number fills the table of small numbers, and makes the walks through events.
func (s *stream) number() {
	for id, ev := range s.events {
		if !ev.Form.Unpacked {
			ev.steps = stepsOf(s.context, ev.specific, ev.payload)
			ev.fixed = constantOf(ev.steps)
		}
		if id >= mostSmall {
			continue
		}
		if n := int(id) + 1; n > len(s.small) {
			s.small = append(s.small, make([]*Event, n-len(s.small))...)
		}
		s.small[id] = ev
	}
}

// event returns the event of a number, or nil.
func (s *stream) event(id uint64) *Event {
	if id < uint64(len(s.small)) {
		return s.small[id]
	}
	if id < mostSmall {
		return nil
	}
	return s.events[id]
}

// hasOwn reports whether a packet context has fields that have no meaning for decoding.
func hasOwn(context *metadata.Class) bool {
	return context != nil && slices.ContainsFunc(context.Members,
		func(m metadata.Member) bool { return len(m.Class.Roles) == 0 })
}

// cpuOf returns the field with the number of the processor.
func cpuOf(context *metadata.Class) *metadata.Class {
	if context == nil {
		return nil
	}
	for _, m := range context.Members {
		if m.Name == "cpu_id" && m.Class.Kind == metadata.Int {
			return m.Class
		}
	}
	return nil
}

// IsTrace reports whether a directory has metadata of a trace, or is a session. In a session, all
// folders hold traces. Exceptions are empty folders, folders with a file metadata of another
// format, and folders named index. IsTrace searches some thousand folders at most.
func IsTrace(dir fs.FS) bool {
	left := mostFolders
	return isTrace(dir, ".", 0, &left) == traces
}

// content is the kind of contents of a folder.
type content uint8

const (
	nothing content = iota
	traces
	others
)

func isTrace(dir fs.FS, name string, depth int, left *int) content {
	list, err := fs.ReadDir(dir, name)
	if *left--; err != nil || *left < 0 || depth > maxDepth {
		return others
	}
	if len(list) == 0 {
		return nothing
	}
	what := others
	for _, e := range list {
		if e.Name() != "metadata" || e.IsDir() {
			continue
		}
		if hasSignature(dir, path.Join(name, "metadata")) {
			return traces
		}
		what = nothing // it is empty, because a tracer died before it described its trace, or it has another format
	}
	for _, e := range list {
		if !e.IsDir() || e.Name() == "index" {
			continue
		}
		switch isTrace(dir, path.Join(name, e.Name()), depth+1, left) {
		case traces:
			what = traces
		case others:
			return others
		}
	}
	return what
}

func hasSignature(dir fs.FS, name string) bool {
	if st, err := fs.Stat(dir, name); err != nil || !st.Mode().IsRegular() { // opening a pipe could block for ever
		return false
	}
	f, err := dir.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 16)
	n, _ := io.ReadFull(f, head)
	return IsMetadata(head[:n])
}
