package ir_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/testkit/irtest"
)

// TestPartsAreAll compares the walk with one that finds the nodes by reflection. It finds nodes and
// members that Parts leaves out.
func TestPartsAreAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ev := irtest.StreamEvent(irtest.Target().Draw(t, "target")).Draw(t, "event")
		for _, body := range [][]ir.Stmt{ev.Text, ev.Decode} {
			got, want := map[any]int{}, map[any]int{}
			var visit func(n any)
			visit = func(n any) {
				got[n]++
				ir.Parts(n, visit)
			}
			for _, s := range body {
				visit(s)
			}
			reflected(reflect.ValueOf(body), want)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("Parts finds %d nodes, reflection %d", len(got), len(want))
			}
		}
	})
}

// reflected counts the nodes below v.
func reflected(v reflect.Value, count map[any]int) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			reflected(v.Elem(), count)
		}
	case reflect.Slice:
		for i := range v.Len() {
			reflected(v.Index(i), count)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			reflected(v.Field(i), count)
		}
	case reflect.Pointer:
		switch n := v.Interface().(type) {
		case ir.Value, ir.Region, ir.Text, ir.Stmt:
			count[n]++
			reflected(v.Elem(), count)
		}
	}
}
