package ctf

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/runtime/ctf/metadata"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/progress"
	"github.com/tracec/tracec/runtime/record"
)

// The kinds of damage. Every Damage of this package matches one of them by errors.Is, or an error
// of the system.
var (
	ErrFormat    = errors.New("not a trace of the Common Trace Format")
	ErrMetadata  = errors.New("metadata that cannot be used")
	ErrTruncated = errors.New("the file ends too early")
	ErrCorrupt   = errors.New("corrupt")
	ErrLimit     = memory.ErrLimit // needs more memory than allowed
)

// Damage is one place of a trace that could not be read. File is relative to the recording.
type Damage = record.Damage

// Recording is an open recording: one trace or several, such as the traces of the kernel and of
// programs in a session of LTTng.
type Recording struct {
	config config
	dir    fs.FS
	name   string
	traces []*Trace
	files  []*File
	events []*Event
	damage damage.Log
	// warnings are about the metadata of all traces.
	warnings diag.List
	losses   losses
	memory   *memory.Budget
	read     progress.Counter
	chains   []*chain
	index    index.Beside
	following
}

// Option changes how a recording is read.
type Option func(*config)

type config struct {
	memory int64
	path   string
	index  *string // name of the index file; if nil, it is beside the directory
	follow *record.Follow
}

// WithMemory limits the memory of the recording, in bytes. The default is record.DefaultMemory.
// Data that need more are damage with ErrLimit.
func WithMemory(bytes int64) Option { return func(c *config) { c.memory = bytes } }

// WithPath sets the name of the directory that OpenFS opens. Its index may be beside that
// directory. Open sets it itself.
func WithPath(path string) Option { return func(c *config) { c.path = path } }

// WithFollow reads traces that are still being recorded: see [record.Follow]. A packet is read when
// it is complete, so packets without a recorded size are read at the end. Metadata may grow. Files
// and traces that appear later are also read. A file that replaces another one of its name, as in a
// rotation of files or sessions, continues its stream. Packets that two snapshots have in common
// are read twice.
func WithFollow(f record.Follow) Option { return func(c *config) { c.follow = &f } }

// Trace is a folder with metadata.
type Trace struct {
	// Path is relative to the recording, with slashes.
	Path string
	root string // if there are several directories, the one that contains the trace; otherwise empty
	*metadata.Trace
	streams []*stream
	files   []*File
	process string // name of the process, for a trace of one process
	// lateEnds reports that packets may have events after the time of their end. lateBegins reports
	// that they may have events before the time of their begin.
	lateEnds, lateBegins bool
	read                 reading // for a followed trace
}

// stream is a class of streams, with the plans of its parts.
type stream struct {
	*metadata.Stream
	trace  *Trace
	header *node // of the headers of events
	quick  *quickHeader
	events map[uint64]*Event
	small  []*Event // the events with small numbers, by number
	// The plans of the trace's packet header, of the packet context, and of the context of events.
	packetHeader, packetContext, context *node
	packetForm                           *Form // nil if packets have no fields of their own
	slots                                int
	cpu                                  int // the slot of cpu_id, or -1
	clock                                clock
}

// Event is a kind of event.
type Event struct {
	*metadata.Event
	Stream *metadata.Stream
	Index  int32  // position in Events
	fixed  int32  // bytes of an event that always has the same number of them; otherwise -1
	steps  []step // through all scopes; nil if the event is unpacked
	Form   *Form
	trace  *Trace
	// packetForm is the packet form of the event's stream.
	packetForm *Form
	base       int64
	// specific and payload are the plans of the event's own scopes.
	specific, payload *node
	threads           threads
}

// Trace returns the trace that describes the event.
func (e *Event) Trace() *Trace { return e.trace }

// Scopes returns the classes of Data, in their order. Each may be nil.
func (e *Event) Scopes() [3]*metadata.Class {
	return [3]*metadata.Class{e.Stream.EventContext, e.Context, e.Payload}
}

