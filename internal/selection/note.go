package selection

// A Note is a message without consequences: nothing is lost or damaged, and the exit code is 0.
// Callers can detect notes with errors.As.
type Note struct{ Err error }

// Error implements error.
func (n *Note) Error() string { return "note: " + n.Err.Error() }

// Unwrap returns the message without "note".
func (n *Note) Unwrap() error { return n.Err }
