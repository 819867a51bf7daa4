package lttng

import "github.com/tracec/tracec/runtime/record"

// Streams begins to read the files, in the order of Files and without those of processors that are not chosen. Times of one
// stream may step back at a new sub-buffer. Events do not say their thread, which follows from those of the scheduler (see package
// process): a choice of threads is record.ErrNoTask. Sub-buffers whose headers say that they are outside of a window of time are
// passed over.
func (r *Recording) Streams(opts record.Options) []*Stream {
	streams := make([]*Stream, 0, len(r.files))
	for _, f := range r.files {
		if opts.HasCPU(int32(f.CPU)) {
			s := f.trace.newStream(f)
			s.choice, s.since, s.until = opts.Choice(), opts.Since, opts.Until
			s.share = r.read.Share(f.Size)
			if opts.Tasks != nil {
				s.choice = record.Refuse(record.ErrNoTask)
			}
			streams = append(streams, s)
		}
	}
	return streams
}

// Merge begins to read the recording: events in time order, at equal times in the order of the streams.
func (r *Recording) Merge(opts record.Options) *record.Merger[Entry] {
	return MergeStreams(r.Streams(opts))
}

// MergeStreams begins to read some of the streams of a recording, none of which has been read. Record.Stream is the position in streams.
func MergeStreams(streams []*Stream) *record.Merger[Entry] {
	return record.Merge(streams, func() {
		for _, s := range streams {
			s.Close()
		}
	})
}