// File is a file of a trace.
type File struct {
	Path  string // relative to the recording, with slashes
	Size  int64
	trace *Trace
	index int32
	// places returns the offsets of packets from the index of LTTng.
	places func() []int64
}

// Trace returns the trace that the file is part of.
func (f *File) Trace() *Trace { return f.trace }

// Entry is the part of an event beyond its record.Record.
type Entry struct {
	Event  *Event
	Cycles uint64 // of the stream's clock
	Offset int64  // of the event in its file, in bytes, rounded down
	// Packet has the fields of the packet's context in the form of [Event.PacketForm]. It is nil if
	// packets have no fields of their own.
	Packet []byte
}

// PacketForm returns the form of Entry.Packet. It is nil if packets have no fields of their own.
func (e *Event) PacketForm() *Form { return e.packetForm }

// Name returns the path by which the recording was opened.
func (r *Recording) Name() string { return r.name }

// Traces returns the traces of the recording, sorted by path.
func (r *Recording) Traces() []*Trace { return r.traces }

// Files returns the files of all traces, sorted by trace and path.
func (r *Recording) Files() []*File { return r.files }

// Events returns all events that the traces describe. Event.Index is the position.
func (r *Recording) Events() []*Event { return r.events }

// Damage lists the damage found so far, including damage found by streams.
func (r *Recording) Damage() []*record.Damage { return r.damage.List() }

// DamageStats counts all damage, including places that the list leaves out.
func (r *Recording) DamageStats() record.DamageStats { return r.damage.Stats() }

// Position returns the number of bytes that the streams of the recording have read, and the number
// of bytes in their files. Any goroutine may call it.
func (r *Recording) Position() (done, total int64) { return r.read.Position() }

// Close implements record.Recording.
func (r *Recording) Close() error { return nil }

var _ record.Recording = (*Recording)(nil)

// LostAtEnd returns the number of events lost after the last events of streams that have been read
// to their end, or record.LostUnknown. It also returns the number of these streams.
func (r *Recording) LostAtEnd() (events int64, streams int) {
	for _, c := range r.chains {
		if n := c.lostAtEnd.Load(); n != 0 {
			events = record.AddLost(events, n)
			streams++
		}
	}
	return events, streams
}

// Machine implements record.Recording.
func (r *Recording) Machine() record.Machine {
	t := r.traces[0]
	m := record.Machine{
		BigEndian: t.BigEndian, WordSize: 8, Host: t.Variable("hostname").Text, System: t.Variable("sysname").Text,
		Release: t.Variable("kernel_release").Text,
	}
	if t.Variable("architecture_bit_width").Number == 32 {
		m.WordSize = 4
	}
	for _, s := range t.streams {
		if c := s.Clock; c != nil {
			m.Clock, m.HasWall, m.Wall = c.Name.Name, c.Unix || t.Version == 1, s.clock.base
		}
	}
	return m
}

// Title returns the provider and the name of an event. Metadata write them as provider:name.
func (e *Event) Title() (provider, name string) {
	if provider, name, ok := strings.Cut(e.Name.Name, ":"); ok {
		return provider, name
	}
	return "", e.Name.Name
}

// HoldOnce takes bytes from the memory budget of the recording, for data that several of its
// readers create, such as a compiled filter. Only the first reader takes them. They are freed when
// the recording is closed. The error is an ErrLimit.
func (r *Recording) HoldOnce(what string, bytes int64) error { return r.memory.TakeOnce(what, bytes) }

// HoldFor is HoldOnce for the text of an event. A refusal is also damage, so that readers of the
// events learn why they have no text.
func (r *Recording) HoldFor(what string, bytes int64) error {
	return r.damage.Refused("", what, r.HoldOnce(what, bytes))
}

// Base returns the time of Record.Time 0 for an event, in nanoseconds from the origin of its clock.
func (e *Event) Base() int64 { return e.base }
