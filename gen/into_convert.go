package gen

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/tracec/tracec/compiler/diag"
	"github.com/tracec/tracec/compiler/ir"
)

// goal is the type of a field that is filled.
type goal struct {
	kind goalKind
	typ  types.Type
	elem types.Type // of a slice or an array
	num  ir.Type    // of an integer, of integers in a slice or an array; the Size of a float
	own  *types.Package
	word bool // int, uint, uintptr: num is what they have at least
	n    int  // of an array
}

// goalKind is what can be filled.
type goalKind uint8

const (
	toInt goalKind = iota
	toBool
	toFloat
	toDuration
	toString
	toBytes   // []byte
	toChars   // [n]byte
	toList    // []int32 and the like
	toArray   // [n]int32 and the like
	toStrings // []string
	toBlobs   // [][]byte
)

// goal returns what the type of a field is, nil after a message.
func (s *Structs) goal(f *StructField, messages *diag.List) *goal {
	g, why := goalOf(f.typ)
	if why == "" {
		why = s.unnameable(f.typ)
	}
	if why != "" {
		s.report(messages, f.kind, "into-type", "%s: %s", f.path, why)
		return nil
	}
	g.own = s.pkg
	return g
}

// unsupported is the end of messages about types.
const unsupported = "want an integer, a float, bool, string, time.Duration, []byte, a slice or an array of integers, or a type declared as one of these"

func goalOf(t types.Type) (*goal, string) {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Duration" {
		return &goal{kind: toDuration, typ: t, num: ir.I64}, ""
	}
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Kind() == types.Invalid {
		return nil, "its type has errors"
	}
	wrong := fmt.Sprintf("%s cannot be filled: %s", types.TypeString(t, packageNames), unsupported)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if g := basicGoal(u); g != nil {
			g.typ = t
			return g, ""
		}
	case *types.Slice:
		if g := sequenceGoal(u.Elem(), toBytes, toList); g != nil {
			g.typ = t
			return g, ""
		}
		if g, _ := goalOf(u.Elem()); g != nil && (g.kind == toString || g.kind == toBytes) {
			kind := toStrings
			if g.kind == toBytes {
				kind = toBlobs
			}
			return &goal{kind: kind, typ: t, elem: u.Elem()}, ""
		}
	case *types.Array:
		if u.Len() > maxSize {
			return nil, fmt.Sprintf("an array of %d elements is larger than any record", u.Len())
		}
		if g := sequenceGoal(u.Elem(), toChars, toArray); g != nil {
			g.typ, g.n = t, int(u.Len())
			return g, ""
		}
	}
	return nil, wrong
}

func packageNames(p *types.Package) string { return p.Name() }

// sequenceGoal is a slice or an array of bytes or of integers.
func sequenceGoal(elem types.Type, bytes, ints goalKind) *goal {
	if elem == types.Typ[types.Uint8] || types.Identical(elem, types.Universe.Lookup("byte").Type()) {
		return &goal{kind: bytes, elem: elem}
	}
	g, _ := goalOf(elem)
	if g == nil || g.kind != toInt {
		return nil
	}
	return &goal{kind: ints, elem: elem, num: g.num, word: g.word}
}

func basicGoal(b *types.Basic) *goal {
	switch b.Kind() {
	case types.Bool:
		return &goal{kind: toBool}
	case types.String:
		return &goal{kind: toString}
	case types.Float32, types.Float64:
		size := int8(8)
		if b.Kind() == types.Float32 {
			size = 4
		}
		return &goal{kind: toFloat, num: ir.Type{Size: size}}
	}
	if b.Info()&types.IsInteger == 0 {
		return nil
	}
	signed := b.Info()&types.IsUnsigned == 0
	switch b.Kind() {
	case types.Int, types.Uint, types.Uintptr: // as wide as they are on every machine
		return &goal{kind: toInt, num: ir.Type{Size: 4, Signed: signed}, word: true}
	case types.Int8, types.Uint8:
		return &goal{kind: toInt, num: ir.Type{Size: 1, Signed: signed}}
	case types.Int16, types.Uint16:
		return &goal{kind: toInt, num: ir.Type{Size: 2, Signed: signed}}
	case types.Int32, types.Uint32:
		return &goal{kind: toInt, num: ir.Type{Size: 4, Signed: signed}}
	case types.Int64, types.Uint64:
		return &goal{kind: toInt, num: ir.Type{Size: 8, Signed: signed}}
	}
	return nil
}

