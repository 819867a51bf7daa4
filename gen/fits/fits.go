// Package fits has an analyzer that finds fields of events that a program reads but some recordings
// lack or have at another offset.
//
// Generated packages contain the layouts of their events. The analyzer compares these with
// recordings or kernels as Bind does. It reports the places in the program that read a missing
// field, or a field that has no equal value in the recording. It also reports fields of events
// whose records are copied because the field has moved or changed its size. An event that does not
// bind for other reasons is reported where its type is first named. tracec check reports on all
// events of a package, used or not.
package fits

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/sorted"
	"github.com/tracec/tracec/runtime/bind"
)

// Against is a recording or a kernel that programs must be able to read.
type Against struct {
	Name      string
	Container string // the import path of the package that reads such recordings
	Recorded  bind.Source
}

// New returns an analyzer with a flag, against, for the recordings and kernels to compare: a list
// with commas. open opens each of them once.
func New(open func(name string) (*Against, error)) *analysis.Analyzer {
	c := &comparison{open: open, opened: map[string]*Against{}}
	a := &analysis.Analyzer{
		Name:      "fits",
		Doc:       "report fields of events that recordings do not have, or have elsewhere: -fits.against=FILE,...",
		URL:       "https://pkg.go.dev/github.com/tracec/tracec/gen/fits",
		Requires:  []*analysis.Analyzer{inspect.Analyzer},
		FactTypes: []analysis.Fact{new(layouts)},
		Run:       sorted.Run(c.run),
	}
	a.Flags.Var(&c.names, "against", "recordings, copies of tracefs, events/ trees or templates: a `LIST` with commas")
	return a
}

// layouts are the events of a generated package, a fact of it.
type layouts struct {
	Container string
	Events    []bind.Event
}

// AFact implements analysis.Fact.
func (*layouts) AFact() {}

// comparison is the analysis of all packages of a run.
type comparison struct {
	open   func(name string) (*Against, error)
	names  list
	mu     sync.Mutex // packages are analyzed in parallel
	opened map[string]*Against
}

func (c *comparison) against(name string) (*Against, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.opened[name]; a != nil {
		return a, nil
	}
	a, err := c.open(name)
	if err == nil {
		c.opened[name] = a
	}
	return a, err
}

func (c *comparison) run(pass *analysis.Pass) (any, error) {
	p, err := gen.ReadSyntax(pass.Pkg.Path(), pass.Fset, pass.Files)
	if err != nil {
		return nil, err
	}
	own := &layouts{}
	if p != nil {
		own = &layouts{p.Container, p.Events}
		pass.ExportPackageFact(own)
	}
	if len(c.names) == 0 {
		return nil, nil
	}
	u := &uses{pass: pass, tables: map[*types.Package]*layouts{pass.Pkg: own}, read: map[*types.TypeName]*use{}}
	if u.find(); len(u.order) == 0 {
		return nil, nil
	}
	for _, name := range c.names {
		a, err := c.against(name)
		if err != nil { // a mistake of the package: on its next run, go vet would not show an error
			pass.Reportf(pass.Files[0].Package, "-fits.against: %v", err)
			continue
		}
		for _, e := range u.order {
			e.compare(pass, a)
		}
	}
	return nil, nil
}

// uses are the events whose fields a package reads.
type uses struct {
	pass   *analysis.Pass
	tables map[*types.Package]*layouts
	read   map[*types.TypeName]*use
	order  []*use
}

// use is an event with the places where its fields are read.
type use struct {
	container string
	event     bind.Event
	first     ast.Node
	fields    map[string][]*ast.SelectorExpr // by the event's own names
}

// find collects the uses outside generated files.
func (u *uses) find() {
	in := u.pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for c := range in.Root().Preorder((*ast.File)(nil)) {
		if ast.IsGenerated(c.Node().(*ast.File)) {
			continue
		}
		for x := range c.Preorder((*ast.SelectorExpr)(nil), (*ast.Ident)(nil)) {
			switch n := x.Node().(type) {
			case *ast.SelectorExpr:
				u.selector(n)
			case *ast.Ident:
				if name, ok := u.pass.TypesInfo.Uses[n].(*types.TypeName); ok {
					u.event(name, n)
				}
			}
		}
	}
}

