package perf

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/progress"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/symbols/demangle"
)

// The kinds of damage. Every Damage of this package matches one of them by errors.Is, or an error
// of the system.
var (
	ErrFormat      = errors.New("not a perf.data")
	ErrUnsupported = errors.New("not supported")
	ErrTruncated   = errors.New("the file ends too early")
	ErrCorrupt     = errors.New("corrupt")
	ErrLimit       = memory.ErrLimit // needs more memory than allowed
)

// Damage is one place of a recording that could not be read. File is relative to a directory.
type Damage = record.Damage

// Recording is an open recording.
type Recording struct {
	config  config
	name    string
	dir     bool
	order   order
	pipe    pipe
	files   []*File
	attrs   []*Event // one event for each attribute
	events  []*Event // attrs, types of records by number, and one event for all other types
	byID    idTable
	info    Info
	tracing *ftrace.Recording
	clocks  clocks
	damage  damage.Log
	memory  *memory.Budget
	read    progress.Counter
	modules modules
	index   index.Beside
	closers []io.Closer
}

// Option changes how a recording is read.
type Option func(*config)

type config struct {
	memory          int64
	index           *string // name of its index, if set
	path            string
	kallsyms, symfs string
	demangle        demangle.Form
}

// WithMemory limits the memory of the recording, in bytes. The default is record.DefaultMemory.
// Data that need more are damage with ErrLimit.
func WithMemory(bytes int64) Option { return func(c *config) { c.memory = bytes } }

// WithKallsyms names a file with the symbols of the recorded kernel, in the form of its
// /proc/kallsyms. By default, the symbols of the running kernel are used if its build id is the
// recorded one.
func WithKallsyms(file string) Option { return func(c *config) { c.kallsyms = file } }

// WithSymfs names a directory with files of the recorded machine, in which programs and libraries
// have the recorded paths. By default, the files of this machine are used if their build id is the
// recorded one.
func WithSymfs(dir string) Option { return func(c *config) { c.symfs = dir } }

// WithDemangle sets the form of names of C++ and Rust functions. The default is
// demangle.FormSimple.
func WithDemangle(form demangle.Form) Option { return func(c *config) { c.demangle = form } }

const (
	mostKinds = 128
	// attrBase and kindBase are added to the position of an attribute and to the type of a record.
	// The sums are Record.ID for events that are not tracepoints.
	attrBase = 1 << 16
	kindBase = 1 << 17
)

// Event is a kind of record: an attribute, or a type.
type Event struct {
	// Kind is SampleKind for an attribute.
	Kind Kind
	// Name is perf's name of the event, such as cycles:P or sched:sched_switch.
	Name string
	// ID is Record.ID. For a tracepoint, it is the id of the format.
	ID uint32
	// Attr is nil for a type of record.
	Attr *Attr
	IDs  []uint64
	// Index is its number in the recording, from 0: see [Recording.At].
	Index int
	order order // of its records
	plan  plan
}

// IsTracepoint reports whether a format file describes Record.Data.
func (e *Event) IsTracepoint() bool {
	return e.Attr != nil && e.Attr.Type == Tracepoint && e.Attr.SampleType&HasRaw != 0
}

// Title splits the name of a tracepoint. A colon in the name of another event begins modifiers, as
// in cycles:u.
func (e *Event) Title() (system, name string) {
	if system, name, ok := strings.Cut(e.Name, ":"); ok && e.IsTracepoint() {
		return system, name
	}
	return "", e.Name
}

// HasTime reports whether records of the event have a time.
func (e *Event) HasTime() bool {
	if e.Attr != nil {
		return e.plan.time >= 0
	}
	return e.plan.trailerTime > 0
}

// File is a file with records.
type File struct {
	Path     string // relative to a directory; otherwise the name of the recording
	Size     int64  // for a file that grows, valid once a stream has read it to its end
	from, to int64  // place of the records
	src      io.ReaderAt
	grow     growth // of a file that is still being written; otherwise nil
	index    int32
}

