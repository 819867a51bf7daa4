package aix

import "github.com/tracec/tracec/runtime/record"

// Merged yields the records of all streams of a recording in time order, with their entries.
type Merged = record.Merged[Entry, *Stream]

// Merge begins to read the recording.
func (r *Recording) Merge(opts StreamOptions) *Merged {
	return record.Merge[Entry](r.Streams(opts), nil)
}
