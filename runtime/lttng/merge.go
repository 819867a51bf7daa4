package lttng

import "github.com/tracec/tracec/runtime/record"

// Streams begins to read the files, in the order of Files. Times of one stream may step back at a new sub-buffer.
func (r *Recording) Streams() []*Stream {
	streams := make([]*Stream, len(r.files))
	for i, f := range r.files {
		streams[i] = f.trace.newStream(f)
		streams[i].share = r.read.Share(f.Size)
	}
	return streams
}

// Merge begins to read everything: all events in time order, at equal times in the order of the streams.
func (r *Recording) Merge() *record.Merger[Entry] { return MergeStreams(r.Streams()) }

// MergeStreams begins to read some of the streams of a recording, none of which has been read. Record.Stream is the position in streams.
func MergeStreams(streams []*Stream) *record.Merger[Entry] {
	return record.Merge(streams, func() {
		for _, s := range streams {
			s.Close()
		}
	})
}
