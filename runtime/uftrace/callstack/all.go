package callstack

import (
	"context"
	"errors"
	"io"
	"iter"
)

// All returns an iterator over all steps, until there are no more or ctx is done. A stream that
// fails is skipped from then on. After the loop, Err returns the errors of streams and the error of
// ctx. A step is valid until the next one.
func (p *Player) All(ctx context.Context) iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for n := 0; ; n++ {
			if n&4095 == 0 && ctx.Err() != nil {
				p.err = errors.Join(p.err, ctx.Err())
				return
			}
			switch s, err := p.Next(); {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				p.err = errors.Join(p.err, err)
			case !yield(s):
				return
			}
		}
	}
}

// Err returns the errors of streams that All found, and the error of its context, joined.
// Unreadable parts are also in [uftrace.Recording.Damage].
func (p *Player) Err() error { return p.err }
