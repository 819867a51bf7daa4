package gen

import (
	"github.com/tracec/tracec/gen/internal/name"
	"github.com/tracec/tracec/gen/internal/page"
)

// addStem puts a stem in front of all names that the package declares, so that two outputs fit into
// one package. They are unique without it, so they stay unique.
func (p *pkg) addStem(stem string) {
	for _, c := range p.commons {
		if c.structName != "" {
			c.structName = name.WithStem(stem, c.structName)
		}
	}
	for size, n := range p.chars {
		p.chars[size] = name.WithStem(stem, n)
	}
	for _, e := range p.events {
		e.goName, e.structName = name.WithStem(stem, e.goName), name.WithStem(stem, e.structName)
		for _, f := range e.members {
			if f.chars != "" {
				f.chars = p.chars[f.Size]
			}
		}
	}
	for _, s := range p.symbols {
		s.goName = name.WithStem(stem, s.goName)
		addStems(stem, s.constants)
	}
	for i := range p.names {
		p.names[i].addStem(stem)
	}
}

// addStem is [pkg.addStem] for events that are read from front to back.
func (p *payloadPkg) addStem(stem string) {
	for _, y := range p.events {
		y.goName, y.typ = name.WithStem(stem, y.goName), name.WithStem(stem, y.typ)
		if y.values != nil {
			y.values.goName = y.typ
			for _, f := range y.values.structs() {
				f.typeName = name.WithStem(stem, f.typeName)
			}
		}
	}
	for _, e := range p.enums {
		e.goName = name.WithStem(stem, e.goName)
		addStems(stem, e.constants)
	}
	for i := range p.names {
		p.names[i].addStem(stem)
	}
}

func addStems(stem string, constants []constantRow) {
	for i := range constants {
		constants[i].goName = name.WithStem(stem, constants[i].goName)
	}
}

// rename puts the stem in front of the names that every package declares.
func (o *Options) rename() func(string) string {
	return func(n string) string { return name.WithStem(o.Stem, n) }
}

// doc is the package comment, unless other files of the package have one.
func (o *Options) doc(line string) []string {
	if o.Shared || o.Stem != "" {
		return nil
	}
	return []string{line}
}

// write writes the files of a unit.
func (o *Options) write(files []*page.File, source string) ([]File, error) {
	list, err := page.Write(files, page.Header{Version: o.Version, Source: source})
	if err != nil {
		return nil, err
	}
	out := make([]File, len(list))
	for i, f := range list {
		out[i] = File{f.Name, f.Text}
	}
	return out, nil
}

// CutSource returns the source that a generated file names, and the file without this line. The
// same descriptions have other paths elsewhere. If there is no such line, source is empty.
func CutSource(content []byte) (source string, rest []byte) { return page.CutSource(content) }
