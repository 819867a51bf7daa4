// Package about prints the text of uftrace info: the system, the program and the threads of a
// recording (uftrace.md 2.7).
package about

import (
	"context"
	"io"

	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Options select the information, or one of the lists instead.
type Options struct {
	Style   values.Style
	Task    bool // --task: list the threads
	System  bool // --system: omit the process
	Symbols bool // --symbols: list the symbols of the programs
	// Name returns the name of a function for the list of symbols. If nil, it is the simple name.
	Name func(mangled string) string
}

// Run writes the information to w.
func Run(ctx context.Context, rec *uftrace.Recording, opts Options, w io.Writer) error {
	var out []byte
	switch {
	case opts.Symbols:
		list, err := symbols(rec, &opts)
		if err != nil {
			return err
		}
		out = list
	case opts.Task:
		list, err := tasks(ctx, rec, &opts)
		if err != nil {
			return err
		}
		out = list
	default:
		p, err := info(ctx, rec, &opts)
		if err != nil {
			return err
		}
		out = p
	}
	_, err := w.Write(out)
	return err
}
