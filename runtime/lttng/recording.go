package lttng

import (
	"errors"
	"io/fs"
	"sync"
	"time"

	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/progress"
	"github.com/tracec/tracec/runtime/record"
)

// Formula selects the conversion from time stamps to nanoseconds (lttng.md 6).
type Formula uint8

// The formulas.
const (
	EraFormula   Formula = iota // formula of the reader for the trace's version: Old up to 2.4, New from 2.5 on
	OldFormula                  // float64, relative to the start of the trace
	NewFormula                  // float64, from 0
	ExactFormula                // integers
)

// Dialect is the layout of a trace.
type Dialect uint8

// The dialects. Auto selects the dialect by the version in the header.
const (
	Auto Dialect = iota
	V07
	V08
	V10
	V20
	V21
	V22
	V23
	V24
	V25
	V26
	Seed
)

// Option changes how a trace is read.
type Option func(*config)

type config struct {
	formula   Formula
	dialect   Dialect
	eventdefs string
	memory    int64
	wall      bool
	tasks     bool
	follow    *record.Follow
	path      string  // of the directory; empty if it is not in the file system of the operating system
	index     *string // place of the index, if it was set
}

// WithTime sets the formula of time.
func WithTime(f Formula) Option { return func(c *config) { c.formula = f } }

// WithDialect reads a trace as d, for any version in the header.
func WithDialect(d Dialect) Option { return func(c *config) { c.dialect = d } }

// WithEventDefs reads the XML descriptions of facilities (0.7, 0.8) from a directory instead of the
// trace's own eventdefs.
func WithEventDefs(dir string) Option { return func(c *config) { c.eventdefs = dir } }

// WithMemory limits the memory of the recording, in bytes. The default is record.DefaultMemory.
// Data that need more are damage with ErrLimit.
func WithMemory(bytes int64) Option { return func(c *config) { c.memory = bytes } }

// WithWallClock makes times nanoseconds since 1970: the wall clock at the start of each trace, to
// the microsecond, plus the count of the trace's own clock since then. It orders traces of several
// machines, or of several runs of one machine. By default times count from 0 of each clock, as in
// LTTV. That suits traces of one run of one machine.
func WithWallClock() Option { return func(c *config) { c.wall = true } }

// WithTasks makes merges and streams set the thread of each record, as [Recording.MergeTasks] does.
// This also applies to generated decoders.
func WithTasks() Option { return func(c *config) { c.tasks = true } }

// WithFollow reads traces that are still being recorded: see [record.Follow]. A sub-buffer is read
// when it is complete. New metadata of markers are read before the events that need them. Files
// that appear later in the directory of a trace are included. Traces that begin later are not
// included, which is damage. Only one walk at a time may read a followed recording.
func WithFollow(f record.Follow) Option { return func(c *config) { c.follow = &f } }

// Recording is an open recording: one trace, or the set of traces in a directory, such as traces of
// all programs that ran. Files, markers and events belong to all traces. Each has a method or field
// for its trace.
type Recording struct {
	config  config
	dir     fs.FS
	name    string
	roots   map[string]bool // directories of traces up to 2.2
	traces  []*Trace
	files   []*File
	markers []*Marker
	// switches are readers of the thread that runs after an event of the scheduler, by
	// Marker.Index. It is nil if there are no such events.
	switches []*Reader
	handles  handles
	damage   damage.Log
	memory   *memory.Budget
	read     progress.Counter
	index    index.Beside
	following

	measuring sync.Mutex // guards the counts of sub-buffers in Files
}

// Position returns the number of bytes that the streams of the recording have read, and the number
// of bytes in their files. Any goroutine may call it.
func (r *Recording) Position() (done, total int64) { return r.read.Position() }

// Info holds the contents of the headers.
type Info struct {
	Dialect        Dialect
	Major, Minor   uint8
	BigEndian      bool
	WordSize       int // bytes of a pointer: 4 or 8
	Alignment      int // of events and fields; 0 if packed
	FlightRecorder uint8
	Heartbeat      bool
	StartFreq      uint64 // Hz
	FreqScale      uint32
	StartTSC       uint64
	StartMonotonic uint64
	// StartSec and StartUsec are the wall clock at the start. They are for information only: times
	// do not use it.
	StartSec, StartUsec uint64
	Head                Head    // up to 2.0
	Formula             Formula // the formula in use
	CPUs                int     // the number of metadata (facilities) files
}

// Head is further contents of headers up to 2.0. Times and values do not depend on it.
type Head struct {
	Arch, Variant, FloatOrder uint32 // arch_type, arch_variant, float_word_order
	// TSCBits is the size of the time stamps of compact events. TSCLSB is the number of low bits
	// that are cut off. CompactShift is the place of their data in the word.
	TSCBits, TSCLSB, CompactShift uint8
}

// Live returns the rules by which the streams of a followed recording are merged. For other
// recordings it returns nil.
func (r *Recording) Live() *record.Live { return r.live }

// Name returns the path by which the recording was opened.
func (r *Recording) Name() string { return r.name }

