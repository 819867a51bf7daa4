// Package record defines the parts that all recordings share: records, the streams that return
// them, and the merge of several streams by time.
//
// Most programs get streams from a container such as runtime/ftrace and call
// [Merge] only indirectly. A [Record] and everything it points to is valid
// until the next call to its stream. [Options] select records by CPU, thread,
// kind and time, in the same way for every container.
package record

// A Record is one recorded event. Its stream reuses it: a *Record is valid until the next step of
// the loop, or until the function that was called with it returns.
type Record struct {
	// Time is in nanoseconds, or in units of the recording's clock if the unit is unknown.
	Time uint64
	// Data is the payload as recorded, in the byte order of the recording. It aliases the stream's
	// buffer: valid as long as the Record, or until Close when the recording is mapped.
	Data []byte
	// Lost is the number of events missing before this one, or LostUnknown.
	Lost int64
	// ID is the event (hook) id, used for dispatch.
	ID uint32
	// CPU is the number of the processor, or of the stream when a stream is not a processor.
	CPU int32
	// Task is the thread of the event, or -1 if it is not recorded.
	Task int32
	// Stream is the position of the record's stream in the slice that was merged.
	Stream int32
}

// LostUnknown in Record.Lost reports that events were lost and their number was not recorded.
const LostUnknown = -1
