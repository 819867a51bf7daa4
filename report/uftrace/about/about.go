// Package about prints the text of uftrace info: the system, the program and the threads of a
// recording (uftrace.md 2.7).
package about

import (
	"context"
	"io"

	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Options choose what is printed: the information, or one of the lists instead of it.
type Options struct {
	Style   values.Style
	Task    bool // --task: the threads
	System  bool // --system: not the process
	Symbols bool // --symbols: the symbols of the programs
	// Name is how a function is called in the list of symbols; nil means by its simple name.
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
