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
func (r *tsdlReader) declare(s *scope, name string, c *Class, at int) {
	if s.types == nil {
		s.types = map[string]*Class{}
	}
	if s.types[name] != nil {
		r.report(at, "the type %s is declared twice", diag.Quote(name))
		return
	}
	s.types[name] = c
	if other := anyOrder(name); s.types[other] == nil {
		s.types[other] = c
	}
}

// find returns the type with a name in the scope or around it. The words of C's integers may have
// any order.
func (s *scope) find(name string) *Class {
	other := anyOrder(name)
	for ; s != nil; s = s.outer {
		if c := s.types[name]; c != nil {
			return c
		}
		if c := s.types[other]; c != nil {
			return c
		}
	}
	return nil
}

// anyOrder returns one name for the words of C's integers in any order. It does not change other
// names.
func anyOrder(name string) string {
	words := strings.Fields(name)
	if slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(integerWords, w) }) {
		return name
	}
	slices.Sort(words)
	return "in any order: " + strings.Join(words, " ")
}

var integerWords = []string{"unsigned", "signed", "char", "short", "int", "long"}

// entry declares the types of an entry outside of structures.
func (r *tsdlReader) entry(e *tsdl.Entry, types *scope) {
	switch {
	case e.Alias != nil:
		r.alias(e, types)
	case e.Typedef != nil:
		r.fields(e.Typedef, types, func(name string, c *Class, at int) { r.declare(types, name, c, at) })
	case e.Fields != nil:
		r.fields(e.Fields, types, nil)
	case e.Setting != nil:
		r.report(e.Pos.Offset, "%s has no meaning here", strings.Join(e.Setting.Target.Path, "."))
	}
}

func (r *tsdlReader) alias(e *tsdl.Entry, types *scope) {
	name, ok := typeName(e.Alias.Name.Words)
	if !ok || len(e.Alias.Name.Lengths) > 0 {
		r.report(e.Pos.Offset, "a name of a type has words and stars only")
		return
	}
	if c := r.class(e.Alias.Type, types, e.Pos); c != nil {
		r.declare(types, name, c, e.Pos.Offset)
	}
}

// typeName returns the name of a type: its words, with one blank between them.
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

// adder receives a declared field and its place.
type adder func(name string, c *Class, at int)

// fields calls add for each name that is declared. A declaration without a name declares only a
// type.
func (r *tsdlReader) fields(f *tsdl.Fields, types *scope, add adder) {
	words := f.First.Words
	last := words[len(words)-1]
	if len(words) == 1 {
		if c := r.class(words, types, f.First.Pos); c != nil && add != nil {
			r.report(f.First.Pos.Offset, "a type without the name of a field")
		}
		return
	}
	if last.Name == "" || last.Name == "*" || add == nil {
		r.report(last.Pos.Offset, "this is not the name of a field")
		return
	}
	base := r.class(words[:len(words)-1], types, f.First.Pos)
	if base == nil {
		return
	}
	r.declarator(f.First, last.Name, base, add)
	for _, d := range f.Rest {
		if len(d.Words) != 1 || d.Words[0].Name == "" {
			r.report(d.Pos.Offset, "a field has one word for its name")
			continue
		}
		if c := r.copied(base, d.Pos.Offset); c != nil {
			r.declarator(d, d.Words[0].Name, c, add)
		}
	}
}

// declarator adds a field of a type, or of arrays of it. The first brackets are the outermost.
func (r *tsdlReader) declarator(d *tsdl.Declarator, name string, c *Class, add adder) {
	if d.BitField != nil {
		r.report(d.Pos.Offset, "unsupported bit field: give the integer a size")
		return
	}
	for _, v := range slices.Backward(d.Lengths) {
		if c = r.list(c, v); c == nil {
			return
		}
	}
	add(name, c, d.Pos.Offset)
}

// list returns an array of a class, or a text if its elements are characters (docs/spec/ctf.md
// 2.3).
func (r *tsdlReader) list(element *Class, v *tsdl.Value) *Class {
	c := &Class{Kind: Array, Align: element.Align, Element: element}
	if !r.take(v.Pos.Offset) || !r.holds(c, element, v.Pos.Offset) {
		return nil
	}
	if element.Kind == Int && element.Bits == 8 && element.Align == 8 && element.Encoding != NoText {
		c = &Class{Kind: Text, Align: 8, Encoding: element.Encoding}
	}
	if v.Number == "" {
		if c.From = r.reference(v); c.From == nil {
			return nil
		}
		return c
	}
	n, ok := r.unsigned(v)
	if c.Length = n; !ok {
		return nil
	}
	return c
}

// reference reads the path to a length or a tag.
func (r *tsdlReader) reference(v *tsdl.Value) *Reference {
	if len(v.Path) == 0 || v.Sign != "" {
		r.report(v.Pos.Offset, "%s is not the name of a field", diag.Quote(word(v)))
		return nil
	}
	p := pathOf(v.Path)
	p.at = v.Pos.Offset
	return &Reference{path: p}
}

// prefixes are the beginnings of absolute references.
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

// class returns a class of a type. If there is an error, it reports it and returns nil.
func (r *tsdlReader) class(words []*tsdl.Word, types *scope, pos diag.Position) *Class {
	if !r.take(pos.Offset) {
		return nil
	}
	words = slices.DeleteFunc(slices.Clone(words), func(w *tsdl.Word) bool {
		return w.Name == "const" && len(words) > 1 && constant(words, types)
	})
	if name, ok := typeName(words); ok {
		c := types.find(name)
		if c == nil {
			r.report(pos.Offset, "no type is called %s", diag.Quote(name))
			return nil
		}
		return r.copied(c, pos.Offset)
	}
	if len(words) != 1 {
		r.report(pos.Offset, "a type of several words has names only")
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
		return r.scalar(w)
	}
}

// constant reports whether const must be dropped: no type has it in its name.
func constant(words []*tsdl.Word, types *scope) bool {
	name, ok := typeName(words)
	return !ok || types.find(name) == nil
}

// named declares or finds a type with a keyword before its name.
func (r *tsdlReader) named(w *tsdl.Word, keyword, name string, types *scope, built *Class) *Class {
	switch {
	case built != nil && name != "":
		r.declare(types, keyword+" "+name, built, w.Pos.Offset)
		return r.copied(built, w.Pos.Offset)
	case built != nil:
		return built
	}
	c := types.find(keyword + " " + name)
	if c == nil {
		r.report(w.Pos.Offset, "no %s is called %s", keyword, diag.Quote(name))
		return nil
	}
	return r.copied(c, w.Pos.Offset)
}
