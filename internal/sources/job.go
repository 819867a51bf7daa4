package sources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/runtime/record"
)

// Job is a recording to open.
type Job struct {
	Path string
	// More are other directories that are read together with Path, as one recording. Only CTF
	// supports them.
	More  []string
	Stdin io.Reader // the source of Path "-"
	FS    fs.FS     // the file system of Path; if nil, that of the machine
	// Recording, if non-nil, is used instead of opening Path. Path is then only its name.
	Recording record.Recording
	// Rereads is set if Recording can be read several times, also to find its first and last event.
	Rereads bool
	// Sources are the sources that inputs may belong to; nil is All.
	Sources []*Source
	Warn    func(error) // receives damage and other problems that do not stop the work
	// Opening holds the opening options of the recording.
	Opening Options
	// Follow, if non-nil, reads the recording as it is written, until the writer ends. If nil, the
	// job reads the existing data.
	Follow *record.Follow
	// Memory is the memory limit of the recording in bytes, which all inputs of a job share. 0
	// means the default of the library.
	Memory int64
	// Workers is the maximum number of goroutines that work at the same time. 0 means the number of
	// processors. The output does not depend on it.
	Workers int
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

// ErrDamaged reports that parts of a recording were unreadable and skipped, or that a stream ended
// early. Job.Warn has received the details.
var ErrDamaged = errors.New("the recording is damaged")

// sources returns the sources that inputs may belong to.
func (j *Job) sources() []*Source {
	if j.Sources == nil {
		return All()
	}
	return j.Sources
}

// Find opens the input of a job and returns its source. For an input of an unknown kind, the error
// is an input.ErrUnknown.
func (j *Job) Find(ctx context.Context) (*Source, error) {
	in, src, err := j.find(ctx)
	switch {
	case err != nil:
		return nil, err
	case src == nil:
		return nil, in.Unknown()
	}
	return src, j.checkOpening(src)
}

// Input opens the input of a job. The source is nil for an unknown kind. The input is nil if the
// recording is already open.
func (j *Job) Input(ctx context.Context) (*input.Input, *Source, error) {
	in, src, err := j.find(ctx)
	if err != nil {
		return nil, nil, err
	}
	return in, src, j.checkOpening(src)
}

func (j *Job) find(ctx context.Context) (*input.Input, *Source, error) {
	if err := j.openPages(ctx); err != nil {
		return nil, nil, err
	}
	if j.Recording != nil {
		return nil, Of(j.Recording), nil
	}
	var said []string
	if given := j.Opening.given(); len(given) > 0 { // for options of several systems checkOpening returns an error
		said = given[0].systems
	}
	sources := j.sources()
	in, err := j.open(ctx, j.Path, sources, said)
	if err != nil || in.Kind < 0 {
		return in, nil, err
	}
	return in, sources[in.Kind], nil
}

// Open returns the input of path for a source. It opens the input unless Find has. It returns an
// error if the input belongs to another system or is a known other kind of file. Finish closes the
// input.
func (j *Job) Open(ctx context.Context, path string, own *Source) (*input.Input, error) {
	sources := j.sources()
	in, err := j.open(ctx, path, sources, []string{own.Name})
	switch {
	case err != nil:
		return nil, err
	case j.Follow != nil && in.Kind >= 0 && (!sources[in.Kind].Follows || own.Name == "ftrace" && in.File != nil):
		return nil, fmt.Errorf("%s: %w: recordings of this kind are read as a whole", in.Name, input.ErrFollow)
	case in.Kind >= 0 && sources[in.Kind].Name == own.Name:
		return in, nil
	case in.Kind >= 0 && !sources[in.Kind].Guess:
		return nil, fmt.Errorf("%s: a recording of %s, not of %s; tracec report reads it", in.Name,
			sources[in.Kind].Title, own.Title)
	case in.Named():
		return nil, in.Unknown()
	case in.IsText():
		return nil, fmt.Errorf("%s: not a recording of %s: %s", in.Name, own.Title, in.What())
	}
	return in, nil // the system reports the error
}

// open opens an input. said holds the systems among which the user has named one, or is empty.
func (j *Job) open(ctx context.Context, path string, sources []*Source, said []string) (*input.Input, error) {
	for _, in := range j.inputs {
		if in.Path == path {
			return in, nil
		}
	}
	kinds := make([]input.Kind, len(sources))
	for i, s := range sources {
		kinds[i] = input.Kind{Detect: s.Detect, Guess: s.Guess, Said: slices.Contains(said, s.Name), Sure: s.Sure,
			Extent: s.Extent}
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
