package lttng

import "github.com/tracec/tracec/runtime/record"

// Merged yields the events of files in time order; at equal times in the order of the streams, which is that of Files.
type Merged struct {
	streams []*Stream
	merger  *record.Merger
}

// Streams begins to read the files, in the order of Files. Times of one stream may step back at a new sub-buffer.
func (r *Recording) Streams() []*Stream {
	streams := make([]*Stream, len(r.files))
	for i, f := range r.files {
		streams[i] = f.trace.newStream(f)
		streams[i].share = r.read.Share(f.Size)
	}
	return streams
}

// Merge begins to read everything.
func (r *Recording) Merge() *Merged { return MergeStreams(r.Streams()) }

// MergeStreams begins to read some of the streams of a recording, none of which has been read. Record.Stream is the position in streams.
func MergeStreams(streams []*Stream) *Merged {
	m := &Merged{streams: streams}
	list := make([]record.Stream, len(m.streams))
	for i, s := range m.streams {
		list[i] = s
	}
	m.merger = record.NewMerger(list)
	return m
}

// NextRun returns the records that come next, all of one stream, and their entries; both are valid until the next
// call. The error is io.EOF after the last record; any other is of one stream, without which the next call goes on.
func (m *Merged) NextRun() ([]record.Record, []Entry, error) {
	run, err := m.merger.NextRun()
	if len(run) == 0 {
		return nil, nil, err
	}
	at := m.merger.Position()
	return run, m.streams[run[0].Stream].Entries()[at : at+len(run)], err
}

// Run calls fn for every record in time order, until the streams end, one of them fails or fn returns an error,
// which Run returns as it is. Record and entry are valid until fn returns.
func (m *Merged) Run(fn func(*record.Record, *Entry) error) error { return record.Each(m.NextRun, fn) }

// File returns the file that the records of a stream are from; stream is Record.Stream.
func (m *Merged) File(stream int32) *File { return m.streams[stream].File() }

// Close ends the reading before its end.
func (m *Merged) Close() {
	for _, s := range m.streams {
		s.Close()
	}
}
