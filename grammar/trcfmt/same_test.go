package trcfmt

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// samePlaces compares trees except for positions.
var samePlaces = cmp.Options{cmpopts.IgnoreTypes(lexer.Position{}), cmpopts.EquateEmpty()}

// diffFiles compares two trees except for positions. cmp.Diff compares a slice in a slice twice, so
// its time is exponential in the nesting. It is called for shallow trees only, to show the
// difference.
func diffFiles(t *testing.T, a, b *File) string {
	t.Helper()
	var x, y flattener
	x.add(reflect.ValueOf(a))
	y.add(reflect.ValueOf(b))
	if reflect.DeepEqual(x.parts, y.parts) {
		return ""
	}
	if max(x.deepest, y.deepest) < 40 {
		return cmp.Diff(a, b, samePlaces)
	}
	return "deep trees differ"
}

// flattener lists the values of a tree with its structure, without positions.
type flattener struct {
	parts          []string
	depth, deepest int
}

func (f *flattener) add(v reflect.Value) {
	f.depth++
	f.deepest = max(f.deepest, f.depth)
	defer func() { f.depth-- }()
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			f.parts = append(f.parts, "nil")
			return
		}
		f.add(v.Elem())
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[lexer.Position]() {
			return
		}
		f.parts = append(f.parts, v.Type().Name())
		for i := range v.NumField() {
			f.add(v.Field(i))
		}
	case reflect.Slice:
		f.parts = append(f.parts, fmt.Sprintf("[%d]", v.Len()))
		for i := range v.Len() {
			f.add(v.Index(i))
		}
	default:
		f.parts = append(f.parts, fmt.Sprint(v))
	}
}
