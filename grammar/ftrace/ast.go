package ftrace

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// A File is the syntax tree of one `format` file of a kernel.
type File struct {
	Pos    lexer.Position
	Name   string
	ID     int
	Fields []*Field // in file order, the common_ ones first
	// Print is nil if the file has no `print fmt:` line, or if that line does not parse. In the
	// second case, Parse reports an error.
	Print *Print
}

// Common returns the number of common fields, which all events begin with. These are the common_
// fields before the first blank line. A user-defined event may have fields with such names after
// it.
func (f *File) Common() int {
	for i, fd := range f.Fields {
		if !strings.HasPrefix(fd.Name, "common_") || i > 0 && fd.Pos.Line > f.Fields[i-1].Pos.Line+1 {
			return i
		}
	}
	return len(f.Fields)
}

// Field is one `field:` line.
type Field struct {
	Pos     lexer.Position
	Special bool   // `field special:`, written by kernels before 2.6.33
	Decl    string // the declaration as written, blanks folded: "__data_loc char[] name"
	Offset  int    // bytes from the start of the record
	Size    int    // bytes; 0 for a tail array
	// Signed is the `signed:` column; HasSigned is false on kernels before 2.6.32, which lack it.
	Signed    bool
	HasSigned bool

	// The parts of the declaration.
	Loc  Loc      // __data_loc or __rel_loc
	Type string   // the type without loc, name and dimensions: "const char *", "unsigned long"
	Name string   // "comm"
	Dims []string // text between each pair of brackets, outermost first: "16", "TASK_COMM_LEN", ""
}

// Loc reports whether the field is the 4-byte length-and-offset word of dynamic data.
type Loc uint8

// The kinds of Loc.
const (
	LocNone Loc = iota
	LocData     // __data_loc: the offset counts from the start of the record
	LocRel      // __rel_loc: the offset counts from the end of this word
)

// Print is the `print fmt:` line: a printf format and its arguments.
type Print struct {
	Pos    lexer.Position
	Format string // adjacent literals joined, escapes decoded
	Args   []Expr
}

// An Expr is a C expression. Every node has its position.
type Expr interface {
	Position() lexer.Position
}

// Node is embedded by every expression and statement.
type Node struct{ Pos lexer.Position }

// Position returns the first character of the node.
func (n Node) Position() lexer.Position { return n.Pos }

// The expressions. `REC` is an ordinary Ident; `(REC)->x` and `REC->x` are both Member with Arrow.
type (
	// Ident is a name: REC, an enum constant that the kernel did not resolve, a variable.
	Ident struct {
		Node
		Name string
	}
	// Number is an integer literal; Value holds its bits, the suffix flags its C type.
	Number struct {
		Node
		Text     string // as written, for messages
		Value    uint64
		Decimal  bool // a decimal literal is unsigned only with a suffix
		Unsigned bool // suffix U
		Long     int  // number of L in the suffix: 0, 1, 2
	}
	// Char is a character literal: an int in C.
	Char struct {
		Node
		Value byte
	}
	// String is one or several adjacent string literals, joined, escapes decoded.
	String struct {
		Node
		Value string
	}
	// Unary is `Op X`: + - ! ~ * & ++ --.
	Unary struct {
		Node
		Op string
		X  Expr
	}
	// Postfix is `X Op`: ++ or --.
	Postfix struct {
		Node
		Op string
		X  Expr
	}
	// Binary is `X Op Y`. The assignment operators and the comma operator are included.
	Binary struct {
		Node
		Op   string
		X, Y Expr
	}
	// Cond is `If ? Then : Else`; Then is nil for the GNU form `If ?: Else`.
	Cond struct {
		Node
		If, Then, Else Expr
	}
	// Cast is `(Type) X`.
	Cast struct {
		Node
		Type *TypeName
		X    Expr
	}
	// Sizeof is `sizeof(Type)` or `sizeof X`; one of the two is set. Alignof is set for
	// __alignof__.
	Sizeof struct {
		Node
		Type    *TypeName
		X       Expr
		Alignof bool
	}
	// Index is `X[I]`.
	Index struct {
		Node
		X, I Expr
	}
	// Member is `X.Name` or, with Arrow, `X->Name`.
	Member struct {
		Node
		X     Expr
		Name  string
		Arrow bool
	}
	// Call is `Fun(Args)`. An argument may be a *TypeExpr (__builtin_types_compatible_p) or an
	// *InitList (the tables of __print_flags).
	Call struct {
		Node
		Fun  Expr
		Args []Expr
	}
	// InitList is `{ a, .f = b, [2] = c, }`.
	InitList struct {
		Node
		Elems []InitElem
	}
	// CompoundLit is `(Type){ … }`.
	CompoundLit struct {
		Node
		Type *TypeName
		Init *InitList
	}
	// StmtExpr is the GNU statement expression `({ … })`. Its value is the value of the last
	// statement.
	StmtExpr struct {
		Node
		Stmts []Stmt
	}
	// TypeExpr is a type where an expression is expected.
	TypeExpr struct {
		Node
		Type *TypeName
	}
	// Generic is `_Generic(X, Type: Value, default: Value)`.
	Generic struct {
		Node
		X    Expr
		Arms []GenericArm
	}
)

