package aix

import "github.com/tracec/tracec/runtime/record"

// Merged yields the records of all streams of a recording in time order, with their entries. It is for one
// goroutine.
type Merged struct {
	merger  *record.Merger
	streams []*Stream
}

// Merge begins to read the recording.
func (r *Recording) Merge(opts StreamOptions) *Merged {
	streams := r.Streams(opts)
	m := &Merged{streams: streams}
	list := make([]record.Stream, len(streams))
	for i, s := range streams {
		list[i] = s
	}
	m.merger = record.NewMerger(list)
	return m
}

// NextRun returns the records that come next, all of one stream, and their entries; both are valid until the
// next call. The error is io.EOF after the last record; any other is of one stream, without which the next call
// goes on.
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
