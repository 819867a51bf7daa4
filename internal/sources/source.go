// Package sources knows the recording systems. It recognizes, opens and describes recordings of
// each system, and selects their events by options. Package tracec reads through it, and package
// report prints.
package sources

import (
	"context"
	"io"

	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/record"
)

// A Source opens the recordings of one system: of ftrace, AIX, uftrace, LTTng, CTF or perf.
type Source struct {
	Name  string // "lttng"
	Title string // the name for people: "LTTng"
	// Detect recognizes a recording by the first bytes of a file, or by the contents of a
	// directory.
	Detect func(*input.Probe) bool
	Guess  bool // Detect may be wrong
	// Sure recognizes a recording by its magic number. Detect may also go by likelihood. Sure may
	// be nil.
	Sure func(*input.Probe) bool
	// Extent returns the end of a recording that is a file, by its own sizes, if the end is within
	// size bytes. It is nil if no recording of the system records its sizes.
	Extent func(r io.ReaderAt, size int64) (end int64, ok bool)
	// NoCPUs is set if events do not record their CPU. See Check.
	NoCPUs bool
	// NoIndex is the reason why recordings cannot have an index, for messages. It may be empty.
	NoIndex string
	// Follows is set if recordings can be read while they are written. See Job.Follow.
	Follows bool
	// Holds reports whether an open recording belongs to the system.
	Holds func(record.Recording) bool
	// Open opens the recording of a job. The job closes its unpacked copy.
	Open func(context.Context, *Job) (record.Recording, error)
	// Choose also opens it, and returns the choice of its events.
	Choose func(context.Context, *Job, *selection.Options) (*Choice, error)
	// Span returns the times of the first and the last event of an opened recording. It reads
	// little of it if possible.
	Span func(context.Context, record.Recording) (*selection.Span, error)
	// Times returns how reports print the times of an opened recording.
	Times func(record.Recording) selection.Times
	// FromFirst is set if times count from the first event of the recording.
	FromFirst bool
	// Describe compiles the selected event types of an open recording, or of a container that Open
	// opened. It is nil for systems whose recordings do not describe their events.
	Describe func(rec record.Recording, events pattern.List) *Description
	// Pages opens raw data of one CPU, which Options.Formats describes. It is nil for systems
	// without such data.
	Pages func(context.Context, *Job) (record.Recording, error)
}

// All returns all sources, AIX last, since streams of 32-bit AIX have no magic number.
func All() []*Source { return []*Source{FTrace(), Uftrace(), LTTng(), CTF(), Perf(), AIX()} }

// Of returns the source of a container's open recording, or nil.
func Of(rec record.Recording) *Source {
	for _, s := range All() {
		if s.Holds(rec) {
			return s
		}
	}
	return nil
}

// DescribesItself reports whether only recordings describe the event types of the system:
// s.Describe compiles them. Event types of ftrace are also in format files, which package tracecmd
// reads with the recordings. s is nil for other inputs.
func (s *Source) DescribesItself() bool { return s != nil && s.Describe != nil && s.Name != "ftrace" }

// isA is Source.Holds for the type of a container's recordings.
func isA[R record.Recording](rec record.Recording) bool {
	_, ok := rec.(R)
	return ok
}

// opened converts the results of a container's Open to a record.Recording.
func opened[R record.Recording](rec R, err error) (record.Recording, error) {
	if err != nil {
		return nil, err // not a nil R in an interface
	}
	return rec, nil
}

// nanoseconds is Source.Times for times that are printed as recorded.
func nanoseconds(record.Recording) selection.Times { return selection.Times{} }
