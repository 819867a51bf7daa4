package uftrace

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The outer structure of a text: items, and the words after their @. It accepts everything.
type (
	listTree struct {
		Items []*itemTree `parser:"( @@ | Semicolon )*"`
	}
	itemTree struct {
		Pattern *lexer.Token `parser:"( @Pattern"`
		At      *lexer.Token `parser:"  @At? | @At )"`
		Words   []*wordTree  `parser:"( @@ | Comma )*"`
	}
	wordTree struct {
		Token *lexer.Token `parser:"@Word"`
	}
	wordsTree struct {
		Words []*wordTree `parser:"At? ( @@ | Comma | Semicolon )*"`
	}
)

// The second @ of an item is text. uftrace does not trim blanks, so they are text too.
var listRules = lexer.Rules{
	"Root": {
		{Name: "Semicolon", Pattern: `;`},
		{Name: "At", Pattern: `@`, Action: lexer.Push("Words")},
		{Name: "Pattern", Pattern: `[^;@]+`},
	},
	"Words": {
		{Name: "Semicolon", Pattern: `;`, Action: lexer.Pop()},
		{Name: "Comma", Pattern: `,`},
		{Name: "Word", Pattern: `[^;,]+`},
	},
}

var wordsRules = lexer.Rules{
	"Root": {
		{Name: "At", Pattern: `@`},
		{Name: "Semicolon", Pattern: `;`},
		{Name: "Comma", Pattern: `,`},
		{Name: "Word", Pattern: `[^;,@][^;,]*`},
	},
}

// The grammars are built on first use, which a program that merely links this package should not pay.
var (
	listGrammar = sync.OnceValue(func() *participle.Parser[listTree] {
		return participle.MustBuild[listTree](participle.Lexer(lexer.MustStateful(listRules)))
	})
	wordsGrammar = sync.OnceValue(func() *participle.Parser[wordsTree] {
		return participle.MustBuild[wordsTree](participle.Lexer(lexer.MustStateful(wordsRules)))
	})
)
