package lttng

import "github.com/tracec/tracec/runtime/record"

// growth is the state of a stream whose file is still being written.
type growth struct {
	live     *record.Live         // nil: the recording is not followed
	late     record.Stream[Entry] // of a stream of files that come later, else nil
	latest   []*Stream            // those
	needed   int64                // bytes needed from next on to continue; 0: the bytes of a header
	searched int64                // of these have been searched for a header
}
