package tracec

import (
	"context"
	"errors"
	"iter"

	"github.com/tracec/tracec/runtime/record"
)

// Events returns an iterator over the selected events, in the order of time. An event is nil where
// the error is not: an option makes no sense, a stream failed, or ctx is done. A
// *[record.DamageError] comes last, when parts of the recording could not be read; everything
// intact has come before it.
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
		if ctx.Err() != nil { // how far was read ahead is chance, and so is the damage met
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