// event returns the use of a type, or nil if the type is not an event.
func (u *uses) event(name *types.TypeName, at ast.Node) *use {
	if e, ok := u.read[name]; ok {
		return e
	}
	var e *use
	t := u.table(name.Pkg())
	if i := slices.IndexFunc(t.Events, func(e bind.Event) bool { return e.Type == name.Name() }); i >= 0 {
		e = &use{container: t.Container, event: t.Events[i], first: at, fields: map[string][]*ast.SelectorExpr{}}
		u.order = append(u.order, e)
	}
	u.read[name] = e
	return e
}

// table returns the events of a package. It has no events if the package was not generated.
func (u *uses) table(p *types.Package) *layouts {
	if p == nil {
		return &layouts{}
	}
	t := u.tables[p]
	if t == nil {
		t = &layouts{}
		u.pass.ImportPackageFact(p, t)
		u.tables[p] = t
	}
	return t
}

// selector notes that x.f reads a field of an event, or calls its method.
func (u *uses) selector(n *ast.SelectorExpr) {
	t := u.pass.TypesInfo.TypeOf(n.X)
	if t == nil {
		return
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return
	}
	e := u.event(named.Obj(), n)
	if e == nil {
		return
	}
	if field := e.member(named, n.Sel.Name); field != "" {
		e.fields[field] = append(e.fields[field], n)
	}
}

// member returns the event's name for a field or method of its struct. In a struct of the user's
// own, a tag gives the name. Otherwise the names are equal, ignoring case and underscores.
func (e *use) member(named *types.Named, name string) string {
	if s, ok := named.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			tagged, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("tracec"), ",")
			if s.Field(i).Name() == name && tagged != "" {
				return tagged
			}
		}
	}
	if field, ok := gen.Members(&e.event)[name]; ok {
		return field
	}
	for _, f := range e.event.Fields {
		if strings.EqualFold(strings.ReplaceAll(f.Name, "_", ""), name) {
			return f.Name
		}
	}
	return ""
}

// compare reports how an event differs in recordings.
func (e *use) compare(pass *analysis.Pass, a *Against) {
	if a.Container != "" && a.Container != e.container {
		return
	}
	fit := bind.Match(a.Recorded, []bind.Event{e.event}, false)[0]
	explained := false
	have := a.Recorded(e.event.Name)
	for i := range have {
		h := &have[i]
		if h.Exit != e.event.Exit || e.event.Group != "" && h.Group != "" && h.Group != e.event.Group {
			continue
		}
		// If the event does not bind, the recorded fields would be copied.
		relocates := fit.Err != nil || slices.ContainsFunc(fit.Bound, func(b bind.Bound) bool { return b.Relocates })
		for _, f := range bind.FitFields(&e.event, h, false) {
			places := e.fields[f.Field.Name]
			switch {
			case len(places) == 0:
			case f.Err != nil:
				explained = true
				e.report(pass, places, "missing", fmt.Sprintf("field %s of %s, in %s: %v", f.Field.Name,
					e.event.Label(), a.Name, f.Err))
			case relocates && f.Recorded != nil &&
				(f.Recorded.Offset != f.Field.Offset || f.Recorded.Size != f.Field.Size):
				e.report(pass, places, "relocated",
					fmt.Sprintf("field %s of %s, in %s: relocated: at %d, %d bytes, compiled at %d, %d bytes",
						f.Field.Name, e.event.Label(), a.Name, f.Recorded.Offset, f.Recorded.Size, f.Field.Offset,
						f.Field.Size))
			}
		}
	}
	if fit.Err != nil && !explained {
		pass.Report(analysis.Diagnostic{Pos: e.first.Pos(), Category: "unbound",
			Message: fmt.Sprintf("in %s: %v", a.Name, fit.Err)})
	}
}

func (e *use) report(pass *analysis.Pass, places []*ast.SelectorExpr, category, message string) {
	for _, n := range places {
		pass.Report(analysis.Diagnostic{Pos: n.Sel.Pos(), End: n.Sel.End(), Category: category, Message: message})
	}
}
