package uftrace

import (
	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/record"
)

// Reader is a stream of one file, with the entries of its records.
type Reader interface {
	record.Stream[Entry]
	// File returns the name of the file within the recording.
	File() string
}

// source is a Reader that can be closed before its end.
type source interface {
	Reader
	close()
}

// MergeOptions select the records to merge. The zero value selects all.
type MergeOptions struct {
	record.Options
	NoKernel, NoPerf, NoExtern bool
	// EarlyGaps moves a loss of a kernel file before the tracepoints that come directly before it,
	// and gives it the time 0, as in losses of threads. uftrace reads ahead to the next function at
	// a tracepoint, and reports a loss at once.
	EarlyGaps bool
	// Wrap puts a filter between the merge and the records of each thread, or of a file of the
	// kernel with a nil task. If nil, there is no filter.
	Wrap func(t *Task, r Reader) Reader

	windows map[*Task]window // if nil, they are searched for
	places  landmarks        // places at which slices may begin
}

// chosen returns a stream of the kernel or of extern.dat without unselected records. Streams of
// threads and of perf select records themselves.
func (o *MergeOptions) chosen(s source) Reader {
	if c := choice.Of(&o.Options, choice.Untimed); c != nil {
		return &chosen{s, c}
	}
	return s
}

// chosen is a Reader without unselected records.
type chosen struct {
	Reader
	choice *choice.Choice
}

// Unwrap returns the stream itself.
func (s *chosen) Unwrap() any { return s.Reader }

// Next implements record.Stream.
func (s *chosen) Next() (record.Batch[Entry], error) { return choice.Next(s.choice, s.Reader.Next) }

// OnlyThreads reports whether all records of the recording are in files of threads, with no files
// of the kernel, of perf or of extern.dat.
func (r *Recording) OnlyThreads() bool {
	return r.onlyPerf() && r.info.Features&FeatPerfEvent == 0
}

// Merge begins to read the recording: the records of all selected files, in time order. At equal
// times, the order is: threads in the order of Tasks, kernel, perf, extern.dat. For a time window
// the files of threads are bisected and only the window is read, so records out of order may be
// missed. Losses have the time 0. They belong to the window if the record before them in their file
// does. If processors are selected, only the files of the kernel and of perf are read. Without such
// files, reading returns record.ErrNoCPU.
func (r *Recording) Merge(opts MergeOptions) *record.Merger[Entry] {
	var sources []source // streams to be closed
	var readers []Reader // the same, wrapped
	shared := r.lookups(opts.Cut)
	var kernel []source
	var perf []*perfStream
	r.walk(&opts.Options)
	if !opts.NoKernel {
		kernel = r.kernelSources(opts.EarlyGaps)
	}
	if !opts.NoPerf {
		perf = r.perfStreams(&opts)
	}
	wrap := opts.Wrap
	if wrap == nil {
		wrap = func(_ *Task, r Reader) Reader { return r }
	}
	windows := opts.windows
	if windows == nil {
		windows = r.windows(&opts.Options)
	}
	add := func(s source, reader Reader) { sources, readers = append(sources, s), append(readers, reader) }
	for _, t := range r.threads.list {
		// If processors are selected, only files of processors have such records, if there are any.
		if opts.HasTask(t.TID) && (opts.CPUs == nil || len(kernel)+len(perf) == 0) {
			s := r.stream(t, &opts.Options, shared, len(r.threads.list)+len(kernel)+len(perf), windows[t], opts.places)
			add(s, wrap(t, s))
		}
	}
	for _, s := range kernel {
		add(s, wrap(nil, opts.chosen(s)))
	}
	for _, s := range perf {
		add(s, s)
	}
	if text, ok := r.readFile("extern.dat"); ok && !opts.NoExtern {
		s := &externStream{r: r, text: text, size: int64(len(text))}
		add(s, opts.chosen(s))
	}
	if r.watch != nil {
		readers = append(readers, r.newcomers(&opts, shared))
	}
	return record.Merge(readers, func() {
		for _, s := range sources {
			s.close()
		}
		if opts.Cut != nil {
			r.spare.keep(shared)
		}
	})
}
