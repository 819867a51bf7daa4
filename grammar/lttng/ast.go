package lttng

import "github.com/alecthomas/participle/v2/lexer"

// Format is a whole format.
type Format struct {
	Items []*Item `parser:"@@*"`
}

// Item is one of its parts: either Text, a Trace or a Conversion.
type Item struct {
	Pos lexer.Position
	// Text is literal, with doubled # and % as they are written.
	Text       string      `parser:"(  @(Text | Double)"`
	Trace      *Trace      `parser:" | @@"`
	Conversion *Conversion `parser:" | @@ )"`
}

// Trace is how the value of the conversion after it is stored: #2u, #n4u, #p.
type Trace struct {
	Pos        lexer.Position
	Hash       string `parser:"@Hash"`
	Attributes string `parser:"@Attributes?"`
	Qualifier  string `parser:"@Qualifier?"`
	// Letter is the conversion: d i u o x X c s p; empty after attributes alone.
	Letter string `parser:"( @Letter"`
	// Swallowed is the text in its place when it is missing, as the % of `#1%d`: kernels and
	// readers passed over it, so that no conversion begins there.
	Swallowed string `parser:" | @Swallowed )?"`
}

// Conversion is what makes a field: %lu, 0x%lX.
type Conversion struct {
	Pos       lexer.Position
	Percent   string `parser:"@Percent"`
	Flags     string `parser:"@Flags?"`
	Qualifier string `parser:"@Qualifier?"`
	Letter    string `parser:"@Letter"`
}
