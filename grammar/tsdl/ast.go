package tsdl

import "github.com/alecthomas/participle/v2/lexer"

// A Declaration is a declaration outside of all braces.
type Declaration struct {
	Pos   lexer.Position
	Block *Block `parser:"( @@"`
	Entry *Entry `parser:"| @@ )"`
}

// A Block describes the trace, its environment, a clock, a stream, an event or a call site.
type Block struct {
	Pos     lexer.Position
	Kind    string   `parser:"@('trace' | 'env' | 'clock' | 'stream' | 'event' | 'callsite')"`
	Entries []*Entry `parser:"'{' @@* '}' ';'"`
}

// An Entry is a statement in a block, a structure or a variant, or outside of all braces.
type Entry struct {
	Pos     lexer.Position
	Setting *Setting `parser:"( @@"`
	Fields  *Fields  `parser:"| @@"`
	Alias   *Alias   `parser:"| 'typealias' @@"`
	Typedef *Fields  `parser:"| 'typedef' @@ ) ';'"`
}

// An Alias gives a type a name: typealias TYPE := NAME.
type Alias struct {
	Type []*Word     `parser:"@@+ ':='"`
	Name *Declarator `parser:"@@"`
}

// A Setting is an attribute: PATH = VALUE, or PATH := TYPE.
type Setting struct {
	Pos    lexer.Position
	Target Target  `parser:"@@"`
	Value  *Value  `parser:"( '=' @@"`
	Type   []*Word `parser:"| ':=' @@+ )"`
}

// Fields declare names of one type: unsigned long a, b[2]. The words of the first declarator begin
// with the words of the type. Without a name, as in `struct point { … };`, they declare only a
// type.
type Fields struct {
	First *Declarator   `parser:"@@"`
	Rest  []*Declarator `parser:"( ',' @@ )*"`
}

// A Declarator holds the words of a declaration and the marks after its name.
type Declarator struct {
	Pos      lexer.Position
	Words    []*Word  `parser:"@@+"`
	Lengths  []*Value `parser:"( '[' @@ ']' )*"`
	BitField *Value   `parser:"( ':' @@ )?"`
}

// A Scalar is integer, floating_point or string, with its attributes.
type Scalar struct {
	Pos        lexer.Position
	Kind       string     `parser:"@Scalar"`
	Attributes []*Setting `parser:"( '{' ( @@ ';' )* '}' )?"`
}

// A Struct is a structure with its members, or only the name of a structure that is declared
// elsewhere.
type Struct struct {
	Name  string `parser:"@Word?"`
	Body  *Body  `parser:"@@?"`
	Align *Value `parser:"( 'align' '(' @@ ')' )?"`
}

// A Body has the entries between braces.
type Body struct {
	Entries []*Entry `parser:"'{' @@* '}'"`
}

// A Variant is one of several types. Tag selects the type. It may be missing where the variant is
// declared.
type Variant struct {
	Name string `parser:"@Word?"`
	Tag  *Value `parser:"( '<' @@ '>' )?"`
	Body *Body  `parser:"@@?"`
}

// An Enum is an enumeration. If its container is missing, it is int.
type Enum struct {
	Name      string  `parser:"@Word?"`
	Container []*Word `parser:"( ':' @@+ )?"`
	Labels    *Labels `parser:"@@?"`
}

// Labels are the labels between braces. The last may be followed by a comma.
type Labels struct {
	List []*Label `parser:"'{' ( @@ ( ',' @@? )* )? '}'"`
}

// A Label names a value or a range of values. A label without a value is one more than the last
// value before it.
type Label struct {
	Pos   lexer.Position
	Name  string `parser:"( @Word"`
	Text  *Text  `parser:"| @String )"`
	First *Value `parser:"( '=' @@"`
	Last  *Value `parser:"  ( '...' @@ )? )?"`
}

// Text is the text between the quotes of a string or a character. Its escapes are replaced.
type Text string

// Capture implements participle.Capture. Tokens keep their quotes, so that a quoted text never
// equals a mark.
func (t *Text) Capture(values []string) error {
	*t = Text(unquote(values[0]))
	return nil
}
