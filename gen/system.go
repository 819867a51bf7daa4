package gen

import (
	"fmt"
	"go/token"
	"maps"
	"path"
	"regexp"
	"sync"

	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// system describes the container whose recordings generated code reads. Nothing here depends on a
// particular container.
type system struct {
	path    string // the import path
	name    string // of the package
	entries bool   // records come with an Entry
	// checksHead reports that Decode and Text check the length of the head, before the functions of
	// the events.
	checksHead bool
}

// containerPath is an import path whose last element is the name of the package.
var containerPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z0-9_~.-]*[A-Za-z0-9_~-]/)*[a-z][a-z0-9]*$`) })

func systemOf(u *ir.Unit) (system, error) {
	if !containerPath().MatchString(u.Container) || token.IsKeyword(path.Base(u.Container)) {
		return system{}, fmt.Errorf("gen: invalid import path of a container: %q", u.Container)
	}
	return system{path: u.Container, name: path.Base(u.Container), entries: u.Entries}, nil
}

func (s system) layoutPath() string { return s.path + "/layout" }

// imports gives jennifer the names of the packages.
func (s system) imports(f *jen.File) {
	for path, name := range s.packages() {
		f.ImportName(path, name)
	}
}

// packages are the names of the packages that generated code imports, by path.
func (s system) packages() map[string]string {
	all := maps.Clone(expr.Packages)
	all[s.path], all[s.layoutPath()] = s.name, "layout"
	return all
}

// entry returns the type of the entry of a record.
func (s system) entry() *jen.Statement {
	if s.entries {
		return jen.Qual(s.path, "Entry")
	}
	return jen.Qual(expr.RecordPath, "None")
}

// entryCode returns entry as text.
func (s system) entryCode(out *page.Page) string {
	if s.entries {
		return out.Import(s.path) + ".Entry"
	}
	return out.Import(expr.RecordPath) + ".None"
}

// textFunc adds the parameters and the result of a function that appends the text of an event. data
// and env are the names of two of the parameters, or _.
func (s system) textFunc(fn *jen.Statement, data, env string) *jen.Statement {
	return fn.Params(jen.List(dst(), jen.Id(data)).Index().Byte(), jen.Id("_").Op("*").Add(s.entry()),
		jen.Id(env).Op("*").Add(expr.Render("Env"))).Index().Byte()
}

func (s system) entryParam() *jen.Statement { return jen.Id("x").Op("*").Add(s.entry()) }
