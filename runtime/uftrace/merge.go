package uftrace

import "github.com/tracec/tracec/runtime/record"

// Reader is a stream of one file, with the entries of its records.
type Reader interface {
	record.Stream[Entry]
	// File is the name of the file within the recording.
	File() string
}

// source is a Reader that can be left before its end.
type source interface {
	Reader
	close()
}

// MergeOptions choose what is merged.
type MergeOptions struct {
	NoKernel, NoPerf, NoExtern bool
	// EarlyGaps puts a gap of a kernel file before the tracepoints that stand right before it, and gives it the time 0, as gaps of
	// threads have: uftrace reads ahead to the next function when it meets a tracepoint, and tells of a gap at once.
	EarlyGaps bool
	// Wrap puts a filter between the records of each thread, or of a file of the kernel with a nil task, and the
	// merge; nil puts none.
	Wrap func(t *Task, r Reader) Reader
}

// Merge begins to read everything: the records of all files in time order. At equal times threads come first, in the
// order of Tasks, then kernel, perf and extern.dat.
func (r *Recording) Merge(opts MergeOptions) *record.Merger[Entry] {
	var sources []source // what is to be closed
	var readers []Reader // the same, wrapped
	shared := r.newViews()
	var kernel, others []source
	if !opts.NoKernel {
		kernel = r.kernelSources(opts.EarlyGaps)
	}
	if !opts.NoPerf {
		others = append(others, r.perfSources()...)
	}
	if text, ok := r.readFile("extern.dat"); ok && !opts.NoExtern {
		others = append(others, &externStream{r: r, text: text, size: int64(len(text))})
	}
	add := func(s source, t *Task, wrap func(*Task, Reader) Reader) {
		var reader Reader = s
		if wrap != nil {
			reader = wrap(t, s)
		}
		sources, readers = append(sources, s), append(readers, reader)
	}
	for _, t := range r.tasks {
		add(r.newStream(t, shared, len(r.tasks)+len(kernel)+len(others)), t, opts.Wrap)
	}
	for _, s := range kernel {
		add(s, nil, opts.Wrap)
	}
	for _, s := range others {
		add(s, nil, nil)
	}
	return record.Merge(readers, func() {
		for _, s := range sources {
			s.close()
		}
	})
}
