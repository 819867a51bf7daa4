package btf

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// builder writes BTF, type by type.
type builder struct {
	order   binary.AppendByteOrder
	types   []byte
	strings []byte
	n       uint32
}

func (b *builder) name(s string) uint32 {
	if s == "" {
		return 0
	}
	at := uint32(len(b.strings))
	b.strings = append(append(b.strings, s...), 0)
	return at
}

// add appends a type and returns its id.
func (b *builder) add(name string, k Kind, n, size uint32, extra ...uint32) uint32 {
	for _, v := range append([]uint32{b.name(name), uint32(k)<<24 | n, size}, extra...) {
		b.types = b.order.AppendUint32(b.types, v)
	}
	b.n++
	return b.n
}

func (b *builder) bytes() []byte {
	out := b.order.AppendUint16(nil, magic)
	out = append(out, 1, 0)
	for _, v := range []uint32{headerSize, 0, uint32(len(b.types)), uint32(len(b.types)), uint32(len(b.strings))} {
		out = b.order.AppendUint32(out, v)
	}
	return append(append(out, b.types...), b.strings...)
}

func sample(order binary.AppendByteOrder) []byte {
	b := &builder{order: order, strings: []byte{0}}
	signed := b.add("int", Int, 0, 4, 1<<24|32)
	unsigned := b.add("unsigned long", Int, 0, 8, 64)
	pointer := b.add("", Pointer, 0, signed)
	size := b.add("size_t", typedef, 0, unsigned)
	fixed := b.add("", constant, 0, size)
	pair := b.add("pair", Struct, 2, 16, b.name("a"), unsigned, 0, b.name("b"), unsigned, 64)
	enum := b.add("sgp", Enum, 1, 4, b.name("SGP_READ"), 0)
	ring := b.add("ring", typedef, 0, 9)
	b.add("ring", typedef, 0, ring)
	p := b.add("", proto, 6, signed, b.name("fd"), signed, b.name("count"), fixed, b.name("pos"), pointer,
		b.name("pair"), pair, b.name("sgp"), enum, b.name("round"), ring)
	b.add("vfs_thing", function, 0, p)
	v := b.add("", proto, 2, 0, b.name("fmt"), pointer, 0, 0)
	b.add("printk", function, 0, v)
	b.add("nothing", function, 0, b.add("", proto, 0, 0))
	b.add("odd", function, 0, signed) // not a prototype
	return b.bytes()
}

func TestFunc(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		types, err := Parse(sample(order))
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string][]Param{
			"vfs_thing": {
				{"fd", Int, 4, true}, {"count", Int, 8, false}, {"pos", Pointer, 0, false},
				{"pair", Struct, 16, false}, {"sgp", Enum, 4, false}, {"round", Unknown, 0, false},
			},
			"printk":  {{"fmt", Pointer, 0, false}, {}},
			"nothing": nil,
		} {
			got, ok := types.Func(name)
			if d := cmp.Diff(want, got); d != "" || !ok {
				t.Errorf("%v, %s: %t %s", order, name, ok, d)
			}
		}
		if d := cmp.Diff(map[int64]string{0: "SGP_READ"}, types.Enumerators("vfs_thing", 4)); d != "" {
			t.Errorf("%v: enumerators %s", order, d)
		}
		for _, i := range []int{-1, 0, 3, 5, 6} {
			if got := types.Enumerators("vfs_thing", i); got != nil {
				t.Errorf("parameter %d is no enumeration, got %v", i, got)
			}
		}
		if types.Enumerators("missing", 0) != nil || types.Enumerators("odd", 0) != nil {
			t.Error("enumerators of functions that are not there")
		}
		for _, name := range []string{"odd", "missing", ""} {
			if got, ok := types.Func(name); ok {
				t.Errorf("%q: %v", name, got)
			}
		}
	}
}

// TestCut checks that a prefix of BTF is rejected or read, and never read beyond its end.
func TestCut(t *testing.T) {
	data := sample(binary.LittleEndian)
	for n := range data {
		if _, err := Parse(data[:n:n]); !errors.Is(err, ErrFormat) {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample(binary.LittleEndian))
	f.Add(sample(binary.BigEndian))
	f.Fuzz(func(t *testing.T, data []byte) {
		types, err := Parse(data)
		if err != nil {
			return
		}
		for name := range types.funcs {
			types.Func(name)
		}
	})
}

// TestEnumerator checks that a name has a value only if all its enumerations agree.
func TestEnumerator(t *testing.T) {
	b := &builder{order: binary.LittleEndian, strings: []byte{0}}
	minusOne := ^uint32(0)
	b.add("a", Enum, 2|1<<31, 4, b.name("NEGATIVE"), minusOne, b.name("SAME"), 7)
	b.add("b", Enum, 2, 4, b.name("SAME"), 7, b.name("OTHER"), 1)
	b.add("c", Enum64, 2, 8, b.name("LARGE"), 1, 2, b.name("OTHER"), 2, 0)
	types, err := Parse(b.bytes())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{"NEGATIVE": -1, "SAME": 7, "LARGE": 1 | 2<<32} {
		if v, ok := types.Enumerator(name); !ok || v != want {
			t.Errorf("%s is %d, %v", name, v, ok)
		}
	}
	for _, name := range []string{"OTHER", "none", "int", ""} {
		if v, ok := types.Enumerator(name); ok {
			t.Errorf("%s is %d", name, v)
		}
	}
}
