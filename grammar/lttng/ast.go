package lttng

import "github.com/alecthomas/participle/v2/lexer"

// A Format is a whole format.
type Format struct {
	Items []*Item `parser:"@@*"`
}

// An Item is one part of a format: a Text, a Trace or a Conversion.
type Item struct {
	Pos lexer.Position
	// Text is literal text. Doubled # and % are kept as written.
	Text       string      `parser:"(  @(Text | Double)"`
	Trace      *Trace      `parser:" | @@"`
	Conversion *Conversion `parser:" | @@ )"`
}

// A Trace declares how the value of the next conversion is stored: #2u, #n4u, #p.
type Trace struct {
	Pos        lexer.Position
	Hash       string `parser:"@Hash"`
	Attributes string `parser:"@Attributes?"`
	Qualifier  string `parser:"@Qualifier?"`
	// Letter is the conversion: d i u o x X c s p; empty after attributes alone.
	Letter string `parser:"( @Letter"`
	// Swallowed is the character in the place of a missing letter, such as the % of `#1%d`. Kernels
	// and readers skipped it, so a conversion does not begin there.
	Swallowed string `parser:" | @Swallowed )?"`
}

// A Conversion defines a field: %lu, 0x%lX.
type Conversion struct {
	Pos       lexer.Position
	Percent   string `parser:"@Percent"`
	Flags     string `parser:"@Flags?"`
	Qualifier string `parser:"@Qualifier?"`
	Letter    string `parser:"@Letter"`
}
