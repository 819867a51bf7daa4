package bind

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func order(big bool) binary.AppendByteOrder {
	if big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// carried is a single value: an integer, the bits of a number, or bytes.
type carried struct {
	number int64
	float  float64
	bytes  string
}

// encode returns a payload of a layout. It does not share code with relocate.
func encode(l *Event, values map[string]carried) []byte {
	var b []byte
	o := order(l.BigEndian)
	number := func(size int, v uint64) {
		switch size {
		case 1:
			b = append(b, byte(v))
		case 2:
			b = o.AppendUint16(b, uint16(v))
		case 4:
			b = o.AppendUint32(b, uint32(v))
		case 8:
			b = o.AppendUint64(b, v)
		}
	}
	for _, f := range l.Fields {
		for f.Align > 1 && len(b)%f.Align != 0 {
			b = append(b, 0)
		}
		v := values[f.Name]
		switch f.Kind {
		case Int:
			number(f.Size, uint64(v.number))
		case Float:
			if f.Size == 4 {
				number(4, uint64(math.Float32bits(float32(v.float))))
			} else {
				number(8, math.Float64bits(v.float))
			}
		case Bytes:
			b = append(b, v.bytes...)
		case Counted:
			number(f.Size, uint64(len(v.bytes)))
			b = append(b, v.bytes...)
		case Terminated:
			b = append(append(b, v.bytes...), 0)
		}
	}
	return b
}

// drawField draws a field in its compiled and its recorded form, and a value that both can hold.
func drawValue(t *rapid.T, name string) (want, have Field, v carried) {
	align := rapid.SampledFrom([]int{0, 1, 2, 4, 8})
	want = Field{Name: name, Align: align.Draw(t, "align")}
	have = Field{Name: name, Align: align.Draw(t, "align")}
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		sizes := []int{1, 2, 4, 8}
		from := rapid.IntRange(0, 3).Draw(t, "size")
		have.Size, have.Signed = sizes[from], rapid.Bool().Draw(t, "signed")
		want.Size, want.Signed = sizes[rapid.IntRange(from, 3).Draw(t, "wider")], have.Signed
		bits := rapid.Uint64().Draw(t, "number") << (64 - 8*have.Size)
		v.number = int64(bits >> (64 - 8*have.Size))
		if have.Signed {
			v.number = int64(bits) >> (64 - 8*have.Size)
		}
	case 1:
		want.Kind, have.Kind = Float, Float
		want.Size, have.Size = 8, rapid.SampledFrom([]int{4, 8}).Draw(t, "size")
		if have.Size == 4 {
			want.Size = rapid.SampledFrom([]int{4, 8}).Draw(t, "size")
		}
		v.float = float64(rapid.Float32().Draw(t, "float"))
	case 2:
		v.bytes = rapid.StringMatching(`[a-z]{0,9}`).Draw(t, "bytes")
		want.Kind, want.Size = Bytes, len(v.bytes)
		have.Kind, have.Size = Bytes, len(v.bytes)
	default:
		v.bytes = rapid.StringMatching(`[a-z]{0,9}`).Draw(t, "string")
		for _, f := range []*Field{&want, &have} {
			f.Kind = rapid.SampledFrom([]Kind{Counted, Terminated}).Draw(t, "string")
			if f.Kind == Counted {
				f.Size = rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "length")
			}
		}
	}
	return want, have, v
}

