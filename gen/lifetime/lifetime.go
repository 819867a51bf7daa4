// Package lifetime has an analyzer that finds records and events that are kept too long.
//
// Decoders return memory of the read buffer: a *record.Record, its event, and all memory to which
// both lead. Examples are Record.Data, a []byte of an event, and an event of package tracec. In a
// loop they are valid until the next step. After a call such as Decoder.Decode they are valid until
// the next call. In a function that is called for each record they are valid until it returns.
// After that, the memory holds other data.
//
// The analyzer reports stores of such memory in a variable, field, map, slice, channel or closure
// that lives longer. It also reports memory that is passed to a goroutine. Both may happen in
// functions that are called with it. The result of a call such as Decode is also reported if it is
// used after the next such call. A function that returns it counts as such a call. Numbers, arrays,
// strings and copies (bytes.Clone, append to a slice of bytes, conversion to string) may be kept.
//
// A line with the comment //tracec:kept is skipped. The comment should give the reason: data of a
// mapped recording, for example, are valid until Close.
//
// Command tracec-govet runs it under go vet.
package lifetime

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"

	"github.com/tracec/tracec/gen/sorted"
)

// Analyzer reports records and events that are kept.
var Analyzer = &analysis.Analyzer{
	Name:      "lifetime",
	Doc:       "report records and events of tracec that are used after they are valid",
	URL:       "https://pkg.go.dev/github.com/tracec/tracec/gen/lifetime",
	Requires:  []*analysis.Analyzer{functions},
	FactTypes: []analysis.Fact{new(effects)},
	Run:       sorted.Run(run),
}

const (
	module     = "github.com/tracec/tracec/"
	recordPath = module + "runtime/record"
	bindPath   = module + "runtime/bind"
	eventPath  = "github.com/tracec/tracec"
)

// functions is buildssa for the analyzed packages only. These are few of the packages of a program,
// but analyzers run on all of them.
var functions = &analysis.Analyzer{
	Name:       "lifetimefunctions",
	Doc:        "build SSA-form IR of packages that may keep records",
	Requires:   buildssa.Analyzer.Requires,
	ResultType: buildssa.Analyzer.ResultType,
	Run: func(pass *analysis.Pass) (any, error) {
		if passedOver(pass.Pkg) {
			return (*buildssa.SSA)(nil), nil
		}
		return buildssa.Analyzer.Run(pass)
	},
}

// passedOver reports whether the analyzer skips a package.
func passedOver(p *types.Package) bool {
	return p.Path() == eventPath || strings.HasPrefix(p.Path(), module) && trusted(p.Path()) || standard(p)
}

func run(pass *analysis.Pass) (any, error) {
	if passedOver(pass.Pkg) {
		return nil, nil
	}
	c := &checker{pass: pass, done: map[*ssa.Function]*effects{}, kept: keptLines(pass), said: map[token.Pos]bool{}}
	code := pass.ResultOf[functions].(*buildssa.SSA)
	for _, f := range code.SrcFuncs {
		if obj, ok := f.Object().(*types.Func); ok {
			if e := c.effectsOf(f); e != nil && (len(e.Params) > 0 || e.Lent != "") {
				pass.ExportObjectFact(obj, e)
			}
		}
	}
	for _, f := range code.SrcFuncs {
		c.check(f)
	}
	return nil, nil
}

// standard reports whether a package belongs to Go. views.go lists the behavior of these packages.
func standard(p *types.Package) bool {
	first, _, _ := strings.Cut(p.Path(), "/")
	if strings.Contains(first, ".") {
		return false
	}
	for _, imp := range p.Imports() {
		if strings.HasPrefix(imp.Path(), module) {
			return false
		}
	}
	return true
}

// trusted reports whether a package of tracec's module is trusted to keep memory correctly. This
// holds for all packages except programs and their tests.
func trusted(path string) bool {
	room, _, _ := strings.Cut(strings.TrimPrefix(path, module), "/")
	switch room {
	case "runtime", "compiler", "report", "export", "internal", "grammar":
		return true
	}
	return false
}

// checker is the analysis of a package.
type checker struct {
	pass *analysis.Pass
	done map[*ssa.Function]*effects
	kept map[string]map[int]bool
	said map[token.Pos]bool
}

// keptLines finds the lines with //tracec:kept, and the lines right below such a comment.
func keptLines(pass *analysis.Pass) map[string]map[int]bool {
	lines := map[string]map[int]bool{}
	for _, f := range pass.Files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if !strings.HasPrefix(c.Text, "//tracec:kept") {
					continue
				}
				p := pass.Fset.Position(c.Pos())
				if lines[p.Filename] == nil {
					lines[p.Filename] = map[int]bool{}
				}
				lines[p.Filename][p.Line], lines[p.Filename][p.Line+1] = true, true
			}
		}
	}
	return lines
}

// check reports the records and events that a function receives and keeps.
func (c *checker) check(f *ssa.Function) {
	for _, from := range c.sources(f) {
		t := newTaint(c, f)
		t.keep = func(pos token.Pos, where string) { c.report(pos, f, from, where) }
		t.lent, _ = from.value.(*ssa.Call)
		t.add(from.value)
		t.run()
		t.late(from)
	}
}

func (c *checker) report(pos token.Pos, f *ssa.Function, from source, where string) {
	if !pos.IsValid() {
		pos = f.Pos()
	}
	name := ""
	if p, ok := from.value.(*ssa.Parameter); ok {
		name = paramName(f, p)
	}
	c.say(pos, from.what, fmt.Sprintf("memory of %s%s, which is valid until %s, is kept %s: copy what is needed",
		from.what, name, from.until, where))
}

// say reports a place once, unless its line is skipped.
func (c *checker) say(pos token.Pos, what, message string) {
	at := c.pass.Fset.Position(pos)
	if c.said[pos] || c.kept[at.Filename][at.Line] {
		return
	}
	c.said[pos] = true
	c.pass.Report(analysis.Diagnostic{Pos: pos, Category: what, Message: message})
}

// paramName returns a space and the name of a parameter. If the parameter was made from the
// variable of a loop, it is the name of the variable.
func paramName(f *ssa.Function, p *ssa.Parameter) string {
	name := p.Name()
	if loop, ok := f.Syntax().(*ast.RangeStmt); ok {
		vars := []ast.Expr{loop.Key, loop.Value}
		name = ""
		for i, q := range f.Params {
			if id, ok := vars[min(i, 1)].(*ast.Ident); ok && q == p {
				name = id.Name
			}
		}
	}
	if name == "" || name == "_" {
		return ""
	}
	return " " + name
}

func isPointerTo(t types.Type, path, name string) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && isNamed(p.Elem(), path, name)
}

func isNamed(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path
}
