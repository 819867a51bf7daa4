package gen

import (
	"fmt"
	"path"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// SplitBase is the base name of the files of every package of a split output but the root.
const SplitBase = "events"

// part is one package of a split output.
type part struct {
	*pkg
	field      string // of the root Decoder
	dir        string
	importPath string
}

// generateSplit writes a package for each group and the root package over them.
func generateSplit(u *ir.Unit, s system, events []*ir.Event, opts Options) ([]File, error) {
	parts, err := splitParts(u, s, events, opts)
	if err != nil {
		return nil, err
	}
	root := &source{name: opts.Base + ".go", pkg: opts.Package, imports: s.imports, pieces: []func(*piece){
		handshake, func(out *piece) { rootDecoder(out, parts, &decoder{system: s, text: opts.Text, forwards: true}) },
	}}
	root.doc = []string{fmt.Sprintf("Package %s decodes %d events of %d groups, each group in a package below.", opts.Package, len(events), len(parts))}
	sources := []*source{root}
	for _, p := range parts {
		for _, f := range p.files(opts, SplitBase) {
			f.dir = p.dir
			sources = append(sources, f)
		}
	}
	return writeAll(sources, opts, u.Source)
}

// splitParts makes the packages, named by their groups; see the package comment for the rules of names.
func splitParts(u *ir.Unit, s system, events []*ir.Event, opts Options) ([]*part, error) {
	var groups []string
	of := make(map[string][]*ir.Event)
	for _, e := range events {
		if of[e.Group] == nil {
			groups = append(groups, e.Group)
		}
		of[e.Group] = append(of[e.Group], e)
	}
	dirs := uniqueNames(groups, packageName, nil, "x")
	fields := uniqueNames(groups, goName, decoderReserved, "X")
	parts := make([]*part, len(groups))
	for i, g := range groups {
		p, err := plan(dirs[i], u.Target, s, of[g], true)
		if err != nil {
			return nil, err
		}
		p.group = g
		p.useText(opts.Text)
		parts[i] = &part{pkg: p, field: fields[i], dir: dirs[i], importPath: path.Join(opts.ImportPath, dirs[i])}
	}
	return parts, nil
}

// uniqueNames gives names that collide, or are taken, a suffix that depends on the original only.
func uniqueNames(originals []string, name func(string) string, taken map[string]bool, sep string) []string {
	names := make([]string, len(originals))
	seen := make(map[string]int)
	for i, o := range originals {
		names[i] = name(o)
		seen[names[i]]++
	}
	for i, n := range names {
		if seen[n] > 1 || taken[n] {
			names[i] = n + sep + fingerprint(originals[i], 4)
		}
	}
	return names
}

// rootDecoder writes the Decoder that forwards.
func rootDecoder(out *piece, parts []*part, d *decoder) {
	out.Line()
	comments(out.Group,
		"Decoder calls the callback of its event for every record, in the Decoder of its group. Set the callbacks that",
		"you want, then Run. The options of this Decoder are used, those of the groups are not. The record",
		"and the event are valid until the callback returns; its error ends Run, record.ErrStop without an error. A Decoder is",
		"for one goroutine.")
	args := make([]jen.Code, len(parts))
	out.Type().Id("Decoder").StructFunc(func(g *jen.Group) {
		for i, p := range parts {
			out.file.ImportName(p.importPath, p.name)
			g.Id(p.field).Qual(p.importPath, "Decoder").Comment(quoted(p.group) + ", " + plural(len(p.events)))
			args[i] = jen.Line().Id("d").Dot(p.field).Dot("Part").Call()
		}
		d.options(g)
	})
	d.methods(out, append(args, jen.Line())...)
	d.rootLoops(out, parts)
}

func plural(n int) string {
	if n == 1 {
		return "1 event"
	}
	return strconv.Itoa(n) + " events"
}
