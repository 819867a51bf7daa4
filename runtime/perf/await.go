package perf

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/record"
)

// growth is the state of a file that is followed.
type growth struct {
	file *growing.File
	live *record.Live // nil before the walk
}

// upTo returns the place up to which the file can be read. All before at has been read. The error
// is record.ErrPending if nothing more has been written yet.
func (g *growth) upTo(at int64) (end int64, err error) {
	have, err := g.file.More(at)
	if errors.Is(err, io.EOF) {
		return at, nil
	}
	return at + have, err
}
