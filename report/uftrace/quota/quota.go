// Package quota counts the memory that a view of a recording takes for what it adds up: functions,
// nodes of graphs.
package quota

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracec/tracec/runtime/uftrace"
)

// Quota takes from the memory of a recording what a view holds. It is for one goroutine.
type Quota struct {
	rec    *uftrace.Recording
	cancel context.CancelCauseFunc
	left   int64 // of what was taken last
}

// step is taken at a time.
const step = 256 << 10

// New returns a quota, and a context that ends when the memory is used up.
func New(ctx context.Context, rec *uftrace.Recording) (context.Context, *Quota) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &Quota{rec: rec, cancel: cancel}
}

// Take takes n bytes. When they are not there it ends the context.
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
// Sums over a part of a recording would be wrong, so that nothing should be printed then.
func (q *Quota) End(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	q.cancel(nil)
	if errors.Is(cause, uftrace.ErrLimit) {
		return fmt.Errorf("%s: sums over all calls: %w", q.rec.Name(), cause)
	}
	return err
}