// A relocated payload equals the payload that a program with the compiled layout would have
// written. If it is cut, it lacks some values.
func TestRelocatePayload(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, have := &Event{BigEndian: rapid.Bool().Draw(t, "big")}, &Event{BigEndian: rapid.Bool().Draw(t, "big")}
		values := map[string]carried{}
		for i := range rapid.IntRange(0, 6).Draw(t, "fields") {
			name := string(rune('a' + i))
			w, h, v := drawValue(t, name)
			values[name] = v
			have.Fields = append(have.Fields, h)
			if rapid.IntRange(0, 3).Draw(t, "compiled in") > 0 {
				want.Fields = append(want.Fields, w)
			}
		}
		want.Fields = rapid.Permutation(want.Fields).Draw(t, "order")
		data := encode(have, values)
		plan, err := newPayloadPlan(want, have, false)
		if err != nil {
			t.Fatal(err)
		}
		if plan == nil {
			need := string(encode(want, values))
			if d := cmp.Diff(need, string(data[:len(need)])); d != "" {
				t.Fatalf("in place (-want +got):\n%s", d)
			}
			return
		}
		got, ok := plan.relocate(&scratch{buf: []byte("old")}, data)
		if d := cmp.Diff(string(encode(want, values)), string(got)); !ok || d != "" {
			t.Fatalf("ok=%v (-want +got):\n%s", ok, d)
		}
		cut := rapid.IntRange(0, len(data)).Draw(t, "cut")
		if part, ok := plan.relocate(new(scratch), data[:cut]); ok && string(part) != string(got) {
			t.Errorf("cut to %d: %q, want %q or nothing", cut, part, got)
		}
	})
}

// Noise is relocated or rejected, whatever lengths it contains.
func TestRelocatePayloadNoise(t *testing.T) {
	want := &Event{Fields: []Field{{Name: "s", Kind: Terminated}, {Name: "n", Size: 8, Align: 8}}}
	for _, size := range []int{1, 2, 4} {
		for _, big := range []bool{false, true} {
			have := &Event{BigEndian: big, Fields: []Field{{Name: "s", Kind: Counted, Size: size},
				{Name: "n", Size: 4, Align: 4, Signed: true}}}
			plan, err := newPayloadPlan(want, have, false)
			if err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				plan.relocate(new(scratch), rapid.SliceOf(rapid.Byte()).Draw(t, "data"))
			})
		}
	}
}

func TestRefuses(t *testing.T) {
	one := func(f Field) *Event {
		f.Name = "x"
		return &Event{Group: "m", Name: "f", Fields: []Field{f}}
	}
	tests := []struct {
		name       string
		want, have *Event
		is         error
		says       string
	}{
		{"gone", one(Field{Size: 4}), &Event{}, ErrMissing, `event "m:f": field "x": missing`},
		{"other kind", one(Field{Size: 4}), one(Field{Kind: Float, Size: 4}), ErrIncompatible,
			"it is a floating-point number, compiled as an integer"},
		{"number to string", one(Field{Kind: Terminated}), one(Field{Size: 8}), ErrIncompatible,
			"compiled as a string"},
		{"narrower", one(Field{Size: 4}), one(Field{Size: 8}), ErrNarrow, "8 bytes, compiled with 4"},
		{"narrower float", one(Field{Kind: Float, Size: 4}), one(Field{Kind: Float, Size: 8}), ErrIncompatible,
			"wider"},
		{"other struct", one(Field{Kind: Bytes, Size: 12}), one(Field{Kind: Bytes, Size: 8}), ErrIncompatible,
			"it has 8 bytes, compiled with 12"},
		{"other byte order", one(Field{Kind: Bytes, Size: 8}),
			&Event{BigEndian: true, Fields: []Field{{Name: "x", Kind: Bytes, Size: 8, Elem: 4}}},
			ErrIncompatible, "opaque numbers in the other byte order"},
		{"no integer", one(Field{Size: 8}), one(Field{Size: 3}), ErrIncompatible, "it has 3 bytes"},
		{"no length", one(Field{Kind: Terminated}), one(Field{Kind: Counted, Size: 3}), ErrIncompatible,
			"cannot be measured"},
		{"no size", one(Field{Kind: Bytes, Size: -1, Align: 4}), one(Field{Kind: Bytes, Size: -1}), ErrIncompatible,
			"cannot be measured"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := newPayloadPlan(tt.want, tt.have, false)
			if err == nil || !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %q", err, tt.says)
			}
		})
	}
}

// With Narrow, numbers are cut.
func TestNarrow(t *testing.T) {
	want := &Event{Fields: []Field{{Name: "i", Size: 2}, {Name: "f", Kind: Float, Size: 4, Align: 4}}}
	have := &Event{BigEndian: true, Fields: []Field{{Name: "i", Size: 8}, {Name: "f", Kind: Float, Size: 8}}}
	plan, err := newPayloadPlan(want, have, true)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := plan.relocate(new(scratch), encode(have,
		map[string]carried{"i": {number: 0x12345678}, "f": {float: 2.5}}))
	if d := cmp.Diff("\x78\x56\x00\x00\x00\x00\x20\x40", string(got)); !ok || d != "" {
		t.Errorf("ok=%v (-want +got):\n%s", ok, d)
	}
}

