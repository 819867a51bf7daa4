package trcfmt

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The outer structure of a template file (aix.md 3.1, 3.2 and 6). It accepts items in any order.
// Parse reports misplaced ones.
type (
	fileTree struct {
		Items []*itemTree `parser:"@@*"`
	}
	itemTree struct {
		Comment *lexer.Token `parser:"@Comment"`
		Stanza  *lexer.Token `parser:"| @Stanza"`
		Delete  *lexer.Token `parser:"| @Delete"`
		Junk    *lexer.Token `parser:"| @Junk"`
	}
)

// grammar is built on first use, so that a program that merely links this package does not pay for
// it.
var grammar = sync.OnceValue(func() *participle.Parser[fileTree] {
	return participle.MustBuild[fileTree](participle.Lexer(itemDefinition{}))
})
