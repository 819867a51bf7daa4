// Package quota limits the memory for the sums of a command, by function or by node of a graph.
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
	left   int64 // bytes left of the last step
}

// step is the minimum number of bytes to take from the budget at once.
const step = 256 << 10

// New returns a quota, and a context that ends when the memory is used up.
func New(ctx context.Context, rec *uftrace.Recording) (context.Context, *Quota) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &Quota{rec: rec, cancel: cancel}
}

// Take takes n bytes. It ends the context if the budget is exceeded.
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

// End releases the context. It returns an error if the memory was used up, otherwise err. On an
// error nothing should be printed, since sums over a part of a recording would be wrong.
func (q *Quota) End(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	q.cancel(nil)
	if errors.Is(cause, uftrace.ErrLimit) {
		return fmt.Errorf("%s: sums over all calls: %w", q.rec.Name(), cause)
	}
	return err
}
