package record

import (
	"context"
	"errors"
	"time"
)

// Follow has a recording read that is still being written. Containers have an option WithFollow for
// it, which takes files and directories, and what else can be read at any place. Opening waits
// until there is enough to say what the recording is. Its streams are [Growing]: all that reads
// recordings reads those, and waits at the end of what there is. The beginning of an entry whose
// end has not been written is waited for, too, and is no damage before the end.
type Follow struct {
	// Until, when it is done, ends the recording: what has been written then is read, and streams
	// end with io.EOF. It is not the Context of [Options], which ends a walk at once and with an
	// error. nil is never done.
	Until context.Context
	// Delay is that of [Live]; 0 is DefaultDelay.
	Delay time.Duration
	// Poll is after how long files that do not grow are looked at again, at most; 0 is DefaultPoll.
	// What has just grown is looked at sooner.
	Poll time.Duration
	// Notify is called with what happens to files, by the goroutine of a stream: an error that is
	// [ErrReplaced] when something new has taken the place of the recording. Streams end with
	// io.EOF then, when all is read, and who wants to go on opens the name again. Where Notify is
	// nil they end with the error. An error that is [ErrRestarted] says that a file begins anew
	// whose stream goes on.
	Notify func(error)
}

// DefaultPoll is the Poll of containers whose options do not say.
const DefaultPoll = 100 * time.Millisecond

// ErrReplaced says that a followed file or directory was renamed or removed, and that something new
// has its name, or that it was truncated. All that had been written before a renaming has been
// read; of what was there before a truncation, what had been read by then.
var ErrReplaced = errors.New("a new recording has taken its place")

// ErrRestarted says that a followed file of a recording was truncated, or has made room for another
// of its name, which its stream goes on with.
var ErrRestarted = errors.New("its stream goes on at the beginning of the new file")
