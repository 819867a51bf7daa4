// Package own reads the structs of a user's package that a decoder fills, and decides which value
// goes to which field. Its errors have places in the user's source.
package own

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/tracec/tracec/gen/internal/load"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/suggest"
)

// Structs are the structs of a package that a decoder fills. They have a directive //tracec:event.
type Structs struct {
	// Package is the name of the package. Dir is its directory.
	Package  string
	dir      string
	file     string // of the decoder, its absolute name
	scope    *types.Scope
	pkg      *types.Package
	set      *token.FileSet
	tags     map[token.Pos]*ast.Field // by the place of their name
	list     []*Struct
	match    func(group, name, label string) bool
	messages diag.List
	broken   bool                        // the package has type errors without the decoder
	wrong    []packages.Error            // errors of go/types
	passed   []string                    // files with a directive that are not built here, or only for tests
	typed    map[types.Object]types.Type // the right-hand sides of declarations of types
}

// Struct is a struct and the event that fills it.
type Struct struct {
	Name   string
	Event  string    // as in the directive
	at     token.Pos // of the event in the directive
	name   token.Pos
	fields []*Field
}

// readMode is the request to go/packages: syntax and types of the package itself, and only the
// export data of its imports.
const readMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedSyntax |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes

// Read reads the package that pattern names, a directory or an import path. base is the name of the
// decoder's file, without .go. A file of an earlier run is ignored, and so are type errors that it
// causes.
//
// The error is about the package as a whole: it does not exist, or it does not parse. The generator
// reports mistakes in directives and tags, so that users see all of them at once.
func Read(ctx context.Context, pattern, base string) (*Structs, error) {
	dir, err := load.Dir(ctx, pattern)
	if err != nil {
		return nil, err
	}
	s := &Structs{dir: dir, file: filepath.Join(dir, base+".go")}
	var stub []byte
	if ofEarlierRun(s.file) { // the name of the package there is ignored as well
		stub = []byte("//go:build ignore\n\npackage ignore\n")
	}
	pkg, err := s.load(ctx, stub)
	if err != nil {
		return nil, err
	}
	for _, e := range pkg.Errors {
		s.broken = s.broken || load.OfTypes(e)
		if e.Kind == packages.TypeError {
			s.wrong = append(s.wrong, e)
		}
	}
	s.Package, s.scope, s.pkg, s.set = pkg.Name, pkg.Types.Scope(), pkg.Types, pkg.Fset
	s.collect(pkg)
	if len(s.list) == 0 {
		s.passed = s.passedOver(pkg.GoFiles)
	}
	return s, nil
}

// passedOver returns the names of Go files of the directory with a directive that were not read.
func (s *Structs) passedOver(read []string) (names []string) {
	entries, _ := os.ReadDir(s.dir) // the go command has read the directory already
	for _, e := range entries {
		name := filepath.Join(s.dir, e.Name())
		if filepath.Ext(name) != ".go" || slices.Contains(read, name) {
			continue
		}
		if text, err := os.ReadFile(name); err == nil && bytes.Contains(text, []byte("\n"+directive+"event")) {
			names = append(names, e.Name())
		}
	}
	return names
}

// inTests returns warnings for directives in test files. A decoder is for a package without its
// test files.
func (s *Structs) inTests() (warnings diag.List) {
	for _, name := range s.passedOver(nil) {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			continue
		}
		before, _, _ := bytes.Cut(text, []byte("\n"+directive+"event"))
		at := diag.Position{Filename: s.short(filepath.Join(s.dir, name)), Line: bytes.Count(before, []byte("\n")) + 2,
			Column: 1}
		warnings = append(warnings, diag.New(at, diag.Warning, "into-directive",
			"files of tests are not read: declare the struct in another file"))
	}
	return warnings
}

