package btf

import (
	"encoding/binary"
	"testing"
	"testing/fstest"
)

// module writes the type information of a module, which continues that of a kernel.
func module(order binary.AppendByteOrder, kernel *Types, write func(b *builder, name func(string) uint32)) []byte {
	b := &builder{order: order}
	base := uint32(len(kernel.strings))
	write(b, func(s string) uint32 { return base + b.name(s) })
	return b.bytes()
}

// TestModules checks that names unknown to the kernel are found in modules, with types of the
// kernel. Names for which two modules disagree are not found. A damaged module is reported and
// affects only itself.
func TestModules(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		kernel, err := Parse(sample(order))
		if err != nil {
			t.Fatal(err)
		}
		enum := func(b *builder, name func(string) uint32, pairs ...any) {
			words := []uint32{name("states"), uint32(Enum)<<24 | uint32(len(pairs)/2), 4}
			for i := 0; i < len(pairs); i += 2 {
				words = append(words, name(pairs[i].(string)), uint32(pairs[i+1].(int)))
			}
			for _, v := range words {
				b.types = b.order.AppendUint32(b.types, v)
			}
		}
		one := module(order, kernel, func(b *builder, name func(string) uint32) {
			enum(b, name, "GLF_LOCK", 1, "SHARED", 3, "SGP_READ", 9)
			first := uint32(len(kernel.at)) // the enumeration
			for _, v := range []uint32{0, uint32(proto)<<24 | 2, 1, name("state"), first, name("n"), 1,
				name("gfs2_thing"), uint32(function) << 24, first + 1} {
				b.types = b.order.AppendUint32(b.types, v)
			}
		})
		two := module(order, kernel, func(b *builder,
			name func(string) uint32) {
			enum(b, name, "SHARED", 4, "TWO", 2)
		})
		var noted []string
		kernel.WithModules(fstest.MapFS{
			"btf/vmlinux": {Data: sample(order)}, "btf/gfs2": {Data: one}, "btf/other": {Data: two},
			"btf/cut": {Data: one[:40]},
		}, func(file string, err error) { noted = append(noted, file) })
		for name, want := range map[string]int64{"GLF_LOCK": 1, "TWO": 2, "SGP_READ": 0, "SHARED": -1, "NONE": -1} {
			got, ok := kernel.Enumerator(name)
			if !ok {
				got = -1
			}
			if got != want {
				t.Errorf("%v: %s is %d, want %d", order, name, got, want)
			}
		}
		params, ok := kernel.Func("gfs2_thing")
		if !ok || len(params) != 2 || params[0].Kind != Enum || params[1] != (Param{"n", Int, 4, true}) ||
			kernel.Enumerators("gfs2_thing", 0)[1] != "GLF_LOCK" {
			t.Errorf("%v: %+v", order, params)
		}
		if len(noted) != 1 || noted[0] != "btf/cut" {
			t.Errorf("%v: noted %v", order, noted)
		}
	}
}