// Machine implements record.Recording.
func (r *Recording) Machine() record.Machine {
	i := r.traces[0].Info()
	m := record.Machine{BigEndian: i.BigEndian, WordSize: i.WordSize, CPUs: i.CPUs, Clock: "tsc"}
	if zero, ok := r.traces[0].Zero(); ok {
		m.HasWall, m.Date = true, time.Unix(int64(i.StartSec), int64(i.StartUsec)*1000).UTC()
		if !r.traces[0].WallClock() {
			m.Wall = zero.UnixNano()
		}
	}
	return m
}

// Traces returns the traces of the recording, sorted by path.
func (r *Recording) Traces() []*Trace { return r.traces }

// Files returns the files of all traces, sorted by trace, channel and processor. Record.Stream is
// the position.
func (r *Recording) Files() []*File { return r.files }

// Markers returns all events that the traces describe, by trace, channel and id. Marker.Index is
// the position. Each trace of a set describes its own events: markers of one name may differ.
func (r *Recording) Markers() []*Marker { return r.markers }

// Damage lists the damage found so far, including damage found by streams.
func (r *Recording) Damage() []*Damage { return r.damage.List() }

// DamageStats counts all damage, including places that the list leaves out.
func (r *Recording) DamageStats() DamageStats { return r.damage.Stats() }

var _ record.Recording = (*Recording)(nil)

// Close closes all files, as described at [record.Recording].
func (r *Recording) Close() error { return errors.Join(r.handles.close(), r.closeFollowed()) }

// note lists an error of a file as damage.
func (r *Recording) note(file string, err error) {
	if d := (*Damage)(nil); errors.As(err, &d) {
		r.damage.Add(d, 0)
		return
	}
	r.damage.Note(file, 0, 0, err)
}

// File is one file: a channel on a processor.
type File struct {
	// Path is relative to the recording, with slashes: cpu_0, control/facilities_0, 4711/ust_1.
	Path string
	// Channel is the name in textDump: `kernel` from 2.3 on, `/control/facilities` before (lttng.md
	// 3.5).
	Channel string
	CPU     int
	Size    int64
	Blocks  int // number of sub-buffers; like the losses, known when the file has been read to its end
	// Heartbeat reports whether time stamps are short.
	Heartbeat bool
	// EventsLost and Corrupt are the running totals of the last sub-buffer that was closed (2.2 and
	// later). Unclosed is the number of sub-buffers that were never closed.
	EventsLost, Corrupt uint32
	Unclosed            int

	trace    *Trace
	index    int32  // position in Files
	head     header // header of its first sub-buffer
	measured int64  // offset of the next sub-buffer to count, or an earlier one
	// lostBefore is the EventsLost of the sub-buffer before the last one with events.
	lostBefore uint32
	reached    int64 // end of the last sub-buffer that was counted
	switches   bool  // the file can have events of the scheduler
}

// LostAtEnd returns the number of events lost after the last one of the file, or
// record.LostUnknown. No Record.Lost includes them. It is 0 until the file has been read to its
// end.
func (f *File) LostAtEnd() int64 {
	switch {
	case f.reached < f.Size:
		return 0
	case f.EventsLost < f.lostBefore:
		return record.LostUnknown
	}
	return int64(f.EventsLost - f.lostBefore)
}

// LostAtEnd returns the number of events lost after the last ones of files that have been read to
// their end, or record.LostUnknown. It also returns the number of these files.
func (r *Recording) LostAtEnd() (events int64, files int) {
	for _, f := range r.files {
		if n := f.LostAtEnd(); n != 0 {
			events, files = record.AddLost(events, n), files+1
		}
	}
	return events, files
}

// Index returns the position in Files.
func (f *File) Index() int { return int(f.index) }

// Trace returns the trace to which the file belongs.
func (f *File) Trace() *Trace { return f.trace }

// Marker is one kind of event.
type Marker struct {
	// Channel is empty if one id space serves the whole trace (1.0 to 2.2). In 0.x it is the
	// facility.
	Channel, Name string
	ID            uint16 // 0.x: facility id << 8 | event id
	// Format is the format of the marker as recorded. For a facility that XML describes, it is a
	// readable declaration.
	Format string
	// Sizes of the C types in the marker's program, and the alignment of its fields, which is 0 for
	// packed fields.
	Int, Long, Pointer, SizeT, Alignment int
	// Fields are the fields of a payload, in order. A marker whose fields are unknown has Err and
	// no fields.
	Fields []Field
	Index  int32

	trace *Trace

	payload payloadForm
	state   description
}

// Err returns the reason why the fields of the marker are unknown. Its format or its XML
// description is invalid, or names a type that is impossible in payloads. If the fields are known,
// it returns nil.
func (m *Marker) Err() error { return m.state.broken }

// Trace returns the trace that describes the marker.
func (m *Marker) Trace() *Trace { return m.trace }

// NoMarker is Record.ID of an event without a marker.
const NoMarker = ^uint32(0)

// Entry is the part of an event beyond its record.Record. In the Record, ID is Marker.Index or
// NoMarker, and CPU is the processor of its file. Stream is the position in Files. Task is -1, or
// the thread found by MergeTasks. Data is the payload, from its first field on.
type Entry struct {
	Marker *Marker // nil if unknown; the header then has the size of Data
	TSC    uint64  // as far as it is known
	Offset int64   // of the event in its file, in bytes
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
