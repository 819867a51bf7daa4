package uftrace

import "github.com/tracec/tracec/runtime/record"

// growth is the state of a stream whose file is still being written.
type growth struct {
	live    *record.Live // nil if the recording is not followed
	pending bool         // no more has been written yet
	news    int          // number of r.news that the stream has seen
	gap     *gap         // a place where the search for a record is not finished, or nil
}