// Entry is the part of a record beyond its record.Record.
type Entry struct {
	// Event is the attribute of a sample, or the type of another record.
	Event *Event
	// Body is the record without its header.
	Body []byte
	// Offset is the place of the record in its file, in bytes, or of the compressed record that
	// holds it.
	Offset  int64
	Misc    uint16
	process int32 // process of the record's thread; -1 if it was not recorded
	// Maps are the mappings at the time of a sample. Names.Follow sets them.
	Maps Maps
}

// Name returns the path by which the recording was opened.
func (r *Recording) Name() string { return r.name }

// Info returns the contents of the feature sections. It belongs to the recording.
func (r *Recording) Info() *Info { return &r.info }

// Events returns the attributes, then the types of records that have a name, and the event for all
// other types.
func (r *Recording) Events() []*Event {
	return slices.DeleteFunc(slices.Clone(r.events), func(e *Event) bool {
		return e.Attr == nil && e.Kind != mostKinds && e.Kind.String() == ""
	})
}

// At returns the event with an [Event.Index].
func (r *Recording) At(index int) *Event { return r.events[index] }

// Attrs returns the events that the recorder requested, in their order.
func (r *Recording) Attrs() []*Event { return r.attrs }

// EventOf returns the attribute with an id, or nil if there is none.
func (r *Recording) EventOf(id uint64) *Event { return r.byID.find(id) }

// Pipe reports whether the recorder wrote to a pipe.
func (r *Recording) Pipe() bool { return r.pipe.is }

// Tracing returns the descriptions of tracepoints, or nil if there are none.
func (r *Recording) Tracing() *ftrace.Recording { return r.tracing }

// Files returns the files with records. Record.Stream is the position.
func (r *Recording) Files() []*File { return r.files }

// Damage lists the damage found so far, including damage found by streams.
func (r *Recording) Damage() []*record.Damage { return r.damage.List() }

// DamageStats counts all damage, including places that the list leaves out.
func (r *Recording) DamageStats() record.DamageStats { return r.damage.Stats() }

// Position returns the number of bytes that the streams of the recording have read, and the number
// of bytes in their files. Any goroutine may call it.
func (r *Recording) Position() (done, total int64) { return r.read.Position() }

// Close closes the files, as described at [record.Recording].
func (r *Recording) Close() error {
	var errs []error
	for _, c := range r.closers {
		errs = append(errs, c.Close())
	}
	r.closers = nil
	return errors.Join(errs...)
}

var _ record.Recording = (*Recording)(nil)

// Machine implements record.Recording.
func (r *Recording) Machine() record.Machine {
	m := record.Machine{
		BigEndian: r.order.big, WordSize: 8, CPUs: r.info.CPUs, System: "Linux", Host: r.info.Host,
		Release: r.info.Release, Arch: r.info.Arch,
		Clock: r.clocks.name(), HasWall: r.clocks.hasWall, Wall: r.clocks.wall,
	}
	if r.tracing != nil {
		m.WordSize = r.tracing.Info().WordSize
	}
	if m.HasWall && m.Wall != 0 {
		m.Date = time.Unix(0, m.Wall).UTC()
	}
	return m
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

// kind returns the event of a type of record.
func (r *Recording) kind(k Kind) *Event { return r.events[len(r.attrs)+int(min(k, mostKinds))] }

// addKinds makes the events for the types of records. They have the trailers of the first
// attribute, because all attributes of a file have the same trailers.
func (r *Recording) addKinds() {
	var p plan
	if len(r.attrs) > 0 {
		p = r.attrs[0].plan
	}
	r.events = slices.Clone(r.attrs)
	for k := range Kind(mostKinds + 1) {
		name := k.String()
		switch {
		case k == mostKinds:
			name = "UNKNOWN"
		case name == "":
			name = strconv.Itoa(int(k))
		}
		e := &Event{
			Kind: k, Name: "PERF_RECORD_" + name, ID: kindBase + uint32(k), Index: len(r.events), order: r.order,
		}
		e.planSide(p)
		r.events = append(r.events, e)
	}
}
