package bind

import (
	"errors"
	"strings"
	"testing"
)

// between returns an event with a selector in front of fields.
func between(n Field, fields ...Field) *Event {
	n.Name = "n"
	return &Event{Name: "e", Sequential: true, Fields: append([]Field{n}, fields...)}
}

func arm(name string, size int, low, high uint64) Field {
	return Field{Name: name, Size: size, When: []Range{{low, high}}}
}

func variant(from int, arms ...Field) Field {
	return Field{Name: "v", Kind: Variant, From: from, Fields: arms}
}

// TestRefersRefused: a field that others refer to must be copied unchanged. Otherwise the event is
// rejected.
func TestRefersRefused(t *testing.T) {
	list := func(from, size int) Field {
		return Field{Name: "l", Kind: List, From: from, Size: size, Fields: []Field{{Size: 1}}}
	}
	number := Field{Size: 4, Slot: 1}
	for _, c := range []struct {
		name       string
		want, have *Event
		says       string
	}{
		{"a wider selector", between(number, variant(1, arm("a", 1, 1, 1))),
			between(Field{Size: 8, Slot: 1}, variant(1, arm("a", 1, 1, 1))), "a length or selector"},
		{"a signed selector", between(number, variant(1, arm("a", 1, 1, 1))),
			between(Field{Size: 4, Slot: 1, Signed: true}, variant(1, arm("a", 1, 1, 1))), "a length or selector"},
		{"other numbers", between(number, variant(1, arm("a", 1, 1, 1))),
			between(number, variant(1, arm("a", 1, 2, 2), arm("b", 1, 1, 1))), "its selector selects b"},
		{"a length in front", between(number, list(1, 0)), between(number, list(0, 2)), "another field"},
		{"another length", between(number, list(1, 0)),
			between(Field{Size: 4}, Field{Name: "m", Size: 4, Slot: 1}, list(1, 0)), "another field"},
		{"no such slot", between(Field{Size: 4}, list(0, 2)), between(Field{Size: 4}, list(7, 0)),
			"cannot be measured"},
		{"a slot behind", between(Field{Size: 4}, list(0, 2)),
			between(Field{Size: 4}, list(1, 0), Field{Name: "m", Size: 4, Slot: 1}), "cannot be measured"},
		{"two lengths", between(Field{Size: 4}, list(0, 2)), between(number, list(1, 2)), "cannot be measured"},
		{"bits that are not there", between(Field{Size: 8}), between(Field{Size: 1, Bits: BitField{Count: 4, At: 5}}),
			"cannot be measured"},
		{"nothing to overlap", between(Field{Size: 8}), between(Field{Size: 2, Bits: BitField{Count: 4, Overlap: 1}}),
			"cannot be measured"},
		{"a slot of text", between(Field{Size: 4}, list(0, 2)), between(Field{Kind: Terminated, Slot: 1}, list(1, 0)),
			"compiled as an integer"},
		{"a slot out of bounds", between(Field{Size: 4}), between(Field{Size: 2, Slot: 1 << 30}), "cannot be measured"},
		{"more bits", between(Field{Size: 1, Bits: BitField{Count: 4}}),
			between(Field{Size: 1, Bits: BitField{Count: 5}}), "5 bits, compiled with 4 bits"},
	} {
		_, err := newPayloadPlan(c.want, c.have, c.says == "a length or selector")
		if err == nil || !errors.Is(err, ErrIncompatible) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

// TestArms covers arms that only one side has.
func TestArms(t *testing.T) {
	number := Field{Size: 1, Slot: 1}
	want := between(number, variant(1, arm("a", 2, 1, 1), arm("b", 2, 2, 3)), Field{Name: "last", Size: 1})
	other := variant(1, arm("c", 4, 9, 9), arm("a", 1, 1, 1), arm("b", 1, 2, 2))
	optional := other
	optional.Optional = true
	skipped := between(number, variant(1, arm("a", 2, 1, 1), arm("b", 2, 2, 3)),
		Field{Name: "s", Kind: Struct, Skip: true, Fields: []Field{
			{Name: "n", Size: 1, Slot: 2}, {Name: "v", Kind: Variant, From: 2, Fields: []Field{arm("x", 2, 0, 0)}},
			{Name: "f", Kind: Float, Size: 4},
		}})
	for _, c := range []struct {
		want    *Event
		variant Field
		data    string
		is      string
		ok      bool
	}{
		{want, other, "\x01\x05\x07", "\x01\x05\x00\x07", true},
		{want, other, "\x02\x05\x07", "\x02\x05\x00\x07", true},
		{want, other, "\x03\x05\x07", "", false},                    // it selects no arm there
		{want, optional, "\x03\x07", "", false},                     // the record does not have b
		{want, other, "\x09\x01\x02\x03\x04\x07", "\x09\x07", true}, // c is not wanted
		{want, optional, "\x08\x07", "\x08\x07", true},
		{skipped, optional, "\x01\x05", "\x01\x05\x00\x00\x00\x00\x00\x00\x00\x00", true},
	} {
		fields := []Field{c.variant}
		if c.want == want {
			fields = append(fields, Field{Name: "last", Size: 1})
		}
		p, err := newPayloadPlan(c.want, between(number, fields...), false)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := p.relocate(new(scratch), []byte(c.data))
		if ok != c.ok || ok && string(got) != c.is {
			t.Errorf("%q: %q %v, want %q %v", c.data, got, ok, c.is, c.ok)
		}
	}
}

// TestRange: ranges of signed numbers may include negative and positive numbers.
func TestRange(t *testing.T) {
	minus := func(n int64) uint64 { return uint64(-n) }
	for _, c := range []struct {
		r  Range
		n  uint64
		in bool
	}{
		{Range{3, 5}, 3, true}, {Range{3, 5}, 5, true}, {Range{3, 5}, 6, false}, {Range{3, 5}, minus(3), false},
		{Range{minus(2), 1}, 0, true}, {Range{minus(2), 1}, minus(1), true}, {Range{minus(2), 1}, 2, false},
		{Range{minus(2), 1}, minus(3), false},
		{Range{minus(9), minus(8)}, minus(8), true}, {Range{minus(9), minus(8)}, 8, false},
	} {
		if c.r.has(c.n) != c.in {
			t.Errorf("%#x in %#x: %v", c.n, c.r, !c.in)
		}
	}
}
