package trcrpt

import grammar "github.com/tracec/tracec/grammar/trcfmt"

// builtin is the file of the templates that need no file.
func builtin() []*grammar.File { return nil }
