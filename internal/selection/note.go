package selection

// A Note is a message without consequences: nothing is lost or damaged, and the exit code is 0.
// Callers who do not want notes detect them with errors.As.
type Note struct{ Err error }

// Error implements error.
func (n *Note) Error() string { return "note: " + n.Err.Error() }

// Unwrap returns the message without the word.
func (n *Note) Unwrap() error { return n.Err }
