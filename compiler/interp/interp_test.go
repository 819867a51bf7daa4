package interp

import (
	"reflect"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// TestRegistry compares the registry with the list in ir: every name exists and its function has
// the signature for its parameters.
func TestRegistry(t *testing.T) {
	kinds := map[rune]reflect.Type{
		'v': reflect.TypeFor[uint64](), 'r': reflect.TypeFor[[]byte](), 'o': reflect.TypeFor[bool](),
		's': reflect.TypeFor[string](), 't': reflect.TypeFor[render.Table](),
	}
	for name, fn := range ir.TextFuncs {
		in := []reflect.Type{reflect.TypeFor[[]byte](), reflect.TypeFor[*render.Env]()}
		call := &ir.Call{Name: name}
		for _, p := range fn.Params {
			in = append(in, kinds[p])
			switch p {
			case 'v':
				call.Args = append(call.Args, &ir.Const{T: ir.I32, V: 1})
			case 'r':
				call.Args = append(call.Args, &ir.Str{S: "abcd"})
			case 's':
				call.Args = append(call.Args, ir.StrArg(""))
			case 't':
				call.Args = append(call.Args, &ir.Table{})
			}
		}
		want := reflect.FuncOf(in, []reflect.Type{reflect.TypeFor[[]byte]()}, false)
		if got := reflect.TypeOf(textFuncs[name]); got != want {
			t.Errorf("%s: registry has %v, want %v", name, got, want)
			continue
		}
		ev := &ir.Event{HasText: true, Text: []ir.Stmt{&ir.PutText{T: call, Spec: ir.Spec{Prec: -1}}}}
		p, err := Compile(ev, ir.Target{WordSize: 8})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		NewMachine(nil).AppendText(nil, p, nil)
	}
	for name := range textFuncs {
		if _, ok := ir.TextFuncs[name]; !ok {
			t.Errorf("ir does not list %s", name)
		}
	}
	for name, n := range ir.ValueFuncs {
		if valueFuncs[name] == nil || n < 1 || n > 2 {
			t.Errorf("no value function %s of %d arguments", name, n)
		}
	}
}
