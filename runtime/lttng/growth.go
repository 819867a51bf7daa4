package lttng

import "github.com/tracec/tracec/runtime/record"

// growth is the state of a stream whose file is still being written.
type growth struct {
	live     *record.Live         // nil if the recording is not followed
	late     record.Stream[Entry] // for the stream of files that appear later, otherwise nil
	latest   []*Stream            // the streams of these files
	needed   int64                // bytes needed from next on to continue; 0 for the size of a header
	searched int64                // number of these that have been searched for a header
}