// unnameable says why generated code cannot name a type.
func (s *Structs) unnameable(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Slice:
		return s.unnameable(t.Elem())
	case *types.Array:
		return s.unnameable(t.Elem())
	case *types.Named:
		obj := t.Obj()
		switch {
		case obj.Pkg() == nil:
		case t.TypeArgs().Len() > 0:
			return "a type with type arguments cannot be filled: declare one without"
		case obj.Pkg() == s.pkg && obj.Parent() == s.scope && generatedNames(obj.Name()):
			return fmt.Sprintf("generated code has variables named %s: give the type a longer name", obj.Name())
		}
	}
	return ""
}

// kindOf names a value in messages.
func (g *given) kindOf() string {
	switch g.shape {
	case ofNumber:
		return intName(g.typ)
	case ofFloat:
		return fmt.Sprintf("float%d", 8*g.typ.Size)
	case ofText:
		if g.many {
			return "a list of texts"
		}
		return "text"
	case ofBlob:
		return "bytes"
	}
	return "a list of " + intName(g.typ)
}

func intName(t ir.Type) string {
	if t.Signed {
		return fmt.Sprintf("int%d", 8*t.Size)
	}
	return fmt.Sprintf("uint%d", 8*t.Size)
}

// allows checks the conversion of a value to the type of a field.
func (s *Structs) allows(f *StructField, g *given, to *goal, messages *diag.List) bool {
	if f.tag.ok {
		switch {
		case to.kind != toBool:
			s.report(messages, f.kind, "into-type", "%s says whether there is %q: want bool", f.path, g.name)
		case !g.maybe:
			s.report(messages, f.at, "into-tag", "every record has %q: leave out the option ok", g.name)
		default:
			return true
		}
		return false
	}
	if f.tag.zero && !g.maybe {
		s.report(messages, f.at, "into-tag", "every record has %q: leave out the option zero", g.name)
		return false
	}
	leave, why := conversion(g, to, f.tag.unit != 0)
	switch {
	case why != "":
		s.report(messages, f.kind, "into-type", "%q is %s%s: %s", g.name, g.kindOf(), declaredAs(g), why)
	case leave != "" && !f.tag.narrow:
		s.report(messages, f.kind, "into-narrow", "%q is %s%s: %s; if that is right, say so by the option narrow: `tracec:\"%s,narrow\"`",
			g.name, g.kindOf(), declaredAs(g), leave, f.tag.name)
	case f.tag.narrow && leave == "":
		s.report(messages, f.at, "into-tag", "nothing of %q is cut: leave out the option narrow", g.name)
	case f.tag.unit != 0 && to.kind != toDuration:
		s.report(messages, f.at, "into-tag", "a unit is for time.Duration: leave it out")
	default:
		return true
	}
	return false
}

// declaredAs is the type in the description, where it says more.
func declaredAs(g *given) string {
	c := strings.Join(strings.Fields(plain(g.ctype)), " ")
	if c == "" || c == g.kindOf() || c == g.name {
		return ""
	}
	return " (" + c + ")"
}

