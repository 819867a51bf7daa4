package sources

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/index"
)

// Note passes a [selection.Note] to Warn.
func (j *Job) Note(format string, args ...any) {
	j.Warn(&selection.Note{Err: fmt.Errorf(format, args...)})
}

// indexed is implemented by recordings that can explain why their index is not used.
type indexed interface {
	Name() string
	IndexErr() error
}

// NoteIndex notes that the index of a recording is not used.
func (j *Job) NoteIndex(rec indexed) {
	err := rec.IndexErr()
	name := index.Name(rec.Name())
	if errors.Is(err, index.ErrStale) && strings.HasPrefix(err.Error(), name) {
		j.Note("%s is out of date and not used; tracec index %s renews it", name, rec.Name())
		return
	}
	j.Warn(&selection.Note{Err: err})
}
