package aix

import "github.com/tracec/tracec/runtime/record"

// Merge begins to read the recording: the records of all streams in time order, with their entries.
func (r *Recording) Merge(opts StreamOptions) *record.Merger[Entry] {
	return record.Merge(r.Streams(opts), nil)
}