// A payload is used in place if the places are equal, whatever other fields follow and whatever the
// signs are.
func TestInPlace(t *testing.T) {
	want := &Event{Fields: []Field{{Name: "i", Size: 4, Align: 4}}}
	have := &Event{Fields: []Field{{Name: "i", Size: 4, Align: 4, Signed: true}, {Name: "more", Size: 99}}}
	if plan, err := newPayloadPlan(want, have, false); plan != nil || err != nil {
		t.Error(plan, err)
	}
	if plan, err := newPayloadPlan(&Event{BigEndian: true}, have, false); plan != nil || err != nil {
		t.Error("nothing is wanted", plan, err)
	}
}

func BenchmarkRelocatePayload(b *testing.B) {
	have := &Event{Fields: []Field{{Name: "a", Size: 4, Align: 4, Signed: true},
		{Name: "s", Kind: Counted, Size: 2, Align: 4}, {Name: "p", Size: 4, Align: 4}}}
	want := &Event{Fields: []Field{{Name: "a", Size: 8, Align: 4, Signed: true},
		{Name: "s", Kind: Counted, Size: 2, Align: 4}, {Name: "p", Size: 8, Align: 4}}}
	plan, err := newPayloadPlan(want, have, false)
	if err != nil {
		b.Fatal(err)
	}
	data := encode(have, map[string]carried{"a": {number: -3}, "s": {bytes: "a string"}, "p": {number: 77}})
	var s scratch
	b.ReportAllocs()
	for b.Loop() {
		plan.relocate(&s, data)
	}
}

// TestConstantLength: a text of one constant length becomes a text of another, with the bytes
// before its NUL. If it is too long, there is no event.
func TestConstantLength(t *testing.T) {
	text := func(n int) Field { return Field{Name: "s", Kind: Counted, Count: n, Text: true} }
	event := func(f Field) *Event {
		return &Event{Name: "e", Sequential: true, Fields: []Field{f, {Name: "last", Size: 1}}}
	}
	for _, c := range []struct {
		want, have Field
		narrow     bool
		data, is   string
		ok         bool
	}{
		{text(5), text(3), false, "abc\x09", "abc\x00\x00\x09", true},
		{text(3), text(5), false, "ab\x00cd\x09", "ab\x00\x09", true},
		{text(3), text(4), false, "abc\x00\x09", "abc\x09", true},
		{text(3), text(4), false, "abcd\x09", "", false},
		{text(3), text(4), true, "abcd\x09", "abc\x09", true},
		{text(3), Field{Name: "s", Kind: Terminated}, false, "ab\x00\x09", "ab\x00\x09", true},
		{text(3), Field{Name: "s", Kind: Counted, Size: 1}, false, "\x01a\x09", "a\x00\x00\x09", true},
		{Field{Name: "s", Kind: Terminated}, text(3), false, "abc\x09", "abc\x00\x09", true},
		{text(3), text(5), false, "abc\x00", "", false}, // it is cut
	} {
		p, err := newPayloadPlan(event(c.want), event(c.have), c.narrow)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := p.relocate(new(scratch), []byte(c.data))
		if ok != c.ok || ok && string(got) != c.is {
			t.Errorf("%q: %q %v, want %q %v", c.data, got, ok, c.is, c.ok)
		}
	}
	bytes := text(3)
	bytes.Text = false
	if _, err := newPayloadPlan(event(bytes), event(text(4)), true); err == nil ||
		!strings.Contains(err.Error(), "compiled with 3 bytes") {
		t.Errorf("bytes of another length: %v", err)
	}
	both := text(3)
	both.Size = 2
	if _, err := newPayloadPlan(event(text(3)), event(both), false); err == nil ||
		!strings.Contains(err.Error(), "cannot be measured") {
		t.Errorf("two lengths: %v", err)
	}
}
