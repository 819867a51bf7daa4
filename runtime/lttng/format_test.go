package lttng

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sizes32 are the sizes of a 32-bit machine that aligns.
var sizes32 = sizes{int: 4, long: 4, pointer: 4, sizeT: 4, alignment: 4}

func TestLayOut(t *testing.T) {
	for _, c := range []struct {
		format string
		want   []Field
	}{
		// The table and the examples of lttng.md 5.3.
		{" ", nil},
		{"", nil},
		{"100%% ## nothing", nil},
		{"ip %lu handler %p irq_id #2u%u", []Field{
			{Name: "ip", Size: 4, Align: 4}, {Name: "handler", Size: 4, Align: 4, Pointer: true},
			{Name: "irq_id", Size: 2, Align: 2}}},
		{"state #p%ld", []Field{{Name: "state", Size: 4, Align: 4, Pointer: true}}},
		{"v #2d%ld", []Field{{Name: "v", Size: 2, Align: 2, Signed: true}}},
		{"v #n2u%hu", []Field{{Name: "v", Size: 2, Align: 2, Network: true}}},
		{"v #n%hu", []Field{{Name: "v", Size: 2, Align: 2, Network: true}}},
		{"v #1x%c", []Field{{Name: "v", Size: 1, Align: 1}}},
		{"v #8u%lu", []Field{{Name: "v", Size: 8, Align: 4}}},
		{"v %llX w %Ld", []Field{{Name: "v", Size: 8, Align: 4}, {Name: "w", Size: 8, Align: 4, Signed: true}}},
		{"v #2u%s", []Field{{Name: "v", Kind: String, Align: 1}}},
		{"v #s%d", []Field{{Name: "v", Kind: String, Align: 1}}},
		{"a %i b %o c %x d %X e %c f %zd g %Zu h %tu", []Field{
			{Name: "a", Size: 4, Align: 4, Signed: true}, {Name: "b", Size: 4, Align: 4},
			{Name: "c", Size: 4, Align: 4}, {Name: "d", Size: 4, Align: 4},
			{Name: "e", Size: 1, Align: 1}, {Name: "f", Size: 4, Align: 4, Signed: true},
			{Name: "g", Size: 4, Align: 4}, {Name: "h", Size: 4, Align: 4}}},
		{"v #b4u%u", []Field{{Name: "v", Size: 4, Align: 4, Compact: true}}},
		// Names.
		{"rw(FLAG,FLAG) %lX", []Field{{Name: "rw(FLAG,FLAG)", Size: 4, Align: 4}}},
		{"two words %d", []Field{{Name: "two", Size: 4, Align: 4, Signed: true}}},
		{"%d%d x%d", []Field{
			{Name: "field 1", Size: 4, Align: 4, Signed: true}, {Name: "field 2", Size: 4, Align: 4, Signed: true},
			{Name: "field 3", Size: 4, Align: 4, Signed: true}}},
		{" x %d", []Field{{Name: "", Size: 4, Align: 4, Signed: true}}},
		{"flags 0x%lX", []Field{{Name: "flags", Size: 4, Align: 4}}},
		{"flags %#-+ 0lX", []Field{{Name: "flags", Size: 4, Align: 4}}},
		// Quirk 1: the % of `#1%d` is swallowed.
		{"irqstate #1%d", nil},
		{"irqstate #1%d v #1u%u", []Field{{Name: "irqstate", Size: 1, Align: 1}}},
	} {
		have, err := layOut(c.format, sizes32, false)
		if d := cmp.Diff(c.want, have, cmpopts.IgnoreFields(Field{}, "Source", "Print")); d != "" || err != nil {
			t.Errorf("%q: %v (-want +have)\n%s", c.format, err, d)
		}
	}
	for _, bad := range []string{"%f", "a %", "a %5d", "a %.3s", "a %hhd", "a %n", "a %d b %l", "x %-"} {
		if f, err := layOut(bad, sizes32, false); !errors.Is(err, errFormat) {
			t.Errorf("%q: %v, %v, want %v", bad, f, err, errFormat)
		}
	}
}

func TestLayOutAlignment(t *testing.T) {
	for _, c := range []struct {
		alignment int
		natural   bool
		want      []int
	}{
		{0, false, []int{1, 1, 1, 1, 1}},
		{0, true, []int{1, 1, 1, 1, 1}},
		{4, false, []int{1, 2, 4, 4, 1}},
		{4, true, []int{1, 2, 4, 8, 1}},
		{8, false, []int{1, 2, 4, 8, 1}},
	} {
		s := sizes32
		s.alignment = c.alignment
		fields, err := layOut("a #1u%u b #2u%u c %u d %llu e %s", s, c.natural)
		if err != nil {
			t.Fatal(err)
		}
		var have []int
		for _, f := range fields {
			have = append(have, f.Align)
		}
		if d := cmp.Diff(c.want, have); d != "" {
			t.Errorf("alignment %d, natural %v (-want +have)\n%s", c.alignment, c.natural, d)
		}
	}
}

// TestConversions: the printed form of a field, and its written form.
func TestConversions(t *testing.T) {
	for _, c := range []struct {
		format string
		source string
		want   Conversion
	}{
		{"flags 0x%lX", "%lX", Conversion{Before: "0x", Verb: 'X'}},
		{"flags (0x#4u%-+ #0lX", "#4u%-+ #0lX", Conversion{Before: "(0x", Verb: 'X', Minus: true, Plus: true,
			Space: true, Sharp: true, Zero: true}},
		{"a #n%hu", "#n%hu", Conversion{Verb: 'u'}},
		{"a #2u x%d", "#2u%d", Conversion{Before: "x", Verb: 'd'}},
		{"irqstate #1%d v #1u%u", "#1%#1u%u", Conversion{Verb: 'u'}},
		{"100%% ##1 %i", "%i", Conversion{Verb: 'i'}},
		{"a ##%%%s", "%s", Conversion{Before: "##%%", Verb: 's'}},
	} {
		have, err := layOut(c.format, sizes32, false)
		if err != nil || len(have) != 1 {
			t.Errorf("%q: %v, %v", c.format, have, err)
			continue
		}
		if have[0].Source != c.source || have[0].Print != c.want {
			t.Errorf("%q: %q %+v, want %q %+v", c.format, have[0].Source, have[0].Print, c.source, c.want)
		}
	}
}
