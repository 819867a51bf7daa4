package interp

import (
	"fmt"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// TestKernelFuncs compares the C names in ir with the names in render, which may not import ir.
func TestKernelFuncs(t *testing.T) {
	for c, name := range ir.KernelFuncs {
		if _, ok := ir.TextFuncs[name]; !ok {
			t.Errorf("%s: no text function %s", c, name)
		}
	}
	for c := range ir.NameFuncs {
		known := false
		for v := uint64(0); v < 0x1500 && !known; v++ {
			known = string(render.KernelName(nil, nil, v, c)) != fmt.Sprintf("%#x", v)
		}
		if !known {
			t.Errorf("render has no names for %s", c)
		}
	}
}
