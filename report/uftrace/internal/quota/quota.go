// Package quota counts the memory that the sums of a command take: of functions, or of nodes of
// graphs.
package quota

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracec/tracec/runtime/uftrace"
)

// Quota takes memory for sums from the budget of a recording. It is for one goroutine.
type Quota struct {
	rec    *uftrace.Recording
	cancel context.CancelCauseFunc
	left   int64 // of the last step
}

// step is the least number of bytes that are taken from the budget at once.
const step = 256 << 10

// New returns a quota, and a context that ends when the memory is used up.
func New(ctx context.Context, rec *uftrace.Recording) (context.Context, *Quota) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &Quota{rec: rec, cancel: cancel}
}

// Take takes n bytes. It ends the context if the budget has not got them.
func (q *Quota) Take(n int64) {
	if q.left -= n; q.left >= 0 {
		return
	}
	more := max(step, -q.left)
	if err := q.rec.Hold(more); err != nil {
		q.cancel(err)
		return
	}
	q.left += more
}

// End releases the context and returns the error of the work: err, or that the memory is used up.
// Then nothing should be printed: sums over a part of a recording would be wrong.
func (q *Quota) End(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	q.cancel(nil)
	if errors.Is(cause, uftrace.ErrLimit) {
		return fmt.Errorf("%s: sums over all calls: %w", q.rec.Name(), cause)
	}
	return err
}
