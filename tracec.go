// Package tracec reads trace recordings: Linux ftrace and perf, AIX trace, uftrace, LTTng and other
// writers of CTF.
//
// Open takes a file or a directory of any of them, packed or not, and detects its system. Events
// yields the recorded events in the order of time, with names, fields and text:
//
//	rec, err := tracec.Open(ctx, "trace.dat")
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer rec.Close()
//	for ev, err := range rec.Events(ctx, tracec.WithEvents("sched_switch")) {
//		if err != nil {
//			log.Fatal(err)
//		}
//		next, _ := ev.Field("next_comm")
//		fmt.Println(ev.Time, ev.CPU, next)
//	}
//
// An [OpenOption] sets how a recording is opened. An [Option] selects events, like the option of
// the same name of the command tracec.
//
// An [Event] and its values are valid until the next one: copy the values that you keep. An event
// type is compiled at its first event. [Event.Field] looks a name up each time. To avoid that, call
// [Type.Index] once for each type, and then [Event.At].
//
// Descriptions are compiled while a program runs. For events as structs, a decoder without
// allocations, and names that the compiler checks, let tracec gen write a package: docs/go.md.
package tracec

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/runtime/record"
)

// Recording is an open recording. Several goroutines may read its events at the same time, each
// with a loop of its own.
type Recording struct {
	record.Recording
	source *sources.Source
	job    *sources.Job
	choice *sources.Choice // selects among all events
	faults []error
}

// Open opens a recording: a file, a directory, or either in an archive or compressed. The name - is
// standard input, which is read once, or the reader of [OpenReader].
//
// Opening reads headers and descriptions. Unreadable parts of them are in [Recording.Damage], and
// everything intact is read nonetheless. If path is not a recording, the error describes its
// contents.
func Open(ctx context.Context, path string, opts ...OpenOption) (*Recording, error) {
	r := &Recording{job: &sources.Job{Path: path, Stdin: os.Stdin}}
	r.job.Warn = func(err error) {
		if !errors.Is(err, input.ErrWaiting) {
			r.faults = append(r.faults, err)
		}
	}
	for _, set := range opts {
		set(r.job)
	}
	var err error
	if r.source, err = r.job.Find(ctx); err == nil {
		r.choice, err = r.source.Choose(ctx, r.job, &selection.Options{})
	}
	if err != nil {
		return nil, errors.Join(append([]error{err, r.job.Finish(nil)}, r.faults...)...)
	}
	r.Recording = r.choice.Recording
	return r, nil
}

// OpenReader opens the recording that comes through r. r is read once. A recording that cannot be
// read as a stream, such as one in an archive, is copied to a temporary file, which Close removes.
func OpenReader(ctx context.Context, r io.Reader, opts ...OpenOption) (*Recording, error) {
	return Open(ctx, "-", append(slices.Clip(opts), func(j *opening) { j.Stdin = r })...)
}

// OpenFS opens a recording in a file system: name is a file or a directory of dir. A file that does
// not implement [io.ReaderAt] is read as [OpenReader] does. Files of [os.DirFS] and [embed.FS]
// implement it.
func OpenFS(ctx context.Context, dir fs.FS, name string, opts ...OpenOption) (*Recording, error) {
	return Open(ctx, name, append(slices.Clip(opts), func(j *opening) { j.FS = dir })...)
}

// OpenOption is an option of [Open], [OpenFS] and [OpenReader]. An option for recordings of another
// system is an error.
type OpenOption func(*opening)

// opening holds the path and the options of a recording to open.
type opening = sources.Job

// WithTemplates names files of AIX templates, which describe the events of an AIX recording. Later
// files take precedence.
func WithTemplates(files ...string) OpenOption {
	return func(j *opening) { j.Opening.Templates = append(j.Opening.Templates, files...) }
}

// WithLayouts names a file with the places of threads, processes and processors in hooks of AIX,
// which are not published.
func WithLayouts(file string) OpenOption {
	return func(j *opening) { j.Opening.Layouts = file }
}

// WithRules decides unpublished details of AIX: NAME=VALUE, as tracec help aix lists them.
func WithRules(rules ...string) OpenOption {
	return func(j *opening) { j.Opening.Rules = append(j.Opening.Rules, rules...) }
}

// WithDialect sets the dialect of an LTTng trace: "auto", which is the default, or "seed".
func WithDialect(name string) OpenOption {
	return func(j *opening) { j.Opening.Dialect = name }
}

// WithEventDefs names a directory with the XML descriptions of the events of an LTTng trace.
func WithEventDefs(dir string) OpenOption {
	return func(j *opening) { j.Opening.EventDefs = dir }
}

// WithFormats names a directory laid out as tracefs. It describes a recording that is raw data of
// one processor of ftrace.
func WithFormats(dir string) OpenOption {
	return func(j *opening) { j.Opening.Formats = dir }
}

// WithDemangle sets the form of names of C++ and Rust functions: "simple", which is the default,
// "full" or "no". Recordings of uftrace and perf have such names.
func WithDemangle(form string) OpenOption {
	return func(j *opening) { j.Opening.Demangle = form }
}

// WithKallsyms names a file with the symbols of the kernel that perf recorded, in the form of
// /proc/kallsyms. By default, the symbols of the running kernel are used if it is of the recorded
// build.
func WithKallsyms(file string) OpenOption {
	return func(j *opening) { j.Opening.Kallsyms = file }
}

// WithSymfs names a directory with the programs and libraries of the machine that perf recorded, by
// their recorded paths. By default, the files of this machine are used if their build id is the
// recorded one.
func WithSymfs(dir string) OpenOption {
	return func(j *opening) { j.Opening.Symfs = dir }
}

// WithMemory limits the memory of the recording, in bytes. 0 means 256 MiB. Parts that do not fit
// are damage.
func WithMemory(bytes int64) OpenOption {
	return func(j *opening) { j.Memory = bytes }
}

// WithFollow reads a recording while it is being written, until the context of f.Until is done. The
// loop of Events then ends without an error. Open waits until the system of the recording is known,
// and Events waits for further events. WithFollow of each container lists the recordings that can
// be followed. A trace.dat cannot, since the places of its data are written last.
func WithFollow(f record.Follow) OpenOption {
	return func(j *opening) { j.Follow = &f }
}

// System returns the system that the recording comes from: ftrace, perf, uftrace, aix, lttng or
// ctf.
func (r *Recording) System() string { return r.source.Name }

// Unwrap returns the recording of the container, which generated decoders are bound to:
// *ftrace.Recording, *perf.Recording, *uftrace.Recording, *aix.Recording, *lttng.Recording or
// *ctf.Recording.
func (r *Recording) Unwrap() record.Recording { return r.Recording }

// Close closes the files, and removes temporary ones. No loop may use the recording any more. The
// error reports unreadable parts of an archive and unusable parts of templates.
func (r *Recording) Close() error {
	err := r.Recording.Close()
	if e := r.job.Finish(nil); e != nil {
		err = errors.Join(append([]error{err, e}, r.faults...)...)
	}
	return err
}