// none returns the error for a package without a directive. The error names files with a directive
// that were not read.
func (s *Structs) none() error {
	const none = "no struct has a directive //tracec:event EVENT"
	if len(s.passed) == 0 {
		return errors.New(none)
	}
	return fmt.Errorf("%s in the files that are built here: test files and files that build constraints exclude are not read (%s)",
		none, strings.Join(s.passed, ", "))
}

// ofEarlierRun reports whether a file is a decoder, or empty. gen overwrites both.
func ofEarlierRun(name string) bool {
	text, err := os.ReadFile(name)
	return err == nil && (len(text) == 0 || bytes.HasPrefix(text, []byte("// Code generated by tracec ")))
}

// load reads the package with content instead of the decoder. If content is nil, it reads the
// present decoder.
func (s *Structs) load(ctx context.Context, content []byte) (*packages.Package, error) {
	c := &packages.Config{Context: ctx, Mode: readMode, Dir: s.dir}
	if content != nil {
		c.Overlay = map[string][]byte{s.file: content}
	}
	return load.One(c, s.placed)
}

// placed returns an error of go/packages, with its place if it has one.
func (s *Structs) placed(e packages.Error) error {
	if e.Pos == "" || e.Pos == "-" {
		return errors.New(e.Msg)
	}
	return fmt.Errorf("%s: %s", s.short(e.Pos), e.Msg)
}

// short makes a place FILE:LINE:COL relative to the working directory.
func (s *Structs) short(pos string) string {
	wd, err := os.Getwd()
	if err != nil {
		return pos
	}
	name, rest := pos, ""
	if i := strings.Index(pos, ".go:"); i >= 0 {
		name, rest = pos[:i+3], pos[i+3:]
	}
	if rel, err := filepath.Rel(wd, name); err == nil && filepath.IsAbs(name) && filepath.IsLocal(rel) {
		name = filepath.ToSlash(rel)
	}
	return name + rest
}

// position returns a place of the user's source. The output of cgo names the user's file by line
// directives. With -trimpath the directory of that file can be wrong: the build cache returns the
// output of any directory with the same file.
func (s *Structs) position(at token.Pos) token.Position {
	p := s.set.Position(at)
	if filepath.Ext(p.Filename) == ".go" {
		p.Filename = filepath.Join(s.dir, filepath.Base(p.Filename))
	}
	return p
}

// report adds an error at a place of the user's source.
func (s *Structs) report(to *diag.List, at token.Pos, code, format string, args ...any) {
	p := s.position(at)
	place := diag.Position{Filename: s.short(p.Filename), Line: p.Line, Column: p.Column}
	*to = append(*to, diag.New(place, diag.Error, code, format, args...))
}

// directive is the prefix of comments for tracec.
const directive = "//tracec:"

// whyInvalid returns the reason why go/types rejects a type at a place. It is the error of that
// line, or the error of a package that could not be imported.
func (s *Structs) whyInvalid(at token.Pos) string {
	p := s.set.Position(at) // as in the errors
	line := fmt.Sprintf("%s:%d:", p.Filename, p.Line)
	for _, of := range []func(packages.Error) bool{
		func(e packages.Error) bool { return strings.HasPrefix(e.Pos, line) },
		func(e packages.Error) bool { return strings.HasPrefix(e.Msg, "could not import ") },
	} {
		if i := slices.IndexFunc(s.wrong, of); i >= 0 {
			return ": " + strings.TrimSuffix(strings.Join(strings.Fields(s.wrong[i].Msg), " "),
				` (invalid package name: "")`)
		}
	}
	return ""
}

