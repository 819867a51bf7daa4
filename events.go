package tracec

import (
	"context"
	"errors"
	"iter"

	"github.com/tracec/tracec/runtime/record"
)

// Events returns an iterator over the selected events, in the order of time. If the error is
// non-nil, the event is nil: an option is invalid, a stream failed, or ctx is done. If parts of the
// recording could not be read, a *[record.DamageError] comes last, after all intact events.
func (r *Recording) Events(ctx context.Context, opts ...Option) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		read, err := r.Reader(ctx, opts...)
		if err != nil {
			yield(nil, err)
			return
		}
		for ev := range read.All() {
			if !yield(ev, nil) {
				return
			}
		}
		err = read.Err()
		if ctx.Err() != nil { // the damage found depends on how far was read ahead, which is chance
			if !errors.Is(err, ctx.Err()) {
				err = errors.Join(err, ctx.Err())
			}
			yield(nil, err)
			return
		}
		if err != nil && !yield(nil, err) {
			return
		}
		if err := record.Damaged(r); err != nil {
			yield(nil, err)
		}
	}
}
