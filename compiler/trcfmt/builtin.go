package trcfmt

import (
	_ "embed" // of the file below
	"sync"

	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

//go:embed builtin.trcfmt
var builtinText []byte

var parseBuiltin = sync.OnceValue(func() *grammar.File {
	f, errs := grammar.Parse("builtin.trcfmt", builtinText)
	if len(errs) > 0 {
		panic(errs) // a mistake in this package: its tests find it
	}
	return f
})

// Builtin returns the templates that need no file: for the hooks of the trace facility itself, for
// hooks without a template, and for hooks that switch processes. Pass it to Compile before a user's
// files, so that the user's templates replace it. It is shared and must not be changed.
func Builtin() *grammar.File { return parseBuiltin() }
