package uftrace

import "github.com/tracec/tracec/runtime/record"

// growth is the state of a stream whose file is still being written.
type growth struct {
	live    *record.Live // nil: the recording is not followed
	pending bool         // nothing more has been written yet
	news    int          // of r that the stream has seen
	gap     *gap         // a place where the search for a record is not finished; nil: no such place
}
