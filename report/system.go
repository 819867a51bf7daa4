package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/record"
)

// System is one kind of recording: of ftrace, AIX, uftrace or LTTng.
type System struct {
	Name  string // "lttng"
	Title string // the same for people: "LTTng"
	// Detect recognizes a recording by the first bytes of a file, or by the contents of a
	// directory.
	Detect func(*Probe) bool
	Guess  bool // Detect goes by likelihood
	// Sure recognizes a recording by its magic number, while Detect may also go by likelihood. It
	// may be nil.
	Sure func(*Probe) bool
	// Extent returns the end of a recording that is a file, by its own sizes, if the end is within
	// size bytes. It is nil if no recording of the system records its sizes.
	Extent func(r io.ReaderAt, size int64) (end int64, ok bool)
	// NoCPUs is set if events do not record their CPU. See Options.Check.
	NoCPUs bool
	// Follows is set if recordings can be read while they are written. See Job.Follow.
	Follows bool
	// Open opens the recording of a job. The job closes its unpacked copy.
	Open func(context.Context, *Job) (record.Recording, error)
	// Choose also opens it, and returns how options select its events.
	Choose func(context.Context, *Job, *Options) (*Choice, error)
	// Report prints a recording that Detect recognised. An error that is ErrDamaged means that
	// everything intact was printed.
	Report func(context.Context, *Job, *Options) error
	// List passes the described events to ListOptions.Each. ErrDamaged means that all intact events
	// were passed.
	List func(context.Context, *Job, *ListOptions) error
	// Info reads the whole recording. With an error it returns the results up to there.
	Info func(context.Context, *Job) (*facts.Info, error)
	// Describe compiles the selected event types of an open recording, or of a container that Open
	// opened. It is nil for systems whose recordings do not describe their events.
	Describe func(rec record.Recording, events pattern.List) *Description
	// Span returns the times of the first and the last event of an opened recording. It reads
	// little of it if possible.
	Span func(context.Context, record.Recording) (*Span, error)
	// FromFirst is set if times count from the first event of the recording.
	FromFirst bool
	// Stat counts events. With ErrDamaged it returns the counts of the intact part.
	Stat func(context.Context, *Job, *Options) (*Stat, error)
	// Catalog returns the catalog for Report and Stat. ForList returns the catalog for List.
	Catalog func(context.Context, *Job) (*Catalog, error)
	ForList func(context.Context, *Job) (*Catalog, error)
	// Pages opens raw data of one CPU, which Opening.Formats describes. It is nil for systems
	// without such data.
	Pages func(context.Context, *Job) (record.Recording, error)
}

// A Probe holds the data for recognizing a recording.
type Probe = input.Probe

// Job is a recording to work on and where to print.
type Job struct {
	Path  string
	Stdin io.Reader // the source of Path "-"
	FS    fs.FS     // the file system of Path; nil is the file system of the machine
	// Recording, if non-nil, is used instead of opening Path. Path is then only its name. The
	// recording is of the first of Systems.
	Recording record.Recording
	// Systems are the systems that inputs may belong to.
	Systems []System
	Out     io.Writer
	Warn    func(error) // damage and other trouble that does not stop the work
	// Opening holds the options of opening the recording.
	Opening OpenOptions
	// Follow, if non-nil, reads the recording as it is written, until the writer ends. If nil, the
	// job reads the existing data.
	Follow *record.Follow
	// Memory is the memory limit of the recording in bytes, which all inputs of a job share. 0 is
	// the default of the library.
	Memory int64
	// Workers is the maximum number of goroutines that work at the same time. 0 is the number of
	// processors. The output does not depend on it.
	Workers int
	// Style has the colours of Out. Names of events have one; all else of a report is as it is
	// without.
	Style style.Style
	// AllDamage has all damaged places named that are known, not the first ones alone.
	AllDamage bool
	// NoIndex ignores the index of the recording.
	NoIndex bool
	// Incomplete is set if a file for reading the recording, such as a template, is partly
	// unusable. Finish then returns ErrDamaged.
	Incomplete bool
	progress   progress
	inputs     []*input.Input
}

// Parallel returns the maximum number of goroutines that work at the same time. It is at least 1.
func (j *Job) Parallel() int {
	o := record.Options{Workers: j.Workers}
	return o.Parallel()
}

// ListOptions are the options of tracec list.
type ListOptions struct {
	Events []string // globs, as in Options
	Fields bool     // also the fields of every event
	// Each receives the events, until it returns an error. ErrEnough stops the list without an
	// error.
	Each func(*facts.Event) error
}

// ErrEnough stops an operation without an error.
var ErrEnough = errors.New("enough")

