package lttng

import "github.com/tracec/tracec/runtime/record"

// threadMerge is the state of a stream that sets the threads of its records.
type threadMerge struct {
	begin  func()                // for streams that set the threads of their records: sets follow
	follow *record.Merger[Entry] // the records of the file, and of the scheduler
}
