package metadata

import (
	"slices"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/grammar/tsdl"
)

// scope has the types that are declared between two braces, by their names.
type scope struct {
	outer *scope
	types map[string]*Class
}

// declare gives a type a name in the scope.
func (s *scope) declare(name string, c *Class) {
	if s.types == nil {
		s.types = map[string]*Class{}
	}
	s.types[name] = c
}

// find returns the type of a name in the scope or around it.
func (s *scope) find(name string) *Class {
	for ; s != nil; s = s.outer {
		if c := s.types[name]; c != nil {
			return c
		}
	}
	return nil
}

// entry declares the types of an entry outside of structures.
func (r *reader) entry(e *tsdl.Entry, types *scope) {
	switch {
	case e.Alias != nil:
		r.alias(e, types)
	case e.Typedef != nil:
		r.fields(e.Typedef, types, func(name string, c *Class) { types.declare(name, c) })
	case e.Fields != nil:
		r.fields(e.Fields, types, nil)
	case e.Setting != nil:
		r.report(e.Pos, "%s has no meaning here", strings.Join(e.Setting.Path, "."))
	}
}

func (r *reader) alias(e *tsdl.Entry, types *scope) {
	name, ok := typeName(e.Alias.Name.Words)
	if !ok || len(e.Alias.Name.Lengths) > 0 {
		r.report(e.Pos, "a name of a type has words and stars only")
		return
	}
	if c := r.class(e.Alias.Type, types, e.Pos); c != nil {
		types.declare(name, c)
	}
}

// typeName is the name of a type: its words, with one blank between them.
func typeName(words []*tsdl.Word) (string, bool) {
	var list []string
	for _, w := range words {
		if w.Name == "" {
			return "", false
		}
		list = append(list, w.Name)
	}
	return strings.Join(list, " "), true
}

// fields calls add for each name that is declared. A declaration without a name is of a type alone.
func (r *reader) fields(f *tsdl.Fields, types *scope, add func(name string, c *Class)) {
	words := f.First.Words
	last := words[len(words)-1]
	if len(words) == 1 {
		if c := r.class(words, types, f.First.Pos); c != nil && add != nil {
			r.report(f.First.Pos, "a type without the name of a field")
		}
		return
	}
	if last.Name == "" || last.Name == "*" || add == nil {
		r.report(last.Pos, "this is not the name of a field")
		return
	}
	base := r.class(words[:len(words)-1], types, f.First.Pos)
	if base == nil {
		return
	}
	r.declarator(f.First, last.Name, base, add)
	for _, d := range f.Rest {
		if len(d.Words) != 1 || d.Words[0].Name == "" {
			r.report(d.Pos, "a field has one word for its name")
			continue
		}
		r.declarator(d, d.Words[0].Name, base.clone(&r.budget), add)
	}
}

// declarator adds a field of a type, or of arrays of it. The first brackets are the outermost.
func (r *reader) declarator(d *tsdl.Declarator, name string, c *Class, add func(name string, c *Class)) {
	if d.BitField != nil {
		r.report(d.Pos, "bit fields have no meaning: give the integer a size")
		return
	}
	for _, v := range slices.Backward(d.Lengths) {
		if c = r.list(c, v); c == nil {
			return
		}
	}
	add(name, c)
}

// list returns an array of a class, or a text if its elements are characters (docs/spec/ctf.md
// 2.3).
func (r *reader) list(element *Class, v *tsdl.Value) *Class {
	r.budget--
	c := &Class{Kind: Array, Align: element.Align, Element: element}
	if element.Kind == Int && element.Bits == 8 && element.Align == 8 && element.Encoding != NoText {
		c = &Class{Kind: Text, Align: 8, Encoding: element.Encoding}
	}
	switch {
	case v.Number != "":
		n, ok := r.unsigned(v)
		if !ok {
			return nil
		}
		c.Length = n
	case v.Text != nil:
		r.report(v.Pos, "a length is a number or a field")
		return nil
	default:
		c.From = &Reference{path: pathOf(v.Path)}
	}
	return c
}

// prefixes begin absolute references.
var prefixes = []struct {
	names string
	scope Scope
}{
	{"trace.packet.header.", PacketHeader},
	{"stream.packet.context.", PacketContext},
	{"stream.event.header.", EventHeader},
	{"stream.event.context.", EventContext},
	{"event.context.", SpecificContext},
	{"event.fields.", Payload},
}

// pathOf reads a reference.
func pathOf(names []string) path {
	text := strings.Join(names, ".")
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(text, p.names); ok {
			return path{absolute: true, scope: p.scope, names: strings.Split(rest, ".")}
		}
	}
	return path{outward: true, names: names}
}

// class returns a class of a type. It returns nil for an error, which it reports.
func (r *reader) class(words []*tsdl.Word, types *scope, pos diag.Position) *Class {
	if r.budget < 0 {
		return nil
	}
	if r.budget--; r.budget < 0 {
		r.report(pos, "more than %d types", maxClasses)
		return nil
	}
	words = slices.DeleteFunc(slices.Clone(words), func(w *tsdl.Word) bool { return w.Name == "const" && len(words) > 1 && constant(words, types) })
	if name, ok := typeName(words); ok {
		c := find(name, types)
		if c == nil {
			r.report(pos, "no type is called %s", diag.Quote(name))
			return nil
		}
		return c.clone(&r.budget)
	}
	if len(words) != 1 {
		r.report(pos, "a type of several words has names only")
		return nil
	}
	switch w := words[0]; {
	case w.Struct != nil:
		return r.structure(w, types)
	case w.Variant != nil:
		return r.variant(w, types)
	case w.Enum != nil:
		return r.enumeration(w, types)
	default:
		return r.scalar(w.Scalar)
	}
}

// constant reports whether const is to be dropped: no type has it in its name.
func constant(words []*tsdl.Word, types *scope) bool {
	name, ok := typeName(words)
	return !ok || types.find(name) == nil
}

// find returns the type of a name. The words of C's integers may have any order.
func find(name string, types *scope) *Class {
	if c := types.find(name); c != nil {
		return c
	}
	words := strings.Fields(name)
	slices.Sort(words)
	if !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(integerWords, w) }) {
		for s := types; s != nil; s = s.outer {
			for n, c := range s.types {
				other := strings.Fields(n)
				slices.Sort(other)
				if slices.Equal(words, other) {
					return c
				}
			}
		}
	}
	return nil
}

var integerWords = []string{"unsigned", "signed", "char", "short", "int", "long"}

// named declares or finds a type with a keyword before its name.
func (r *reader) named(w *tsdl.Word, keyword, name string, types *scope, built *Class) *Class {
	switch {
	case built != nil && name != "":
		types.declare(keyword+" "+name, built)
		return built.clone(&r.budget)
	case built != nil:
		return built
	}
	c := types.find(keyword + " " + name)
	if c == nil {
		r.report(w.Pos, "no %s is called %s", keyword, diag.Quote(name))
		return nil
	}
	return c.clone(&r.budget)
}