// All passes events on.
func (o *ListOptions) All(events []*facts.Event) error {
	for _, e := range events {
		if err := o.Each(e); err != nil {
			return err
		}
	}
	return nil
}

// UsageError is an option that makes no sense, for this kind of recording or at all.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

func (e *UsageError) Unwrap() error { return e.Err }

// Usagef returns a UsageError in words.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// ErrDamaged reports that parts of a recording were unreadable and skipped, or that a stream ended
// early. Job.Warn has received the details.
var ErrDamaged = errors.New("the recording is damaged")

// Find opens the input of a job and returns its system. For an input of an unknown kind, the error
// is an input.ErrUnknown.
func (j *Job) Find(ctx context.Context) (*System, error) {
	in, sys, err := j.find(ctx)
	switch {
	case err != nil:
		return nil, err
	case sys == nil:
		return nil, in.Unknown()
	}
	return sys, j.checkOpening(sys)
}

// Input opens the input of a job. The system is nil for an unknown kind. The input is nil if the
// recording is already open.
func (j *Job) Input(ctx context.Context) (*input.Input, *System, error) {
	in, sys, err := j.find(ctx)
	if err != nil {
		return nil, nil, err
	}
	return in, sys, j.checkOpening(sys)
}

func (j *Job) find(ctx context.Context) (*input.Input, *System, error) {
	if err := j.openPages(ctx); err != nil {
		return nil, nil, err
	}
	if j.Recording != nil {
		return nil, &j.Systems[0], nil
	}
	said := ""
	if given := j.Opening.given(); len(given) > 0 { // of several systems checkOpening makes an error
		said = given[0].system
	}
	in, err := j.open(ctx, j.Path, j.Systems, said)
	if err != nil || in.Kind < 0 {
		return in, nil, err
	}
	return in, &j.Systems[in.Kind], nil
}

// Open returns the input of path for a system. It opens the input unless Find did. It is an error
// if the input belongs to another system or is a known other kind of file. Finish closes the input.
func (j *Job) Open(ctx context.Context, path string, own System) (*input.Input, error) {
	systems := j.Systems
	if len(systems) == 0 {
		systems = []System{own}
	}
	in, err := j.open(ctx, path, systems, own.Name)
	switch {
	case err != nil:
		return nil, err
	case j.Follow != nil && in.Kind >= 0 && (!systems[in.Kind].Follows || own.Name == "ftrace" && in.File != nil):
		return nil, fmt.Errorf("%s: %w: a recording of this kind is written at once", in.Name, input.ErrFollow)
	case in.Kind >= 0 && systems[in.Kind].Name == own.Name:
		return in, nil
	case in.Kind >= 0 && !systems[in.Kind].Guess:
		return nil, fmt.Errorf("%s: a recording of %s, not of %s; tracec report reads it", in.Name, systems[in.Kind].Title, own.Title)
	case in.Named():
		return nil, in.Unknown()
	case in.IsText():
		return nil, fmt.Errorf("%s: not a recording of %s: %s", in.Name, own.Title, in.What())
	}
	return in, nil // the system reports the error
}

// open opens an input. said is the system that the user has named, or empty.
func (j *Job) open(ctx context.Context, path string, systems []System, said string) (*input.Input, error) {
	for _, in := range j.inputs {
		if in.Path == path {
			return in, nil
		}
	}
	kinds := make([]input.Kind, len(systems))
	for i, s := range systems {
		kinds[i] = input.Kind{Detect: s.Detect, Guess: s.Guess, Said: s.Name == said, Sure: s.Sure, Extent: s.Extent}
	}
	in, err := j.openInput(ctx, path, kinds)
	if err == nil {
		j.inputs = append(j.inputs, in)
	}
	return in, err
}

func (j *Job) openInput(ctx context.Context, path string, kinds []input.Kind) (*input.Input, error) {
	f := j.Follow
	switch {
	case f == nil && j.FS != nil:
		return input.OpenFS(ctx, j.FS, path, j.Memory, kinds, j.progress.opening)
	case f == nil:
		return input.Open(ctx, path, j.Stdin, j.Memory, kinds, j.progress.opening)
	}
	until := f.Until
	if until == nil {
		until = ctx
	}
	return input.Follow(ctx, path, kinds, until, j.Warn)
}

// Finish closes the inputs, which must no longer be in use, and reports unreadable parts of
// archives. It returns err, or an error that reports the damage.
func (j *Job) Finish(err error) error {
	damaged := j.Incomplete
	for _, in := range j.inputs {
		for _, d := range in.Damage() {
			damaged = true
			j.Warn(d)
		}
		if e := in.Close(); err == nil {
			err = e
		}
	}
	j.inputs = nil
	if err == nil && damaged {
		err = ErrDamaged
	}
	return err
}
