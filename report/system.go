package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/tracec/tracec/compiler/pattern"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/input"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/record"
)

// System is one kind of recording: of ftrace, AIX, uftrace or LTTng.
type System struct {
	Name  string // "lttng"
	Title string // the same for people: "LTTng"
	// Detect recognises a recording: by the first bytes of a file, or by what a directory holds.
	Detect func(*Probe) bool
	Guess  bool // Detect goes by likelihood
	// Sure recognises one by its magic number, where Detect goes by likelihood, too. It may be nil.
	Sure func(*Probe) bool
	// Extent returns where a recording that is a file ends by its own sizes, if that is within size
	// bytes; nil when none says so.
	Extent func(r io.ReaderAt, size int64) (end int64, ok bool)
	// NoCPUs says that events do not tell their CPU. See Options.Check.
	NoCPUs bool
	// Follows says that recordings can be read while they are written: see Job.Follow.
	Follows bool
	// Open opens the recording that a job is about. The job closes what it was unpacked to.
	Open func(context.Context, *Job) (record.Recording, error)
	// Choose opens it, too, and says how options choose its events.
	Choose func(context.Context, *Job, *Options) (*Choice, error)
	// Report prints a recording that Detect recognised. An error that is ErrDamaged means that
	// everything intact was printed.
	Report func(context.Context, *Job, *Options) error
	// List passes the events that it describes to ListOptions.Each. ErrDamaged means that there are
	// no others.
	List func(context.Context, *Job, *ListOptions) error
	// Info reads all of it. With an error there is what was found before.
	Info func(context.Context, *Job) (*facts.Info, error)
	// Describe compiles what an open recording, or what Open has of a container, says of those of
	// its events that are chosen. It is nil for systems whose recordings do not describe their
	// events.
	Describe func(rec record.Recording, events pattern.List) *Description
	// Span returns the times of the first and the last event of what Open has opened. It reads
	// little of it where that can be.
	Span func(context.Context, record.Recording) (*Span, error)
	// FromFirst says that times count from the first event of the recording.
	FromFirst bool
	// Stat counts events. With ErrDamaged there are counts of what is intact.
	Stat func(context.Context, *Job, *Options) (*Stat, error)
	// Catalog is what Report and Stat choose from. ForList is what List chooses from.
	Catalog func(context.Context, *Job) (*Catalog, error)
	ForList func(context.Context, *Job) (*Catalog, error)
	// Pages opens raw data of one CPU, which Opening.Formats describes. It is nil for systems that
	// have none.
	Pages func(context.Context, *Job) (record.Recording, error)
}

// Probe is what the kind of a recording is recognized by.
type Probe = input.Probe

// Job is a recording to work on and where to print.
type Job struct {
	Path  string
	Stdin io.Reader // what Path "-" stands for
	FS    fs.FS     // what Path is in; nil is the file system of the machine
	// Recording, if not nil, is open already, and is what the job is about in place of what Path
	// leads to, which names it. It is of the first of Systems.
	Recording record.Recording
	// Systems are those that inputs may be of.
	Systems []System
	Out     io.Writer
	Warn    func(error) // damage and other trouble that does not stop the work
	// Opening says with what the recording is read.
	Opening OpenOptions
	// Follow has the recording read as it is written, until that ends; nil reads what there is.
	Follow *record.Follow
	// Memory is how much the recording may take, in bytes; all inputs of a job share it. 0 is the
	// default of the library.
	Memory int64
	// Workers is how many goroutines may work at the same time; 0 is as many as there are
	// processors. What is printed does not depend on it.
	Workers int
	// Style has the colours of Out. Names of events have one; all else of a report is as it is
	// without.
	Style style.Style
	// AllDamage has all damaged places named that are known, not the first ones alone.
	AllDamage bool
	// NoIndex reads all of a recording, whatever its index says.
	NoIndex bool
	// Incomplete says that not all of what the recording is read with can be used, such as a
	// template: Finish returns ErrDamaged.
	Incomplete bool
	progress   progress
	inputs     []*input.Input
}

// Parallel returns how many goroutines may work at the same time, 1 at least.
func (j *Job) Parallel() int {
	o := record.Options{Workers: j.Workers}
	return o.Parallel()
}

// ListOptions are the options of tracec list.
type ListOptions struct {
	Events []string // globs, as in Options
	Fields bool     // also the fields of every event
	// Each receives the events, until it returns an error: ErrEnough is that it wants no more.
	Each func(*facts.Event) error
}

// ErrEnough ends what is asked for no more, which is no failure.
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

// ErrDamaged reports that parts of a recording could not be read and were left out, or that a
// stream ended early. Faults have been reported through Job.Warn.
var ErrDamaged = errors.New("the recording is damaged")

// Find opens the input of a job and reports which of its systems it belongs to. An input of none is
// an error that is input.ErrUnknown.
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

// Input opens what a job is about. Its system is nil when it is of none, and the input is nil when
// the recording is open already.
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
	in, err := j.open(ctx, j.Path, j.Systems, "")
	if err != nil || in.Kind < 0 {
		return in, nil, err
	}
	return in, &j.Systems[in.Kind], nil
}

// Open returns the input of that path, which it opens unless Find did, for a system. That is an
// error if another system knows it, or if it is known to be something else. Finish closes it.
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
	return in, nil // the system says what is wrong with it
}

// open opens an input. said is the system that the user has named, empty for none.
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

// Finish closes the inputs, which must not be in use any more, and says what archives could not
// give. It returns the error of the work: err, or that the recording is damaged.
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
