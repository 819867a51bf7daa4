package bind

import (
	"errors"
	"fmt"
)

// Reasons why an event cannot be bound. errors.Is finds them in an *Error.
var (
	// ErrMissing reports that the recording does not describe the event, or that the event lacks a
	// field.
	ErrMissing = errors.New("missing in the recording")
	// ErrIncompatible reports a recorded field with values that the compiled type cannot represent.
	ErrIncompatible = errors.New("incompatible with the recording")
)

// An Error reports an event, or one of its fields, that does not fit the recording.
type Error struct {
	Event string // group:name
	Field string // empty for the event as a whole
	Err   error  // ErrMissing or ErrIncompatible, or wraps one of them
}

// Error implements error.
func (e *Error) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("event %q: %v", e.Event, e.Err)
	}
	return fmt.Sprintf("event %q: field %q: %v", e.Event, e.Field, e.Err)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// maxErrors bounds the errors that one Bind joins. Further errors are counted: in a wrong recording
// every event is missing.
const maxErrors = 20
