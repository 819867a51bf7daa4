package gen

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addStem adds a stem before every name that files declare at package level, so that two outputs
// fit into one package. The files are one package. Fields and methods keep their names. Exported
// names stay exported, and other names stay unexported.
func addStem(files []File, stem string) error {
	_, err := renameTop(files, func(name string) string { return stemmed(stem, name) })
	return err
}

// renameTop renames everything that files declare at package level, and returns the new names. The
// files are one package.
func renameTop(files []File, rename func(string) string) (declared []string, err error) {
	set := token.NewFileSet()
	trees := make([]*ast.File, len(files))
	names := map[string]string{}
	for i, f := range files {
		tree, err := parser.ParseFile(set, f.Name, f.Content, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("gen: %s does not parse, which is a bug of tracec: %w", f.Name, err)
		}
		trees[i] = tree
		for name := range tree.Scope.Objects {
			names[name] = rename(name)
		}
	}
	for i, tree := range trees {
		r := renaming{names: names, tree: tree, set: set, keys: map[*ast.Ident]bool{}}
		ast.Inspect(tree, r.visit)
		for _, id := range tree.Unresolved { // of another file, or predeclared
			r.ident(id)
		}
		content, err := format.Source(r.apply(files[i].Content))
		if err != nil {
			return nil, fmt.Errorf("gen: %s: %w", files[i].Name, err)
		}
		files[i].Content = content
	}
	return slices.Sorted(maps.Values(names)), nil
}

// stemmed is a name with the stem in front.
func stemmed(stem, name string) string {
	if token.IsExported(name) {
		return withFirst(unicode.ToUpper, stem) + name
	}
	return withFirst(unicode.ToLower, stem) + withFirst(unicode.ToUpper, name)
}

func withFirst(change func(rune) rune, s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(change(r)) + s[n:]
}

// renaming collects the places of names in a file.
type renaming struct {
	names map[string]string
	tree  *ast.File
	set   *token.FileSet
	keys  map[*ast.Ident]bool // keys of struct literals: the parser resolves them to declarations of the same name
	edits []edit
}

// edit is a name in the text.
type edit struct {
	at       int
	old, new string
}

func (r *renaming) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok {
			r.keys[id] = true
		}
	case *ast.Ident:
		if n.Obj != nil && n.Obj == r.tree.Scope.Objects[n.Name] {
			r.ident(n)
		}
	case *ast.FuncDecl:
		if n.Recv == nil {
			r.doc(n.Doc, n.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range n.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				r.doc(n.Doc, s.Name.Name)
			case *ast.ValueSpec:
				if len(n.Specs) == 1 {
					r.doc(n.Doc, s.Names[0].Name)
				}
			}
		}
	}
	return true
}

func (r *renaming) ident(id *ast.Ident) {
	if name, ok := r.names[id.Name]; ok && !r.keys[id] {
		r.edits = append(r.edits, edit{r.set.Position(id.Pos()).Offset, id.Name, name})
	}
}

// doc renames the first word of a doc comment if it is the declared name.
func (r *renaming) doc(doc *ast.CommentGroup, name string) {
	if doc == nil || !strings.HasPrefix(doc.List[0].Text, "// "+name+" ") {
		return
	}
	r.edits = append(r.edits, edit{r.set.Position(doc.Pos()).Offset + len("// "), name, r.names[name]})
}

func (r *renaming) apply(text []byte) []byte {
	slices.SortFunc(r.edits, func(a, b edit) int { return a.at - b.at })
	var out []byte
	at := 0
	for _, e := range slices.CompactFunc(r.edits, func(a, b edit) bool { return a.at == b.at }) {
		out = append(append(out, text[at:e.at]...), e.new...)
		at = e.at + len(e.old)
	}
	return append(out, text[at:]...)
}