// GenericArm is one association of a Generic. A nil Type means default.
type GenericArm struct {
	Type  *TypeName
	Value Expr
}

// InitElem is one element of an InitList.
type InitElem struct {
	Field string // .Field =, else empty
	Index Expr   // [Index] =, else nil
	Last  Expr   // end of a GNU range [Index ... Last] =, else nil
	Value Expr
}

// TypeName is a C type as written in a cast, a declaration or a sizeof.
type TypeName struct {
	Pos  lexer.Position
	Base string // qualifiers dropped, words in the order written: "unsigned long", "struct page", "u8"
	// Typeof is the operand of typeof(…): an expression, or a *TypeExpr.
	Typeof Expr
	// Body is set for a struct, union or enum given with its members. It is empty, not nil, for
	// `struct { }` and for one with only assertions.
	Body     []*Decl
	Asserts  []*StaticAssert // `_Static_assert(…)` among the members
	Pointers int             // number of stars
	Dims     []Expr          // array dimensions, nil for an empty pair of brackets
	Bits     Expr            // width of a bit-field member
	// Func reports whether the type is a function that returns the type described by the other
	// members (parameters are dropped). FuncPointers is the number of stars in front of the
	// function: `void (*)(int)` has one.
	Func         bool
	FuncPointers int
}

// Stmt is a statement of a statement expression.
type Stmt interface {
	Position() lexer.Position
}

// The statements.
type (
	// Decl declares one variable (or, inside a TypeName, one member).
	Decl struct {
		Node
		Static bool
		Extern bool
		Type   *TypeName
		Name   string
		Init   Expr // may be an *InitList; nil if missing
	}
	// StaticAssert is `_Static_assert(Cond, Message);`. It has no effect.
	StaticAssert struct {
		Node
		Cond    Expr
		Message Expr // a *String; nil if missing
	}
	// ExprStmt is an expression followed by a semicolon. X is never nil: the empty statement is
	// dropped from lists and becomes an empty Block as the body of a loop or an if.
	ExprStmt struct {
		Node
		X Expr
	}
	// Block is `{ … }`.
	Block struct {
		Node
		Stmts []Stmt
	}
	// If is `if (Cond) Then else Else`.
	If struct {
		Node
		Cond       Expr
		Then, Else Stmt
	}
	// For is `for (Init; Cond; Post) Body`. While loops have only Cond; do loops set Do. An Init
	// that declares several variables is a Block of Decls.
	For struct {
		Node
		Init Stmt
		Cond Expr
		Post Expr
		Body Stmt
		Do   bool
	}
	// Switch is `switch (X) { … }`; its cases are Case statements in Body, with C's fall-through.
	Switch struct {
		Node
		X    Expr
		Body []Stmt
	}
	// Case is the label `case Value:` or, with a nil Value, `default:`. High is set for GNU ranges.
	Case struct {
		Node
		Value, High Expr
	}
	// Jump is break, continue or return (with an optional value).
	Jump struct {
		Node
		Word string
		X    Expr
	}
)
