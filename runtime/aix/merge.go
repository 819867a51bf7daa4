package aix

import "github.com/tracec/tracec/runtime/record"

// Merge begins to read the recording: the records of all streams in time order, with their entries.
func (r *Recording) Merge(opts record.Options) *record.Merger[Entry] {
	streams := r.Streams(opts)
	return record.Merge(streams, func() {
		for _, s := range streams {
			s.Close()
		}
	})
}
