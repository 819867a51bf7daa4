package trcfmt

import "github.com/alecthomas/participle/v2/lexer"

// A File is the syntax tree of a template file. "aix.md" is docs/spec/aix.md.
type File struct {
	Pos      lexer.Position
	Items    []Item // stanzas, update operators and comments in file order: the input of tracec fmt
	Stanzas  []*Stanza
	IsUpdate bool // the first line is `* /etc/trcfmt`: an input of trcupdate
}

// Item is a *Stanza, a *Delete, a *Comment or a *Junk.
type Item interface{ Position() lexer.Position }

// A Comment is one comment line, including its mark.
type Comment struct {
	Pos  lexer.Position
	Text string
}

// Delete is the line `- id` of an update file.
type Delete struct {
	Pos  lexer.Position
	Hook HookID
	Rest string // ignored text after the id
}

// Junk is any other line, with its continuation lines. The error list has the reason.
type Junk struct {
	Pos  lexer.Position
	Text string
}

// A HookID is a hook id as written. Three digits hhh mean the same id as the four digits hhh0.
type HookID struct {
	Text  string // "1B0", "F5F1"
	Value uint16 // the 16-bit id: 0x1B00, 0xF5F1
}

// Stanza is one template.
type Stanza struct {
	Pos         lexer.Position
	End         lexer.Position // after its last line
	Add         bool           // written with `+` in an update file
	Hook        HookID
	Version     int // V
	Release     int // R
	Level       Level
	HasLevel    bool
	Label       string
	LabelQuoted bool
	Nodes       []Node
	// Comments are the comments between the lines of the stanza.
	Comments []*Comment
	// Broken is set if an error, not only a warning, is reported for the stanza. Source is then its
	// text as written, else empty.
	Broken bool
	Source string
}

// Level is the column at which the text of an event starts.
type Level uint8

// The levels. Kern is the default (aix.md 3.1).
const (
	Kern Level = iota
	Appl
	SVC
	Int
	Zero // L=0: column 0, no prefix
)

// Node is an element of a template.
type Node interface{ Position() lexer.Position }

// Base is embedded by every node.
type Base struct {
	Pos lexer.Position
	// Blank is set if white space follows the node in the template (aix.md 4.1 b).
	Blank bool
}

// Position returns the first character of the node.
func (b Base) Position() lexer.Position { return b.Pos }

// Position implements Item.
func (c *Comment) Position() lexer.Position { return c.Pos }

// Position implements Item.
func (j *Junk) Position() lexer.Position { return j.Pos }

// Position implements Item.
func (d *Delete) Position() lexer.Position { return d.Pos }

// Position implements Item.
func (s *Stanza) Position() lexer.Position { return s.Pos }

// The nodes.
type (
	// Code is a format code: X4, A8.16, S1, B0.3, HB, O2.0, EW.
	Code struct {
		Base
		Letter byte // G O R W A S B X D U o F H T E P
		// Size is m. Word is true for the W forms (XW, SW). Size2 is n. HasSize2 distinguishes A8.0
		// from A8. HB and HT have Letter H, and Kind is their second letter. HasSize is false for
		// HB, HT, the W forms and casts like %D, which have no size.
		Size, Size2 int
		HasSize     bool
		HasSize2    bool
		Word        bool
		Kind        byte // B or T of HB and HT
	}
	// Macro is $name or $name%fmt.
	Macro struct {
		Base
		Name string // as written, without $
		Cast *Code  // nil without a cast
	}
	// String is "…". Text is the text between the quotes, with " for \" (see Unescape).
	String struct {
		Base
		Value string
	}
	// BackQuote is `…`. Its parts are Strings, Codes and Macros. Blanks are literal.
	BackQuote struct {
		Base
		Nodes []Node
	}
	// Word is a bare word: a label.
	Word struct {
		Base
		Value string
	}
	// Newline is \n, Tab is \t.
	Newline struct{ Base }
	Tab     struct{ Base }
	// Switch is `subject, match single, match { … }, …`.
	Switch struct {
		Base
		Subject Node // *Code or *Macro
		Mask    *Number
		Cases   []*Case
	}
	// Loop is `LOOP subject { … }`.
	Loop struct {
		Base
		Subject Node
		Body    []Node
	}
	// BitFlags is `BITFLAGS subject, flag "set" "clear", & mask value "text"`.
	BitFlags struct {
		Base
		Subject Node
		Flags   []*Flag
	}
	// Assign is {{ $x = expr }} or, as a declaration only, {{ $x }}.
	Assign struct {
		Base
		Macro *Macro
		Value *Expr // nil if it only declares
	}
	// FuncDef is {{ name(param, …) … }}: a function of the whole file.
	FuncDef struct {
		Base
		Name   string
		Params []string // without $
		Dollar []bool   // which Params were written with $; no document defines the right form, so Format keeps it
		Body   []Node
	}
	// Call is name(expr, …): a defined or built-in function, starttimer or endtimer.
	Call struct {
		Base
		Name string
		Args []*Expr
	}
	// Sub is $hhh: the template of the hook hhh is used in its place.
	Sub struct {
		Base
		Hook HookID
	}
	// Bad is the rest of a stanza that could not be parsed. The error list has the reason.
	Bad struct {
		Base
		Text string
	}
)

// Case is one `match result` of a Switch.
type Case struct {
	Pos    lexer.Position
	Any    bool   // \*
	Match  string // as written: its base depends on the subject (aix.md 4.4)
	Quoted bool
	Braces bool
	Body   []Node
}

// Flag is one entry of BITFLAGS. Numbers are hexadecimal unless they start with o (octal).
type Flag struct {
	Pos      lexer.Position
	Mask     *Number // of `& mask value "text"`, else nil
	Value    *Number
	Set      string
	Clear    string
	HasClear bool
	// SetBack and ClearBack report that Set and Clear were written in back quotes.
	SetBack, ClearBack bool
}

// A Number is a number as written. Its base depends on its place.
type Number struct {
	Pos  lexer.Position
	Text string
}

// Expr is operand { op operand }, evaluated from left to right (aix.md 4.5). An operand is a *Code,
// a *Macro, a *Number or (a rule of this project) a *Call.
type Expr struct {
	Pos   lexer.Position
	First Node
	Rest  []Operation
}

// Operation is one `op operand` of an Expr: + - * / &.
type Operation struct {
	Pos lexer.Position
	Op  byte
	X   Node
}

// Position returns the first character of the number.
func (n *Number) Position() lexer.Position { return n.Pos }
