package bind

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// host writes integers of the given sizes in the byte order of this machine: the expected result of
// relocation.
func host(parts ...any) []byte {
	out, err := binary.Append(nil, binary.NativeEndian, parts)
	if err == nil {
		return out
	}
	for _, p := range parts {
		if s, ok := p.(string); ok {
			out = append(out, s...)
		} else if out, err = binary.Append(out, binary.NativeEndian, p); err != nil {
			panic(err)
		}
	}
	return out
}

func field(name string, kind Kind, offset, size, elem int) Field {
	return Field{Name: name, Kind: kind, Offset: offset, Size: size, Elem: elem}
}

func signed(f Field) Field { f.Signed = true; return f }
func text(f Field) Field   { f.Text = true; return f }
func rel(f Field) Field    { f.Rel = true; return f }

// event makes an event with fields; Size is the end of the last field.
func event(fields ...Field) Event {
	e := Event{Group: "g", Name: "e", ID: 5, Fields: fields}
	for _, f := range fields {
		if f.Kind != Tail {
			e.Size = max(e.Size, f.Offset+f.Size)
		}
	}
	e.Struct = (e.Size + 7) &^ 7
	return e
}

func TestRelocate(t *testing.T) {
	tests := []struct {
		name       string
		want, have Field
		data       string // big-endian
		out        []byte // the compiled fixed part and the bytes after it
	}{
		{"swapped", field("x", Int, 0, 4, 0), field("x", Int, 0, 4, 0), "\x01\x02\x03\x04",
			host(uint32(0x01020304), uint32(0))},
		{"moved", field("x", Int, 4, 4, 0), field("x", Int, 2, 4, 0), "..\x01\x02\x03\x04",
			host(uint32(0), uint32(0x01020304))},
		{"widened", field("x", Int, 0, 8, 0), field("x", Int, 0, 4, 0), "\xff\xff\xff\xfe", host(uint64(0xfffffffe))},
		{"widened by sign", signed(field("x", Int, 0, 8, 0)), signed(field("x", Int, 0, 2, 0)), "\xff\xfe",
			host(int64(-2))},
		{"narrowed", field("x", Int, 0, 2, 0), field("x", Int, 0, 4, 0), "\x01\x02\x03\x04",
			host(uint16(0x0304), uint16(0), uint32(0))},
		{"array swapped", field("x", Array, 0, 4, 2), field("x", Array, 0, 4, 2), "\x01\x02\x03\x04",
			host(uint16(0x0102), uint16(0x0304), uint32(0))},
		{
			"array of a declaration that hides it", field("x", Array, 0, 4, 2), field("x", Bytes, 0, 4, 1),
			"\x01\x02\x03\x04", host(uint16(0x0102), uint16(0x0304), uint32(0)),
		},
		{"array widened", field("x", Array, 0, 8, 4), field("x", Array, 0, 4, 2), "\x01\x02\x03\x04",
			host(uint32(0x0102), uint32(0x0304))},
		{"array grown", field("x", Array, 0, 8, 4), field("x", Array, 0, 4, 4), "\x01\x02\x03\x04",
			host(uint32(0x01020304), uint32(0))},
		{"bytes stay", field("x", Array, 0, 4, 1), field("x", Array, 0, 4, 1), "\x01\x02\x03\x04",
			host("\x01\x02\x03\x04", uint32(0))},
		{"bytes stay whatever they were", field("x", Array, 0, 4, 1), field("x", Array, 0, 4, 4), "\x01\x02\x03\x04",
			host("\x01\x02\x03\x04", uint32(0))},
		{"struct by value", field("x", Bytes, 0, 3, 1), field("x", Bytes, 1, 3, 1), ".abc", host("abc\x00", uint32(0))},
		{"text cut", text(field("x", Array, 0, 2, 1)), text(field("x", Array, 0, 4, 1)), "abcd",
			host("ab", uint16(0), uint32(0))},
		{"text padded", text(field("x", Array, 0, 4, 1)), text(field("x", Array, 0, 2, 1)), "ab",
			host("ab", uint16(0), uint32(0))},
		{"text became dynamic", text(field("x", Array, 0, 4, 1)), text(field("x", Dynamic, 0, 4, 1)),
			"\x00\x03\x00\x04abc", host("abc\x00", uint32(0))},
		{
			"text was dynamic", text(field("x", Dynamic, 0, 4, 1)), text(field("x", Array, 0, 4, 1)), "ab\x00\x00",
			host(uint32(4<<16|8), uint32(0), "ab\x00\x00"),
		},
		{
			"dynamic", field("x", Dynamic, 0, 4, 2), field("x", Dynamic, 0, 4, 2),
			"\x00\x05\x00\x06..\x01\x02\x03\x04\x05",
			host(uint32(5<<16|8), uint32(0), uint16(0x0102), uint16(0x0304), "\x05"),
		},
		{
			"dynamic of words", field("x", Dynamic, 0, 4, 8), field("x", Dynamic, 0, 4, 4),
			"\x00\x04\x00\x04\x01\x02\x03\x04",
			host(uint32(8<<16|8), uint32(0), uint64(0x01020304)),
		},
		{
			"rel becomes absolute", text(field("x", Dynamic, 0, 4, 1)), rel(text(field("x", Dynamic, 0, 4, 1))),
			"\x00\x02\x00\x01.ab",
			host(uint32(2<<16|8), uint32(0), "ab"),
		},
		{
			"absolute becomes rel", rel(text(field("x", Dynamic, 0, 4, 1))), text(field("x", Dynamic, 0, 4, 1)),
			"\x00\x02\x00\x04ab",
			host(uint32(2<<16|4), uint32(0), "ab"),
		},
		{"dynamic outside", field("x", Dynamic, 0, 4, 1), field("x", Dynamic, 0, 4, 1), "\xff\xff\x00\x04ab",
			host(uint64(0))},
		{"dynamic empty", field("x", Dynamic, 0, 4, 1), field("x", Dynamic, 0, 4, 1), "\x00\x00\x00\x04ab",
			host(uint64(0))},
		{"dynamic too far", field("x", Dynamic, 0, 4, 1), field("x", Dynamic, 0, 4, 1), "\x00\x01\xff\xff",
			host(uint64(0))},
		{"tail", field("x", Tail, 4, 0, 2), field("x", Tail, 2, 0, 2), "..\x01\x02\x03",
			host(uint32(0), uint16(0x0102), "\x03")},
		{"tail that begins behind the record", field("x", Tail, 4, 0, 2), field("x", Tail, 9, 0, 2), "..",
			host(uint32(0))},
		{"tail grew out of an array", field("x", Tail, 4, 0, 8), field("x", Array, 0, 4, 4), "\x01\x02\x03\x04",
			host(uint32(0), uint64(0x01020304))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, have := event(tt.want), event(tt.have)
			p, err := planOf(&want, &have, true)
			if err != nil {
				t.Fatal(err)
			}
			if p == nil { // this machine is big-endian, and no field moved
				p = &fixedPlan{}
			}
			got, _ := p.relocate(&scratch{buf: []byte("stale stale stale stale")}, []byte(tt.data))
			if d := cmp.Diff(tt.out, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// planOf makes a plan with Narrow for a recording of a byte order.
func planOf(want, have *Event, big bool) (*fixedPlan, error) {
	recorded := *have
	recorded.BigEndian = big
	return newFixedPlan(want, &recorded, true)
}

// Without Narrow, numbers are not cut.
func TestFixedNarrow(t *testing.T) {
	for kind, size := range map[Kind][2]int{Int: {4, 8}, Dynamic: {4, 4}, Tail: {}} {
		want, have := event(field("x", kind, 0, size[0], 4)), event(field("x", kind, 0, size[1], 8))
		if err := Fits(&want, &have, false); !errors.Is(err, ErrNarrow) || !errors.Is(err, ErrIncompatible) {
			t.Errorf("%v: %v", kind, err)
		}
		if err := Fits(&want, &have, true); err != nil {
			t.Errorf("%v: %v", kind, err)
		}
		if err := Fits(&have, &want, false); err != nil {
			t.Errorf("%v, widened: %v", kind, err)
		}
	}
}

func TestIncompatible(t *testing.T) {
	tests := []struct {
		name       string
		want, have Field
		err        error
	}{
		{"gone", field("x", Int, 0, 4, 0), field("y", Int, 0, 4, 0), ErrMissing},
		{"integer to array", field("x", Int, 0, 4, 0), field("x", Array, 0, 16, 1), ErrIncompatible},
		{"integer to dynamic", field("x", Int, 0, 4, 0), field("x", Dynamic, 0, 4, 1), ErrIncompatible},
		{"struct of another size", field("x", Bytes, 0, 12, 1), field("x", Bytes, 0, 16, 1), ErrIncompatible},
		{"array to integer", field("x", Array, 0, 16, 4), field("x", Int, 0, 4, 0), ErrIncompatible},
		{"elements of odd size", field("x", Dynamic, 0, 4, 4), field("x", Dynamic, 0, 4, 12), ErrIncompatible},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, have := event(tt.want), event(tt.have)
			for _, big := range []bool{true, false} {
				_, err := planOf(&want, &have, big)
				var named *Error
				if big == hostBig && identical(&tt.want, &tt.have) {
					continue
				}
				if !errors.Is(err, tt.err) || !errors.As(err, &named) || named.Event != "g:e" || named.Field != "x" {
					t.Errorf("got %v, want %v", err, tt.err)
				}
			}
		})
	}
}

// The same layout needs no plan, also if the description names a field differently.
func TestIdentical(t *testing.T) {
	want := event(field("a", Int, 0, 4, 0), field("b", Array, 4, 4, 1), field("c", Dynamic, 8, 4, 4),
		field("d", Tail, 12, 0, 8))
	have := event(signed(field("a", Bytes, 0, 4, 1)), field("b", Int, 4, 4, 0), field("new", Int, 0, 2, 0),
		field("c", Int, 8, 4, 0), field("c", Dynamic, 8, 4, 0), field("d", Tail, 12, 0, 8))
	have.Size = 16
	for _, big := range []bool{true, false} {
		p, err := planOf(&want, &have, big)
		if same := big == hostBig; err != nil || (p == nil) != same {
			t.Errorf("big-endian %v: plan %v, error %v", big, p, err)
		}
	}
	have.Fields[5].Elem = 4 // words of another size
	if p, err := planOf(&want, &have, hostBig); p == nil || err != nil {
		t.Errorf("plan %v, error %v", p, err)
	}
}

// TestCommon: a common field that the recording lacks, or has in another form, is an error like any
// other field, in place and relocated.
func TestCommon(t *testing.T) {
	want := event(field("a", Int, 4, 4, 0))
	want.Common = []Field{field("common_lock_depth", Int, 0, 4, 0)}
	a := field("a", Int, 4, 4, 0)
	for _, tt := range []struct {
		name string
		have Event
		err  error
	}{
		{"lacking", event(a), ErrMissing},
		{"otherwise", event(field("common_lock_depth", Bytes, 0, 3, 1), a), ErrIncompatible},
		{"at another place", event(a, field("common_lock_depth", Int, 8, 4, 0)), nil},
	} {
		for _, big := range []bool{true, false} {
			_, err := planOf(&want, &tt.have, big)
			var named *Error
			if !errors.Is(err, tt.err) || err != nil &&
				(!errors.As(err, &named) || named.Field != "common_lock_depth") {
				t.Errorf("%s, big-endian %v: %v, want %v", tt.name, big, err, tt.err)
			}
		}
	}
}

// drawField draws a field that may be part of a hostile description.
func drawField(t *rapid.T, name string) Field {
	f := Field{Name: name, Offset: rapid.IntRange(0, 70).Draw(t, "offset"),
		Kind: Kind(rapid.IntRange(0, 4).Draw(t, "kind"))}
	f.Elem = rapid.SampledFrom([]int{0, 1, 2, 3, 4, 8}).Draw(t, "elem")
	f.Signed, f.Text = rapid.Bool().Draw(t, "signed"), rapid.Bool().Draw(t, "text")
	switch f.Kind {
	case Int:
		f.Size = rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "size")
	case Dynamic:
		f.Size, f.Rel = 4, rapid.Bool().Draw(t, "rel")
	case Array, Bytes:
		f.Size = rapid.IntRange(0, 24).Draw(t, "size")
	}
	return f
}

// Whatever the descriptions and the record contain, relocation stays within its bounds and does not
// change the record.
func TestRelocateHoldsForAnything(t *testing.T) { rapid.Check(t, relocateAnything) }

func relocateAnything(t *rapid.T) {
	var want, have Event
	for _, name := range []string{"a", "b", "c"} {
		have.Fields = append(have.Fields, drawField(t, name))
		w := drawField(t, name)
		if rapid.Bool().Draw(t, "same kind") {
			w = have.Fields[len(have.Fields)-1]
			w.Offset += rapid.IntRange(0, 9).Draw(t, "moved")
		}
		want.Fields = append(want.Fields, w)
	}
	want, have = event(want.Fields...), event(have.Fields...)
	p, err := planOf(&want, &have, rapid.Bool().Draw(t, "big"))
	if p == nil || err != nil {
		return
	}
	data := rapid.SliceOfN(rapid.Byte(), have.Size, have.Size+40).Draw(t, "data")
	kept := string(data)
	out, _ := p.relocate(new(scratch), data)
	if len(out) < want.Size || cap(out) < want.Struct || string(data) != kept {
		t.Fatalf("%d bytes of %d, room for %d of %d", len(out), want.Size, cap(out), want.Struct)
	}
	if len(out) > 2*(want.Size+3<<16) {
		t.Fatalf("%d bytes", len(out))
	}
}

func FuzzRelocate(f *testing.F) { f.Fuzz(rapid.MakeFuzz(relocateAnything)) }

// TestEqualNames: fields with the same name are each found at their own place.
func TestEqualNames(t *testing.T) {
	fields := []Field{field("x", Int, 0, 4, 0), field("x", Int, 0, 2, 0), field("x", Dynamic, 4, 4, 1),
		field("x", Int, 8, 4, 0)}
	want, have := event(fields...), event(fields...)
	if p, err := planOf(&want, &have, hostBig); p != nil || err != nil {
		t.Errorf("the same event: plan %v, %v", p, err)
	}
	for i := range want.Fields {
		if got := have.locate(&want, &want.Fields[i]); got != &have.Fields[i] {
			t.Errorf("field %d: found %v", i, got)
		}
	}
}

// TestOverlap: fields that share bytes are relocated if both write the same bytes.
func TestOverlap(t *testing.T) {
	text8 := text(field("s", Array, 0, 8, 1))
	tests := []struct {
		name   string
		fields [2]Field
		other  bool // can be converted to another byte order
		moved  bool // can be moved to another offset
	}{
		{"a number in a text", [2]Field{text8, field("n", Int, 4, 4, 0)}, false, true},
		{"a byte in a text", [2]Field{text8, field("n", Int, 4, 1, 0)}, true, true},
		{"half a number", [2]Field{field("a", Int, 0, 4, 0), field("b", Int, 0, 2, 0)}, false, true},
		{"a number twice", [2]Field{field("a", Int, 0, 4, 0), field("b", Int, 0, 4, 0)}, true, true},
		{"an element of an array", [2]Field{field("a", Array, 0, 8, 4), field("b", Int, 4, 4, 0)}, true, true},
		{"two halves of elements", [2]Field{field("a", Array, 0, 8, 4), field("b", Int, 2, 4, 0)}, false, true},
		{"a tail that begins in a number", [2]Field{field("a", Int, 0, 8, 0), field("b", Tail, 4, 0, 4)}, false, true},
		{"a tail of elements like the number", [2]Field{field("a", Int, 4, 4, 0), field("b", Tail, 0, 0, 4)}, true,
			true},
		{"words of dynamic data", [2]Field{field("a", Dynamic, 0, 4, 1), field("b", Dynamic, 2, 4, 1)}, false, false},
		{"one word of dynamic data", [2]Field{field("a", Dynamic, 0, 4, 1), field("b", Dynamic, 0, 4, 1)}, true, true},
		{"one word of unlike data", [2]Field{field("a", Dynamic, 0, 4, 1), field("b", Dynamic, 0, 4, 2)}, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := event(slices.Clone(tt.fields[:])...)
			far := event(slices.Clone(tt.fields[:])...)
			for i := range far.Fields {
				far.Fields[i].Offset += 8
			}
			far.Size += 8
			apart := event(slices.Clone(tt.fields[:])...)
			apart.Fields[1].Offset += 16
			apart.Size += 16
			for _, c := range []struct {
				name string
				have *Event
				big  bool
				ok   bool
			}{
				{"the same", &want, hostBig, true},
				{"other byte order", &want, !hostBig, tt.other},
				{"moved", &far, hostBig, tt.moved},
				{"apart", &apart, hostBig, false},
			} {
				_, err := planOf(&want, c.have, c.big)
				if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrIncompatible) {
					t.Errorf("%s: %v", c.name, err)
				}
			}
		})
	}
}

// TestTailInFixedPart: bytes of a tail that no fixed field covers are also present after
// relocation.
func TestTailInFixedPart(t *testing.T) {
	want := event(field("a", Int, 8, 4, 0), field("b", Tail, 0, 0, 4))
	p, err := planOf(&want, &want, !hostBig)
	if err != nil {
		t.Fatal(err)
	}
	record := make([]byte, 18)
	for i := range record {
		record[i] = byte(i + 1)
	}
	got, _ := p.relocate(new(scratch), record)
	for i, b := range record {
		if at := i/4*4 + 3 - i%4; i < 16 && got[at] != b {
			t.Errorf("byte %d is %d, want %d", at, got[at], b)
		}
	}
	if len(got) != 18 || got[16] != 17 || got[17] != 18 {
		t.Errorf("the end: % x", got)
	}
}