// conversion says for what the conversion of a value needs leave, or why there is none.
func conversion(g *given, to *goal, unit bool) (leave, why string) {
	if g.many {
		return repeatedConversion(g, to)
	}
	switch g.shape {
	case ofNumber:
		return numberConversion(g, to, unit)
	case ofFloat:
		if to.kind != toFloat {
			return "", "want " + g.kindOf()
		}
		if to.num.Size < g.typ.Size {
			return "float32 has fewer digits", ""
		}
	case ofText:
		switch {
		case to.kind == toString || to.kind == toBytes:
		case to.kind == toChars && g.size > 0 && to.n >= g.size:
		case to.kind == toChars:
			return fmt.Sprintf("what is longer than %d bytes is cut", to.n), ""
		default:
			return "", "want string, []byte or an array of bytes"
		}
	case ofBlob:
		switch {
		case to.kind == toBytes:
		case to.kind == toChars && g.size > 0 && to.n >= g.size:
		case to.kind == toChars:
			return fmt.Sprintf("what is longer than %d bytes is cut", to.n), ""
		default:
			return "", "want []byte or an array of bytes"
		}
	case ofList:
		return listConversion(g, to)
	}
	return "", ""
}

func numberConversion(g *given, to *goal, unit bool) (leave, why string) {
	switch to.kind {
	case toInt:
		return loses(g.typ, to), ""
	case toBool:
		if !g.yesno {
			return "bool is whether it is not 0", ""
		}
		return "", ""
	case toDuration:
		switch {
		case g.time && unit:
			return "", "its unit is known: leave it out"
		case !g.time && !unit:
			return "", fmt.Sprintf("nothing says its unit: want an option ns, us, ms or s, such as `tracec:\"%s,ns\"`", g.name)
		}
		return "", ""
	}
	return "", "want " + intName(g.typ) + " or a wider integer"
}

// loses says what an integer loses on its way to another type.
func loses(from ir.Type, to *goal) string {
	name := intName(to.num)
	if to.word && integerOf(to) != nil {
		name = types.TypeString(integerOf(to).Underlying(), nil)
	}
	bits := fmt.Sprintf("%s has %d bits", name, 8*to.num.Size)
	if to.word {
		bits = name + " has 32 bits on some machines"
	}
	switch {
	case from.Signed && !to.num.Signed:
		return name + " has no sign"
	case from.Size > to.num.Size, from.Size == to.num.Size && from.Signed != to.num.Signed:
		return bits
	}
	return ""
}

func integerOf(to *goal) types.Type {
	if to.elem != nil {
		return to.elem
	}
	return to.typ
}

func listConversion(g *given, to *goal) (leave, why string) {
	switch to.kind {
	case toList:
		return loses(g.typ, to), ""
	case toArray:
		switch {
		case g.size == 0:
			return "", fmt.Sprintf("its length differs: want []%s", intName(g.typ))
		case to.n < g.size:
			return fmt.Sprintf("the last %d of %d are left out", g.size-to.n, g.size), ""
		}
		return loses(g.typ, to), ""
	}
	return "", fmt.Sprintf("want []%s", intName(g.typ))
}

// repeatedConversion is that of a value that a record may have several times.
func repeatedConversion(g *given, to *goal) (leave, why string) {
	switch g.shape {
	case ofNumber:
		if to.kind == toList {
			return loses(g.typ, to), ""
		}
		if to.kind == toBytes && g.typ == ir.U8 {
			return "", ""
		}
		return "", fmt.Sprintf("a record may have several: want []%s", intName(g.typ))
	case ofText:
		if to.kind == toStrings || to.kind == toBlobs {
			return "", ""
		}
		return "", "a record may have several: want []string or [][]byte"
	case ofBlob:
		if to.kind == toBlobs {
			return "", ""
		}
		return "", "a record may have several: want [][]byte"
	}
	return "", "a record may have several"
}

// optional reports fields for values that a record may lack, where nothing of the struct says that it does.
func (s *Structs) optional(e *intoEvent, messages *diag.List) {
	said := map[*given]bool{}
	for _, f := range e.fills {
		said[f.from] = said[f.from] || f.to.tag.ok
	}
	for _, f := range e.fills {
		if !f.from.maybe || f.to.tag.ok || f.to.tag.zero || said[f.from] {
			continue
		}
		s.report(messages, f.to.at, "into-optional", "not every record has %q: add a field Has%s bool `tracec:\"%s,ok\"`, or say by the option zero that it is then 0",
			f.from.name, f.to.name, f.from.name)
	}
}
