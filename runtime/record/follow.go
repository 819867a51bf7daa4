package record

import (
	"context"
	"errors"
	"time"
)

// Follow reads a recording that is still being written. Containers have an option WithFollow, which
// takes files, directories and other input that can be read at any offset. Opening waits until the
// kind of recording is clear. The streams of the recording are [Growing]. Everything that reads
// recordings can read them, and waits at the end of the data. An incomplete entry at the end is
// waited for. It is damage only if the recording ends there.
type Follow struct {
	// Until ends the recording when it is done. The data written by then are read, and streams end
	// with io.EOF. The Context of [Options], in contrast, ends a walk at once and with an error. If
	// nil, the recording is followed without end.
	Until context.Context
	// Delay is the Delay of [Live]. If 0, it is DefaultDelay.
	Delay time.Duration
	// Poll is the longest time between two looks at files that do not grow. If 0, it is
	// DefaultPoll. Files that have just grown are looked at sooner.
	Poll time.Duration
	// Notify is called with events of the followed files, by the goroutine of a stream.
	//
	// An error that is [ErrReplaced] reports that something new has replaced the recording. Streams
	// then end with io.EOF when all data are read. To continue, open the name again. If Notify is
	// nil, streams end with the error instead.
	//
	// An error that is [ErrRestarted] reports that a file begins again and its stream continues.
	Notify func(error)
}

// DefaultPoll is the Poll of containers whose options do not set it.
const DefaultPoll = 100 * time.Millisecond

// ErrReplaced reports that a followed file or directory was renamed, removed or truncated. After a
// renaming, another file has its name, and all data of the old one have been read. After a
// truncation, only the data read before it are known.
var ErrReplaced = errors.New("a new recording has taken its place")

// ErrRestarted reports that a followed file was truncated, or replaced by another file of its name.
// Its stream continues with the new contents.
var ErrRestarted = errors.New("its stream continues at the beginning of the new file")
