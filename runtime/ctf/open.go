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
)

// MaxMetadata is how many bytes the metadata of a trace may have.
const MaxMetadata = 64 << 20

// Open opens a directory: a trace, or a directory that holds some. Errors are *Damage,
// *fs.PathError or both joined.
func Open(dir string, opts ...Option) (*Recording, error) {
	st, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		return nil, &Damage{File: dir, Err: fmt.Errorf("a file where the directory of a trace is wanted: %w",
			ErrFormat)}
	}
	return OpenFS(folder.Open(dir), dir, append([]Option{WithPath(dir)}, opts...)...)
}

// OpenFS opens a directory of a file system, such as an unpacked archive; name is for messages.
func OpenFS(dir fs.FS, name string, opts ...Option) (*Recording, error) {
	r := &Recording{dir: dir, name: name}
	for _, o := range opts {
		o(&r.config)
	}
	r.memory, r.damage.Dir = memory.New(r.config.memory), name
	if err := r.find(".", 0); err != nil {
		return nil, err
	}
	if len(r.traces) == 0 {
		if d, _ := r.damage.Ends(); d != nil {
			return nil, d
		}
		return nil, &Damage{File: name, Err: fmt.Errorf("no file metadata of a trace: %w", ErrFormat)}
	}
	slices.SortFunc(r.traces, func(a, b *Trace) int { return cmp.Compare(a.Path, b.Path) })
	for _, t := range r.traces {
		r.plan(t)
		for _, f := range t.files {
			f.index = int32(len(r.files))
			f.places = sync.OnceValue(func() []int64 { return r.indexed(f) })
			r.files = append(r.files, f)
		}
	}
	r.link()
	return r, nil
}

// find looks for traces in a folder and below it.
func (r *Recording) find(dir string, depth int) error {
	list, err := fs.ReadDir(r.dir, dir)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == "metadata" }) {
		return r.trace(dir, list)
	}
	for _, e := range list {
		if !e.IsDir() || depth == maxDepth {
			continue
		}
		if err := r.find(path.Join(dir, e.Name()), depth+1); err != nil && !errors.Is(err, ErrFormat) {
			r.damage.Note(path.Join(dir, e.Name()), 0, 0, err)
		}
	}
	return nil
}

// trace reads the metadata of a folder and lists its files.
func (r *Recording) trace(dir string, list []fs.DirEntry) error {
	name := path.Join(dir, "metadata")
	data, err := r.readMetadata(name)
	if err != nil || !IsMetadata(data) && !bytes.Contains(data, []byte("trace")) {
		return err
	}
	m := r.describe(name, data)
	if m == nil {
		return nil
	}
	t := &Trace{Path: dir, Trace: m, lateEnds: endsLate(m)}
	t.process = t.Variable("procname").Text
	for _, e := range list {
		if e.IsDir() || e.Name() == "metadata" || strings.HasPrefix(e.Name(), ".") ||
			len(r.files)+len(t.files) == maxFiles {
			continue
		}
		st, err := fs.Stat(r.dir, path.Join(dir, e.Name()))
		if err == nil && st.Mode().IsRegular() && st.Size() > 0 {
			t.files = append(t.files, &File{Path: path.Join(dir, e.Name()), Size: st.Size(), trace: t})
		}
	}
	r.traces = append(r.traces, t)
	return nil
}

func (r *Recording) readMetadata(name string) ([]byte, error) {
	data, err := r.readSmall(name, MaxMetadata)
	if err == nil {
		err = r.memory.Take(int64(len(data)) * 16) // the model of 1 byte has up to 16
	}
	return data, err
}

// endsLate reports whether events may be later than the end of their packet: those of LTTng before
// 2.11 may (docs/spec/ctf.md 6.4).
func endsLate(m *metadata.Trace) bool {
	lttng, major, minor := false, int64(0), int64(0)
	for _, v := range m.Environment {
		switch v.Name {
		case "tracer_name":
			lttng = strings.HasPrefix(v.Text, "lttng")
		case "tracer_major":
			major = v.Number
		case "tracer_minor":
			minor = v.Number
		}
	}
	return lttng && (major < 2 || major == 2 && minor < 11)
}

// readSmall reads a file of most bytes or less, which is no pipe.
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

// IsMetadata reports whether a file begins as metadata does: with the signature of TSDL, a packet
// or a fragment of JSON.
func IsMetadata(head []byte) bool {
	return bytes.HasPrefix(head, []byte("/* CTF 1.8")) || len(head) > 0 && head[0] == 0x1e ||
		len(head) > 3 && (bytes.HasPrefix(head, []byte{0x75, 0xd1, 0x1d, 0x57}) ||
			bytes.HasPrefix(head, []byte{0x57, 0x1d, 0xd1, 0x75}))
}

// plan makes the plans of the streams and events of a trace.
func (r *Recording) plan(t *Trace) {
	for _, s := range t.Trace.Streams {
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
			ev := &Event{Event: e, Stream: s, Index: int32(len(r.events)), trace: t, packetForm: st.packetForm,
				base: st.clock.base}
			ev.Form = formOf(ev.Scopes())
			ev.threads = threadsOf(ev)
			ev.specific, ev.payload = x.plan(e.Context, ev.Form), x.plan(e.Payload, ev.Form)
			st.events[e.ID] = ev
			r.events = append(r.events, ev)
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

// cpuOf is the field with the number of the processor.
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

// IsTrace reports whether a directory has metadata of a trace, or is a session: a folder whose
// folders all hold traces, but for empty ones and index. It looks into some thousand folders at
// most.
func IsTrace(dir fs.FS) bool {
	left := mostFolders
	return isTrace(dir, ".", 0, &left) == traces
}

// mostFolders is how many folders IsTrace looks into.
const mostFolders = 1 << 12

// content is the kind of things in a folder.
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
	for _, e := range list {
		if e.Name() == "metadata" && !e.IsDir() && hasSignature(dir, path.Join(name, "metadata")) {
			return traces
		}
	}
	what := others
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
	if st, err := fs.Stat(dir, name); err != nil || !st.Mode().IsRegular() { // to open a pipe could take for ever
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
