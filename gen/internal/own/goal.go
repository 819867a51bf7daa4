package own

import (
	"fmt"
	"go/types"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
)

// goal is the type of a field that is filled.
type goal struct {
	kind goalKind
	typ  types.Type
	elem types.Type // of a slice or an array
	num  ir.Type    // of an integer, of integers in a slice or an array; the Size of a float
	own  *types.Package
	word bool // int, uint, uintptr: num is the smallest type that they may be
	n    int  // of an array
}

// goalKind is a kind of field that can be filled.
type goalKind uint8

// goal returns the goal for the type of a field. If there is none, it adds a message and returns
// nil.
func (s *Structs) goal(f *Field, messages *diag.List) *goal {
	g, why := s.goalOf(f.typ, maxNested)
	if why == "" {
		why = s.unnameable(f.typ)
	}
	if why == invalidType {
		why += s.whyInvalid(f.kind)
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

// invalidType is the beginning of messages about types for which go/types has reported errors.
const invalidType = "its type has errors"

// maxNested limits the nesting of slices and arrays: [][]byte. A type may be a slice of itself.
const maxNested = 2

func (s *Structs) goalOf(t types.Type, nested int) (*goal, string) {
	if s.isDuration(t, maxChain) {
		return &goal{kind: toDuration, typ: t, num: ir.I64}, ""
	}
	if invalid(t) {
		return nil, invalidType
	}
	wrong := fmt.Sprintf("%s cannot be filled: %s", types.TypeString(t, packageNames), unsupported)
	if _, basic := t.Underlying().(*types.Basic); !basic && nested == 0 {
		return nil, wrong
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if g := basicGoal(u); g != nil {
			g.typ = t
			return g, ""
		}
	case *types.Slice:
		if g := s.sequenceGoal(u.Elem(), toBytes, toList, nested); g != nil {
			g.typ = t
			return g, ""
		}
		if g, _ := s.goalOf(u.Elem(), nested-1); g != nil {
			if kind, ok := map[goalKind]goalKind{toString: toStrings, toBytes: toBlobs, toFloat: toFloats}[g.kind]; ok {
				return &goal{kind: kind, typ: t, elem: u.Elem(), num: g.num}, ""
			}
		}
	case *types.Array:
		if u.Len() > maxArray {
			return nil, fmt.Sprintf("an array of %d elements is larger than any record", u.Len())
		}
		if g := s.sequenceGoal(u.Elem(), toChars, toArray, nested); g != nil {
			g.typ, g.n = t, int(u.Len())
			return g, ""
		}
	}
	return nil, wrong
}

// maxArray exceeds the number of elements of any record.
const maxArray = 1 << 20

// invalid reports whether go/types has not found a type, or the element type of a slice or an
// array.
func invalid(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Slice:
		return invalid(t.Elem())
	case *types.Array:
		return invalid(t.Elem())
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Invalid
}

func packageNames(p *types.Package) string { return p.Name() }

// sequenceGoal returns the goal for a slice or an array of bytes or of integers.
func (s *Structs) sequenceGoal(elem types.Type, bytes, ints goalKind, nested int) *goal {
	if elem == types.Typ[types.Uint8] || types.Identical(elem, types.Universe.Lookup("byte").Type()) {
		return &goal{kind: bytes, elem: elem}
	}
	g, _ := s.goalOf(elem, nested-1)
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
	case types.Int, types.Uint, types.Uintptr: // a size that they have on every machine
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

// unnameable returns the reason why generated code cannot name a type.
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
		case obj.Pkg() != s.pkg && !obj.Exported(): // named by an exported alias
			return fmt.Sprintf("%s.%s is not exported: generated code cannot name it", obj.Pkg().Name(), obj.Name())
		case t.TypeArgs().Len() > 0:
			return "a type with type arguments cannot be filled: declare one without"
		case obj.Pkg() == s.pkg && obj.Parent() == s.scope && generatedNames(obj.Name()):
			return fmt.Sprintf("generated code has variables named %s: give the type a longer name", obj.Name())
		}
	}
	return ""
}

// maxChain limits chains of declarations. A package with errors may have chains without an end.
const maxChain = 8

// isDuration reports whether a type is time.Duration, or whether the package declares it as
// time.Duration: type Delay time.Duration.
func (s *Structs) isDuration(t types.Type, left int) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || left == 0 {
		return false
	}
	as := s.typed[n.Obj()]
	return isTimeDuration(n) || as != nil && s.isDuration(as, left-1)
}

func isTimeDuration(t types.Type) bool {
	n, _ := t.(*types.Named)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Duration"
}

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
	toFloats  // []float64
)
