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
	// Workers is the number of goroutines that encode events of ftrace. 0 means the number of
	// processors that Go uses. The output does not depend on it.
	Workers int
}

// Write writes the events of r as a Perfetto trace. It writes while it reads, in pieces of some
// hundred kilobytes, and ends with the context of the reader's options.
//
// The error is from w, from the context, or from streams of the recording. If streams fail, all
// other events are written first.
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
