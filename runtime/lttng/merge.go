package lttng

import (
	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/record"
)

// Streams begins to read the files, in the order of Files and without files of unselected
// processors. Times of one stream may step back at a new sub-buffer. Sub-buffers whose headers are
// outside of a time window are skipped.
//
// A stream alone does not know the thread of its records, since the events of the scheduler are in
// one file of each processor. If threads are selected or [WithTasks] is set, each stream also reads
// that file. A merge reads it once. If the recording describes no event of the scheduler, selecting
// threads results in record.ErrNoTask.
func (r *Recording) Streams(opts record.Options) []*Stream {
	if !r.follows(&opts) {
		return r.plainStreams(opts)
	}
	streams := make([]*Stream, 0, len(r.files))
	for _, f := range r.files {
		if opts.HasCPU(int32(f.CPU)) {
			streams = append(streams, r.followed(f, opts))
		}
	}
	return streams
}

// Scheduled reports whether the thread of a record can be determined. This is so if events of the
// scheduler are described, or if files belong to one thread.
func (r *Recording) Scheduled() bool { return r.switches != nil }

// follows reports whether streams set the threads of their records.
func (r *Recording) follows(opts *record.Options) bool {
	return (opts.Tasks != nil || r.config.tasks) && r.Scheduled()
}

// stream returns the stream of one file.
func (r *Recording) stream(f *File, opts record.Options) *Stream {
	if r.follows(&opts) {
		return r.followed(f, opts)
	}
	return r.plainStream(f, opts)
}

// plainStreams returns the streams without the threads of their records.
func (r *Recording) plainStreams(opts record.Options) []*Stream {
	streams := make([]*Stream, 0, len(r.files))
	for _, f := range r.files {
		if opts.HasCPU(int32(f.CPU)) {
			streams = append(streams, r.plainStream(f, opts))
		}
	}
	if r.watch != nil {
		streams = append(streams, r.newcomers(opts))
	}
	return streams
}

func (r *Recording) plainStream(f *File, opts record.Options) *Stream {
	s := f.trace.newStream(f)
	own := opts
	own.CPUs = nil // all records of a file are of one processor
	s.sel.choice, s.sel.since, s.sel.until = choice.Of(&own), opts.Since, opts.Until
	s.sel.kinds = kindBits(s.sel.choice.Kinds())
	switch {
	case r.watch != nil:
		s.grow.live = r.watch.Live(opts.Context)
		s.sub.share = r.read.Share(-1)
	case opts.Cut != nil:
		s.sub.share, s.again = r.read.Part(), true
	default:
		s.sub.share = r.read.Share(f.Size)
	}
	if opts.Tasks != nil {
		s.sel.choice, s.sel.kinds = choice.Refuse(record.ErrNoTask), nil
	}
	s.sel.unwanted = r.index.Unwanted(f.Path, s.sel.choice.Kinds().List(), nil)
	return s
}

// Merge begins to read the recording: events in time order, at equal times in the order of the
// streams. Record.Task is -1 unless threads are selected or [WithTasks] is set; see
// [Recording.MergeTasks].
func (r *Recording) Merge(opts record.Options) *record.Merger[Entry] {
	if opts.Tasks != nil || r.config.tasks {
		return r.MergeTasks(opts)
	}
	return MergeStreams(r.plainStreams(opts))
}

// MergeStreams begins to read some of the streams of a recording. They must not have been read.
// Record.Stream is the position in streams.
func MergeStreams(streams []*Stream) *record.Merger[Entry] {
	return record.Merge(streams, func() {
		for _, s := range streams {
			s.Close()
		}
	})
}
