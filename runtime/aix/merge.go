package aix

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// Merged yields the records of all streams of a recording in time order, with their entries. It is for one
// goroutine.
type Merged struct {
	merger  *record.Merger
	streams []*Stream
	next    []int // of each stream: how many records of its batch have been handed out
}

// Merge begins to read the recording.
func (r *Recording) Merge(opts StreamOptions) *Merged {
	streams := r.Streams(opts)
	m := &Merged{streams: streams, next: make([]int, len(streams))}
	list := make([]record.Stream, len(streams))
	for i := range streams {
		list[i] = &counted{m, i}
	}
	m.merger = record.NewMerger(list)
	return m
}

// counted notes that the merger begins with a new batch of a stream: it hands them out in their order, so that a
// count is enough to find the entry of a record.
type counted struct {
	m *Merged
	i int
}

func (c *counted) Next() ([]record.Record, error) {
	c.m.next[c.i] = 0
	return c.m.streams[c.i].Next()
}

// NextRun returns the records that come next, all of one stream, and their entries; both are valid until the
// next call. The error is io.EOF after the last record; any other is of one stream, without which the next call
// goes on.
func (m *Merged) NextRun() ([]record.Record, []Entry, error) {
	run, err := m.merger.NextRun()
	if len(run) == 0 {
		return nil, nil, err
	}
	i := run[0].Stream
	at := m.next[i]
	m.next[i] = at + len(run)
	return run, m.streams[i].Entries()[at : at+len(run)], err
}

// Run calls fn for every record in time order, until the streams end, one of them fails or fn returns an error,
// which Run returns as it is. Record and entry are valid until fn returns.
func (m *Merged) Run(fn func(*record.Record, *Entry) error) error {
	for {
		run, entries, err := m.NextRun()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		for i := range run {
			if err := fn(&run[i], &entries[i]); err != nil {
				return err
			}
		}
	}
}

// File returns the file that the records of a stream are from; stream is Record.Stream.
func (m *Merged) File(stream int32) *File { return m.streams[stream].File() }
