package report

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tracec/tracec/runtime/index"
)

// A Note is a message without consequences: nothing is lost or damaged, and the exit code is 0.
// Callers who do not want notes detect them with errors.As.
type Note struct{ Err error }

// Error implements error.
func (n *Note) Error() string { return "note: " + n.Err.Error() }

// Unwrap returns the message without the word.
func (n *Note) Unwrap() error { return n.Err }

// Note passes a [Note] to Warn.
func (j *Job) Note(format string, args ...any) { j.Warn(&Note{fmt.Errorf(format, args...)}) }

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
	j.Warn(&Note{err})
}
