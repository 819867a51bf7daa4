package gen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/suggest"
)

// Structs are the structs of a package that a decoder fills. They have a directive //tracec:event.
type Structs struct {
	// Package is the name of the package, Dir the directory that it is in.
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
	broken   bool             // the package has type errors without the decoder
	wrong    []packages.Error // errors of go/types
	passed   []string         // files that are not built here, or for tests alone, and have a directive
	others   map[string]bool  // see ofOtherSystems; nil until the first call
}

// Struct is a struct and the event that fills it.
type Struct struct {
	Name   string
	Event  string    // as the directive names it
	at     token.Pos // of the event in the directive
	name   token.Pos
	fields []*StructField
}

// readMode is the request to go/packages: syntax and types of the package itself, and only the
// export data of its imports.
const readMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedSyntax |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes

// ReadStructs reads the package that pattern names, a directory or an import path. base is the name
// of the decoder's file, without .go. An existing file of an earlier run does not count, and
// neither do type errors that it causes.
//
// The error is about the package as a whole: there is none, or it does not parse. GenerateInto
// reports mistakes in directives and tags, so that users see all of them at once.
func ReadStructs(ctx context.Context, pattern, base string) (*Structs, error) {
	dir, err := packageDir(ctx, pattern)
	if err != nil {
		return nil, err
	}
	s := &Structs{dir: dir, file: filepath.Join(dir, base+".go")}
	var stub []byte
	if ofEarlierRun(s.file) { // nor does the name of the package there
		stub = []byte("//go:build ignore\n\npackage ignore\n")
	}
	pkg, err := s.load(ctx, stub)
	if err != nil {
		return nil, err
	}
	for _, e := range pkg.Errors {
		s.broken = s.broken || ofTypes(e)
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

// passedOver returns the names of Go files of the directory that have a directive but were not
// read.
func (s *Structs) passedOver(read []string) (names []string) {
	entries, _ := os.ReadDir(s.dir) // which the go command has read
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

// inTests are warnings about directives in test files. A decoder is for a package without its test
// files.
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
		at := diag.Position{Filename: s.short(filepath.Join(s.dir, name)), Line: bytes.Count(before, []byte("\n")) + 2, Column: 1}
		warnings = append(warnings, diag.New(at, diag.Warning, "into-directive",
			"files of tests are not read: declare the struct in another file"))
	}
	return warnings
}

// none is the error if no struct has a directive. It names files that have one but were not read.
func (s *Structs) none() error {
	const none = "no struct has a directive //tracec:event EVENT"
	if len(s.passed) == 0 {
		return errors.New(none)
	}
	return fmt.Errorf("%s in what is built here: files of tests, and what build constraints exclude, are not read (%s)", none, strings.Join(s.passed, ", "))
}

// packageDir returns the absolute directory of a package.
func packageDir(ctx context.Context, pattern string) (string, error) {
	st, err := os.Stat(pattern)
	switch {
	case err == nil && st.IsDir():
		return filepath.Abs(pattern)
	case err != nil && (build.IsLocalImport(pattern) || filepath.IsAbs(pattern)):
		return "", noPackage(pattern)
	}
	list, err := packages.Load(&packages.Config{Context: ctx, Mode: packages.NeedName | packages.NeedFiles}, pattern)
	switch {
	case err != nil:
		return "", loadError(pattern, err)
	case len(list) != 1:
		return "", fmt.Errorf("%s: names %d packages, want one", pattern, len(list))
	case len(list[0].GoFiles) == 0:
		return "", noPackage(pattern)
	}
	return filepath.Dir(list[0].GoFiles[0]), nil
}

// noPackage is the path of a directory or a package that is not there.
type noPackage string

func (p noPackage) Error() string {
	return string(p) + ": no such directory, and no package of this import path with Go files"
}

// Is makes it [fs.ErrNotExist] to errors.Is.
func (noPackage) Is(target error) bool { return target == fs.ErrNotExist }

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
	list, err := packages.Load(c, ".")
	if err != nil {
		return nil, loadError(s.dir, err)
	}
	if len(list) != 1 { // without a word of the go command's
		if !inModule(s.dir) {
			return nil, fmt.Errorf("%s: not in a Go module (no go.mod above)", s.dir)
		}
		return nil, fmt.Errorf("%s: the go command finds no package; go mod tidy there may help", s.dir)
	}
	var errs []error
	for _, e := range list[0].Errors {
		if !ofTypes(e) {
			errs = append(errs, s.placed(e))
		}
	}
	if errs == nil && list[0].Types == nil {
		return nil, fmt.Errorf("%s: no Go package", s.dir)
	}
	return list[0], errors.Join(errs...)
}

