package report

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tracec/tracec/runtime/index"
)

// Note is a message about what changes nothing: nothing is lost or damaged, and the exit code is 0.
// Who wants no notes finds them by errors.As.
type Note struct{ Err error }

// Error implements error.
func (n *Note) Error() string { return "note: " + n.Err.Error() }

// Unwrap returns the message without the word.
func (n *Note) Unwrap() error { return n.Err }

// Note passes a message about what changes nothing to Warn.
func (j *Job) Note(format string, args ...any) { j.Warn(&Note{fmt.Errorf(format, args...)}) }

// indexed is a recording that says why an index beside it is not used.
type indexed interface {
	Name() string
	IndexErr() error
}

// NoteIndex says that the index of a recording is not used.
func (j *Job) NoteIndex(rec indexed) {
	err := rec.IndexErr()
	name := index.Name(rec.Name())
	if errors.Is(err, index.ErrStale) && strings.HasPrefix(err.Error(), name) {
		j.Note("%s is out of date and not used; tracec index %s renews it", name, rec.Name())
		return
	}
	j.Warn(&Note{err})
}
