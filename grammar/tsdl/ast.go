package tsdl

import "github.com/alecthomas/participle/v2/lexer"

// A Declaration is a declaration outside of all braces.
type Declaration struct {
	Pos   lexer.Position
	Block *Block
	Entry *Entry
}

// A Block describes the trace, its environment, a clock, a stream, an event or a call site.
type Block struct {
	Pos  lexer.Position
	Kind string
	Body *Body
}

// An Entry is a statement in a block, a structure or a variant, or outside of all braces.
type Entry struct {
	Pos     lexer.Position
	Setting *Setting
	Fields  *Fields
	Alias   *Alias
	Typedef *Fields
}

// An Alias gives a type a name: typealias TYPE := NAME.
type Alias struct {
	Type []*Word
	Name *Declarator
}

// A Setting is an attribute: PATH = VALUE, or PATH := TYPE.
type Setting struct {
	Pos    lexer.Position
	Target Target
	Value  *Value
	Type   []*Word
}

// A Target is the path that a setting gives a value or a type.
type Target struct{ Path []string }

// Fields declare names of one type: unsigned long a, b[2]. The words of the first declarator begin
// with those of the type. Without a name, as in `struct point { … };`, they are only a type.
type Fields struct {
	First *Declarator
	Rest  []*Declarator
}

// A Declarator is the words of a declaration and the marks after its name.
type Declarator struct {
	Pos      lexer.Position
	Words    []*Word
	Lengths  []*Value
	BitField *Value
}

// A Word is a part of a type, the name of a field, or a star.
type Word struct {
	Pos     lexer.Position
	Name    string
	Scalar  string // its text, for ReadScalar
	Struct  *Struct
	Enum    *Enum
	Variant *Variant
}

// A Scalar is integer, floating_point or string, with its attributes.
type Scalar struct {
	Pos        lexer.Position
	Kind       string
	Attributes []*Setting
}

// A Struct is a structure with its members, or only the name of a structure that is declared
// elsewhere.
type Struct struct {
	Name  string
	Body  *Body
	Align *Value
}

// A Body has the entries between braces.
type Body struct{ Entries []*Entry }

// A Variant is one of several types. Tag selects it, and may be missing where the variant is
// declared.
type Variant struct {
	Name string
	Tag  *Value
	Body *Body
}

// An Enum is an enumeration. Its container may be missing, and is then int.
type Enum struct {
	Name      string
	Container []*Word
	Labels    *Labels
}

// Labels are the labels between braces. The last may be followed by a comma.
type Labels struct{ List []*Label }

// A Label names a value, or a range of values. Without a value it is one more than the last before.
type Label struct {
	Pos         lexer.Position
	Name        string
	Text        *Text
	First, Last *Value // may be nil
}

// A Value is a number, a text or a path.
type Value struct {
	Pos    lexer.Position
	Sign   string
	Number string
	Text   *Text
	Path   []string
}

// Text is the text between the quotes of a string or a character. Its escapes are replaced.
type Text string
