package ftrace

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
	"github.com/tracec/tracec/grammar/diag"
)

// The grammar of a format file (ftrace.md 3.1), line by line. It accepts misplaced lines. The
// assembly of the File reports them, so that one misplaced line affects no other.
type (
	fileTree struct {
		Head   []*headLine  `parser:"@@*"`
		Format *formatLine  `parser:"@@?"`
		Fields []*fieldLine `parser:"@@*"`
		Print  *printLine   `parser:"@@?"`
	}
	headLine struct {
		Name *lexer.Token `parser:"@Name"`
		ID   *lexer.Token `parser:"| @ID"`
		Junk *lexer.Token `parser:"| @Junk"`
	}
	formatLine struct {
		Pos  lexer.Position
		Text string `parser:"@Format"`
	}
)

// fieldLine is a field, or another line among the fields.
type fieldLine struct {
	field *Field
	err   *diag.Diagnostic
}

// printLine is the print fmt.
type printLine struct {
	print *Print
	err   *diag.Diagnostic
}

// parser is built on first use. Building it takes half a millisecond, which a program that only
// links this package should not pay.
var parser = sync.OnceValue(func() *participle.Parser[fileTree] {
	return participle.MustBuild[fileTree](participle.Lexer(lineDefinition{}))
})

// Parse parses one format file. The file is never nil. If there are errors, it lacks the parts that
// they name. The name is used for positions only.
func Parse[S ~string | ~[]byte](name string, src S) (*File, diag.List) {
	file := &File{Pos: lexer.Position{Filename: name, Line: 1, Column: 1}}
	var errs diag.List
	if len(src) > MaxFileBytes {
		add(&errs, &diag.Diagnostic{Pos: file.Pos, Code: CodeLimit,
			Msg: fmt.Sprintf("file of %d bytes: at most %d are read", len(src), MaxFileBytes)})
		return file, errs
	}
	tree, err := parser().ParseString(name, string(src))
	if tree != nil {
		file.takeHead(tree, &errs)
		file.takeFields(tree, &errs)
		if tree.Print != nil {
			file.Print = tree.Print.print
			add(&errs, tree.Print.err)
		}
	}
	if err != nil {
		add(&errs, asError(err, file.Pos))
	}
	return file, errs
}

// asError turns an error of participle into ours.
func asError(err error, at lexer.Position) *diag.Diagnostic {
	if e, ok := err.(diag.Diagnostic); ok {
		return &e
	}
	e := &diag.Diagnostic{Pos: at, Code: CodeHead, Msg: err.Error()}
	if pe, ok := err.(participle.Error); ok {
		e.Pos, e.Msg = pe.Position(), pe.Message()
	}
	return e
}

func (f *File) takeHead(tree *fileTree, errs *diag.List) {
	head := func(pos lexer.Position, format string, args ...any) {
		add(errs, &diag.Diagnostic{Pos: pos, Code: CodeHead, Msg: fmt.Sprintf(format, args...)})
	}
	named, numbered := false, false
	for _, l := range tree.Head {
		switch {
		case l.Name != nil && named:
			head(l.Name.Pos, "second name: line")
		case l.Name != nil:
			named = true
			f.Name = l.Name.Value
			if f.Name == "" {
				head(l.Name.Pos, "expected the name of the event after name:")
			}
		case l.ID != nil && numbered:
			head(l.ID.Pos, "second ID: line")
		case l.ID != nil:
			numbered = true
			id, err := strconv.ParseUint(l.ID.Value, 10, 31)
			if err != nil {
				head(l.ID.Pos, "expected the number of the event after ID:, found %s", quote(l.ID.Value))
			}
			f.ID = int(id)
		case l.Junk != nil:
			head(l.Junk.Pos, "expected name:, ID: or format:, found %s", quote(l.Junk.Value))
		}
	}
	if !named {
		head(f.Pos, "expected a name: line")
	}
	if !numbered {
		head(f.Pos, "expected an ID: line")
	}
	if tree.Format == nil {
		head(f.Pos, "expected a format: line")
	}
}

func (f *File) takeFields(tree *fileTree, errs *diag.List) {
	f.Fields = make([]*Field, 0, len(tree.Fields))
	for _, l := range tree.Fields {
		add(errs, l.err)
		if l.field != nil {
			f.Fields = append(f.Fields, l.field)
		}
	}
}

// Parse implements participle.Parseable.
func (l *fieldLine) Parse(lex *lexer.PeekingLexer) error {
	t := lex.Peek()
	switch t.Type {
	case lineField:
		lex.Next()
		l.field, l.err = parseField(t.Pos, t.Value)
	case linePrint, lexer.EOF:
		return participle.NextMatch
	default:
		lex.Next()
		l.err = &diag.Diagnostic{Pos: t.Pos, Code: CodeField,
			Msg: fmt.Sprintf("expected field: or print fmt:, found %s", quote(t.Value))}
	}
	return nil
}

// Parse implements participle.Parseable.
func (l *printLine) Parse(lex *lexer.PeekingLexer) error {
	t := lex.Peek()
	if t.Type != linePrint {
		return participle.NextMatch
	}
	lex.Next()
	if t.Value == "" {
		// applespi_irq_received: the event was defined with a bare "\n" instead of TP_printk(…), so
		// the kernel prints an empty line for it.
		l.print = &Print{Pos: t.Pos}
		return nil
	}
	l.print, l.err = parsePrint(t.Pos, t.Value)
	return nil
}