// collect finds the structs. It also finds directives in wrong places.
func (s *Structs) collect(pkg *packages.Package) {
	s.tags, s.typed = map[token.Pos]*ast.Field{}, map[types.Object]types.Type{}
	for _, f := range pkg.Syntax { // all of them first: a struct may embed a struct of a later file
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StructType:
				s.indexFields(n)
			case *ast.TypeSpec:
				s.typed[pkg.TypesInfo.Defs[n.Name]] = pkg.TypesInfo.TypeOf(n.Type)
			}
			return true
		})
	}
	for _, f := range pkg.Syntax {
		taken := map[*ast.Comment]bool{}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, spec := range d.Specs {
					s.typeSpec(pkg, d, spec.(*ast.TypeSpec), taken)
				}
			}
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, directive) && !taken[c] {
					s.report(&s.messages, c.Slash, "into-directive",
						"a directive for tracec goes into the comment of a type at package level")
				}
			}
		}
	}
	slices.SortStableFunc(s.list, func(a, b *Struct) int { return strings.Compare(a.Name, b.Name) })
}

// indexFields notes the fields of a struct by the place of their names.
func (s *Structs) indexFields(n *ast.StructType) {
	for _, f := range n.Fields.List {
		for _, name := range f.Names {
			s.tags[name.Pos()] = f
		}
		if f.Names == nil { // an embedded field is at the name of its type
			s.tags[embeddedName(f.Type).Pos()] = f
		}
	}
}

func embeddedName(e ast.Expr) ast.Expr {
	e = bareType(e)
	if x, ok := e.(*ast.SelectorExpr); ok {
		return x.Sel
	}
	return e
}

// bareType returns a type without its star and its type arguments.
func bareType(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.StarExpr:
		return bareType(x.X)
	case *ast.IndexExpr:
		return bareType(x.X)
	case *ast.IndexListExpr:
		return bareType(x.X)
	}
	return e
}

// typeSpec reads the directives of a type.
func (s *Structs) typeSpec(pkg *packages.Package, d *ast.GenDecl, spec *ast.TypeSpec, taken map[*ast.Comment]bool) {
	doc := spec.Doc
	if doc == nil && !d.Lparen.IsValid() {
		doc = d.Doc
	}
	var found *Struct
	before := len(s.messages)
	if doc != nil {
		for _, c := range doc.List {
			if text, ok := strings.CutPrefix(c.Text, directive); ok {
				taken[c] = true
				found = s.directive(c, text, spec.Name, found)
			} else if m := spaced().FindStringSubmatch(c.Text); m != nil {
				s.report(&s.messages, c.Slash, "into-directive", "a directive has no space after //: want //%s", m[1])
			}
		}
	}
	if st, ok := spec.Type.(*ast.StructType); ok && found == nil && len(s.messages) == before {
		s.strayTags(pkg, spec, st)
	}
	if found != nil {
		s.declared(pkg, spec, found)
	}
}

// spaced matches a comment that consists of a space and a directive.
var spaced = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^//[ \t]+(tracec:event[ \t]+\S+)[ \t]*$`) })

// directive reads one directive of a type. text is the part after the prefix. It returns found, the
// struct of the type's earlier directives, or a new struct if this is the first one.
func (s *Structs) directive(c *ast.Comment, text string, spec *ast.Ident, found *Struct) *Struct {
	name, word, event := spec.Name, text, ""
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		word, event = text[:i], strings.TrimLeft(text[i:], " \t")
	}
	at, eventAt := c.Slash+token.Pos(len(directive)), c.Slash+token.Pos(len(c.Text)-len(event))
	event = strings.TrimSpace(event)
	switch {
	case word != "event":
		s.report(&s.messages, at, "into-directive", "no such directive: %q%s", word,
			suggest.DidYouMean(word, []string{"event"}))
	case event == "":
		s.report(&s.messages, at, "into-directive",
			"want the name of an event, such as //tracec:event sched:sched_switch")
	case found == nil:
		return &Struct{Name: name, Event: event, at: eventAt, name: spec.Pos()}
	case found.Event == event:
		s.report(&s.messages, at, "into-directive", "%s already has this directive: leave one of them out", name)
	default:
		s.report(&s.messages, at, "into-directive",
			"%s is filled by %s already: declare another type for %s, such as type %s2 %s", name, found.Event, event,
			name, name)
	}
	return found
}
