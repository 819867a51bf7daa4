package perfetto

import (
	"fmt"
	"io"
	"runtime"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/ftrace"
)

// Options configure Write. The zero value suits most recordings.
type Options struct {
	// Workers is the number of goroutines that encode events of ftrace. 0 is the number of
	// processors that Go uses. The bytes do not depend on it.
	Workers int
}

// Write writes the events that r yields as a trace of Perfetto. It writes as it reads, in pieces of
// some hundred kilobytes, and ends with the context of the reader's options.
//
// The error is of w, of the context, or of streams of the recording that failed, after all other
// events have been written.
func Write(w io.Writer, r *tracec.Reader, o Options) error {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	var err error
	switch rec := r.Recording().(type) {
	case *ftrace.Recording:
		err = writeEvents(w, r, rec, o)
	case tracing:
		err = writeSamples(w, r)
	default:
		err = writeTracks(w, r)
	}
	if err != nil {
		return fmt.Errorf("perfetto: %w", err)
	}
	return nil
}
