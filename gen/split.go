package gen

import (
	"fmt"
	"path"
	"strconv"

	"github.com/tracec/tracec/gen/internal/name"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/tracec/tracec/compiler/ir"
)

// SplitBase is the base name of the files of all packages of a split output, except the root.
const SplitBase = "events"

// part is one package of a split output.
type part struct {
	*pkg
	dir        string
	importPath string
}

// generateSplit writes a package for each group and the root package over them.
func generateSplit(u *ir.Unit, s system, events []*ir.Event, opts Options) ([]File, error) {
	parts, err := splitParts(u, s, events, opts)
	if err != nil {
		return nil, err
	}
	root := &page.File{Name: opts.Base + ".go", Package: opts.Package, Imports: s.imports, Parts: []func(*page.Page){
		handshake, func(out *page.Page) { rootDecoder(out, parts, &api{system: s}) },
	}}
	root.Doc = opts.doc(fmt.Sprintf("Package %s decodes %d events of %d groups, each group in a package below.",
		opts.Package, len(events), len(parts)))
	sources := []*page.File{root}
	for _, p := range parts {
		for _, f := range p.files(opts, SplitBase) {
			f.Dir = p.dir
			sources = append(sources, f)
		}
	}
	return opts.write(sources, u.Source)
}

// splitParts makes the packages, named by their groups. The package comment has the rules of names.
func splitParts(u *ir.Unit, s system, events []*ir.Event, opts Options) ([]*part, error) {
	var groups []string
	of := make(map[string][]*ir.Event)
	for _, e := range events {
		if of[e.Group] == nil {
			groups = append(groups, e.Group)
		}
		of[e.Group] = append(of[e.Group], e)
	}
	dirs := uniqueNames(groups, name.Package, "x")
	parts := make([]*part, len(groups))
	for i, g := range groups {
		p, err := plan(dirs[i], u.Target, s, of[g], true)
		if err != nil {
			return nil, err
		}
		p.group = g
		p.useText(opts.Text)
		parts[i] = &part{pkg: p, dir: dirs[i], importPath: path.Join(opts.ImportPath, dirs[i])}
	}
	return parts, nil
}

// uniqueNames adds a suffix to names that collide. The suffix depends on the original only.
func uniqueNames(originals []string, identifier func(string) string, sep string) []string {
	names := make([]string, len(originals))
	seen := make(map[string]int)
	for i, o := range originals {
		names[i] = identifier(o)
		seen[names[i]]++
	}
	for i, n := range names {
		if seen[n] > 1 {
			names[i] = n + sep + name.Fingerprint(originals[i], 4)
		}
	}
	return names
}

// rootDecoder writes Bind for all parts.
func rootDecoder(out *page.Page, parts []*part, a *api) {
	for _, p := range parts {
		out.ImportName(p.importPath, p.name)
		a.parts = append(a.parts, fmt.Sprintf("%s.Package, // %s, %s", out.Import(p.importPath), page.Quoted(p.group),
			plural(len(p.events))))
	}
	a.example = parts[0].name + "." + parts[0].names[0].variable
	a.write(out, nil)
}

func plural(n int) string {
	if n == 1 {
		return "1 event"
	}
	return strconv.Itoa(n) + " events"
}
