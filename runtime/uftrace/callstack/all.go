package callstack

import (
	"context"
	"errors"
	"io"
	"iter"
)

// All returns an iterator over all that is shown, until there is no more or ctx is done. Streams
// that fail are left out: Err returns their errors, and that of ctx, after the loop. A step is
// valid until the next one.
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

// Err returns the errors of streams that All has met, and that of its context, joined. What could
// not be read is in [uftrace.Recording.Damage], too.
func (p *Player) Err() error { return p.err }