// inModule reports whether a directory, or one above it, has a go.mod.
func inModule(dir string) bool {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

// placed is an error of go/packages, with its place if it has one.
func (s *Structs) placed(e packages.Error) error {
	if e.Pos == "" || e.Pos == "-" {
		return errors.New(e.Msg)
	}
	return fmt.Errorf("%s: %s", s.short(e.Pos), e.Msg)
}

// ofTypes reports whether an error only means that a package does not compile. When asked for
// export data, the go command reports this in lines after "# PACKAGE", without a place. The errors
// of go/types report the same.
func ofTypes(e packages.Error) bool {
	return e.Kind == packages.TypeError || e.Kind == packages.ListError && strings.HasPrefix(e.Msg, "# ")
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

// report adds an error at a place of the user's source.
func (s *Structs) report(to *diag.List, at token.Pos, code, format string, args ...any) {
	p := s.set.Position(at)
	place := diag.Position{Filename: s.short(p.Filename), Line: p.Line, Column: p.Column}
	*to = append(*to, diag.New(place, diag.Error, code, format, args...))
}

// directive begins the comments that are for tracec.
const directive = "//tracec:"

// whyInvalid returns the reason why go/types rejects a type at a place. It is the error of that
// line, or the error of a package that could not be imported.
func (s *Structs) whyInvalid(at token.Pos) string {
	p := s.set.Position(at)
	line := fmt.Sprintf("%s:%d:", p.Filename, p.Line)
	for _, of := range []func(packages.Error) bool{
		func(e packages.Error) bool { return strings.HasPrefix(e.Pos, line) },
		func(e packages.Error) bool { return strings.HasPrefix(e.Msg, "could not import ") },
	} {
		if i := slices.IndexFunc(s.wrong, of); i >= 0 {
			return ": " + strings.TrimSuffix(strings.Join(strings.Fields(s.wrong[i].Msg), " "), ` (invalid package name: "")`)
		}
	}
	return ""
}

// collect finds the structs. It also finds directives in other places.
func (s *Structs) collect(pkg *packages.Package) {
	s.tags = map[token.Pos]*ast.Field{}
	for _, f := range pkg.Syntax { // all of them first: a struct may embed one of a later file
		ast.Inspect(f, func(n ast.Node) bool {
			if n, ok := n.(*ast.StructType); ok {
				s.indexFields(n)
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
					s.report(&s.messages, c.Slash, "into-directive", "a directive for tracec goes into the comment of a type at package level")
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
		if f.Names == nil { // an embedded one is where the name of its type is
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

// spaced matches a comment that is nothing but a directive, after a space.
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
		s.report(&s.messages, at, "into-directive", "no such directive: %q%s", word, suggest.DidYouMean(word, []string{"event"}))
	case event == "":
		s.report(&s.messages, at, "into-directive", "want the name of an event, such as //tracec:event sched:sched_switch")
	case found == nil:
		return &Struct{Name: name, Event: event, at: eventAt, name: spec.Pos()}
	case found.Event == event:
		s.report(&s.messages, at, "into-directive", "%s has this directive already: leave one of them out", name)
	default:
		s.report(&s.messages, at, "into-directive", "%s is filled by %s already: declare another type for %s, such as type %s2 %s", name, found.Event, event, name, name)
	}
	return found
}
