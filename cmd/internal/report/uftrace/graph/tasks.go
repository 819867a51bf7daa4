package graph

import (
	"context"
	"io"

	"github.com/tracec/tracec/runtime/uftrace"
)

func runTasks(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	return nil
}
