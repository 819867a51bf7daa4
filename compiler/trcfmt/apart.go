package trcfmt

import (
	"fmt"
	"maps"
	"slices"

	passes "github.com/tracec/tracec/compiler"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// mostApart bounds the number of times that a template is compiled to find free names for separate
// values.
const mostApart = 4

// apart holds the names that values cannot share. Each place of such a name gets its own name:
// "fd", "fd 2" and so on, in the order of the template.
type apart struct {
	names map[string]bool   // by key
	own   map[string]string // by key and data source
}

// again returns a new apart with the same names.
func (a apart) again() apart {
	return apart{names: maps.Clone(a.names), own: map[string]string{}}
}

// note adds a name that values cannot share.
func (a apart) note(name string) { a.names[key(name)] = true }

// name returns the name of the value that is read at one place, or that is the same at several
// places.
func (a apart) name(name, read string, taken func(string) bool) string {
	k := key(name)
	if !a.names[k] {
		return name
	}
	own := a.own[k+"="+read]
	for n := 1; own == ""; n++ {
		if next := numbered(name, n); !taken(next) {
			own = next
		}
	}
	a.own[k+"="+read] = own
	return own
}

func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%s %d", name, n)
}

// wordOf names the part of a data word that a macro reads. This is the whole word, unless a cast
// takes a part.
func wordOf(m *grammar.Macro) string {
	if m.Cast == nil || m.Cast.Letter != 'B' && !m.Cast.HasSize {
		return m.Name
	}
	return macroText(m)
}

// once keeps every data word once: under its labels if every event has it under one of them,
// otherwise under its own name.
func (f *fields) once(t *Template) {
	var always []bool
	for _, ev := range t.Events {
		for i, n := range passes.Presence(ev.Decode, f.outs(), false) {
			if len(always) == i {
				always = append(always, true)
			}
			always[i] = always[i] && n.Min > 0
		}
	}
	named := map[string]bool{}
	for i, g := range f.list {
		named[g.same] = named[g.same] || always[i] && g.name != g.same
	}
	for _, g := range slices.Clone(f.list) {
		switch {
		case !isDataWord(g.same) || g.name != g.same:
		case named[g.same]:
			f.inherit(g)
			f.drop(g)
		default:
			f.absorb(g)
		}
	}
}

// absorb omits the labelled copies of a data word that every event has under its own name. The word
// keeps their labels.
func (f *fields) absorb(g *field) {
	for _, h := range slices.Clone(f.list) {
		if h != g && h.same == g.same && h.typ == g.typ {
			g.labels = append(g.labels, h.name)
			if g.enum == nil {
				g.enum = h.enum
			}
			f.drop(h)
		}
	}
}

// inherit copies the value names of a data word to the fields that have the word under a label.
func (f *fields) inherit(g *field) {
	for _, h := range f.list {
		if h != g && h.same == g.same && h.enum == nil {
			h.enum = g.enum
		}
	}
}

// drop omits a value.
func (f *fields) drop(g *field) {
	f.dropped = append(f.dropped, g.out)
	f.list = slices.DeleteFunc(f.list, func(h *field) bool { return h == g })
	delete(f.names, key(g.name))
}
