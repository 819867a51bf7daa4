package tracec

import (
	"context"
	"errors"
	"iter"

	"github.com/tracec/tracec/runtime/record"
)

// Events returns an iterator over the selected events, in the order of time. If the error is not
// nil, the event is nil. An error reports an invalid option, a failed stream, or the end of ctx. If
// parts of the recording could not be read, the last error is a *[record.DamageError]. All intact
// events come before it.
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
		if ctx.Err() != nil { // damage is left out here: how far streams had been read ahead is chance
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
