package callstack

import (
	"context"
	"errors"
	"io"
)

// Each hands all that is shown to see, until there is no more or ctx is done, whose error it returns. Errors of streams are
// left to the recording, which lists them as damage. A step is valid until see returns.
func (p *Player) Each(ctx context.Context, see func(*Step)) error {
	for n := 0; ; n++ {
		if n&4095 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch s, err := p.Next(); {
		case err == nil:
			see(s)
		case errors.Is(err, io.EOF):
			return nil
		}
	}
}
