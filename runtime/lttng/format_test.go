package lttng

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/lttng"
	"github.com/tracec/tracec/runtime/render"
)

// sizes32 are those of a 32-bit machine that aligns.
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
			{Name: "ip", Size: 4, Align: 4}, {Name: "handler", Size: 4, Align: 4, Pointer: true}, {Name: "irq_id", Size: 2, Align: 2}}},
		{"state #p%ld", []Field{{Name: "state", Size: 4, Align: 4, Pointer: true}}},
		{"v #2d%ld", []Field{{Name: "v", Size: 2, Align: 2, Signed: true}}},
		{"v #n2u%hu", []Field{{Name: "v", Size: 2, Align: 2, Network: true}}},
		{"v #n%hu", []Field{{Name: "v", Size: 2, Align: 2, Network: true}}},
		{"v #1x%c", []Field{{Name: "v", Size: 1, Align: 1}}},
		{"v #8u%lu", []Field{{Name: "v", Size: 8, Align: 4}}},
		{"v %llX w %Ld", []Field{{Name: "v", Size: 8, Align: 4}, {Name: "w", Size: 8, Align: 4, Signed: true}}},
		{"v #2u%s", []Field{{Name: "v", Align: 1}}},
		{"v #s%d", []Field{{Name: "v", Align: 1}}},
		{"a %i b %o c %x d %X e %c f %zd g %Zu h %tu", []Field{
			{Name: "a", Size: 4, Align: 4, Signed: true}, {Name: "b", Size: 4, Align: 4}, {Name: "c", Size: 4, Align: 4}, {Name: "d", Size: 4, Align: 4},
			{Name: "e", Size: 1, Align: 1}, {Name: "f", Size: 4, Align: 4, Signed: true}, {Name: "g", Size: 4, Align: 4}, {Name: "h", Size: 4, Align: 4}}},
		{"v #b4u%u", []Field{{Name: "v", Size: 4, Align: 4, Compact: true}}},
		// Names.
		{"rw(FLAG,FLAG) %lX", []Field{{Name: "rw(FLAG,FLAG)", Size: 4, Align: 4}}},
		{"two words %d", []Field{{Name: "two", Size: 4, Align: 4, Signed: true}}},
		{"%d%d x%d", []Field{
			{Name: "field 1", Size: 4, Align: 4, Signed: true}, {Name: "field 2", Size: 4, Align: 4, Signed: true}, {Name: "field 3", Size: 4, Align: 4, Signed: true}}},
		{" x %d", []Field{{Name: "", Size: 4, Align: 4, Signed: true}}},
		{"flags 0x%lX", []Field{{Name: "flags", Size: 4, Align: 4}}},
		{"flags %#-+ 0lX", []Field{{Name: "flags", Size: 4, Align: 4}}},
		// Quirk 1: the % of `#1%d` is swallowed.
		{"irqstate #1%d", nil},
		{"irqstate #1%d v #1u%u", []Field{{Name: "irqstate", Size: 1, Align: 1}}},
	} {
		have, err := layOut(c.format, sizes32, false)
		if d := cmp.Diff(c.want, have); d != "" || err != nil {
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

// drawNoise returns a format, or something like one.
func drawNoise(t *rapid.T) string {
	if rapid.Bool().Draw(t, "well formed") {
		return drawFormat(t)
	}
	return rapid.StringOfN(rapid.SampledFrom([]rune("#%%%% nb1248hlLzZtdiuoxXcsp-+0aé")), 0, 24, -1).Draw(t, "format")
}

// TestCompilerAgrees compares the scanner of this package with grammar and compiler, which know nothing of it: on the fields of random
// formats, and on the text of random payloads, which is wrong as soon as one place is.
func TestCompilerAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		format := drawNoise(t)
		l := Layout{Dialect: V26, WordSize: rapid.SampledFrom([]int{4, 8}).Draw(t, "word"), BigEndian: rapid.Bool().Draw(t, "big")}
		if rapid.Bool().Draw(t, "aligned") {
			l.Alignment = l.WordSize
		}
		s := l.sizes()
		natural, pad := rapid.Bool().Draw(t, "natural"), 0
		if l.Alignment != 0 && !natural && rapid.Bool().Draw(t, "pad") {
			pad = l.WordSize
		}
		m := &Marker{}
		var mine, theirs error
		m.Fields, mine = layOut(format, s, natural)
		m.padStrings(pad)
		ev, theirs := compiler.Compile(compiler.Marker{Name: "m", Format: format, Int: s.int, Long: s.long, Pointer: s.pointer, SizeT: s.sizeT, Alignment: s.alignment},
			compiler.Rules{Era: compiler.Era1, Natural: natural, BigEndian: l.BigEndian, StringPad: pad})
		if (mine == nil) != (theirs == nil) {
			t.Fatalf("%q: %v, but the compiler says: %v", format, mine, theirs)
		}
		if mine != nil {
			return
		}
		sameFields(t, format, m.Fields, ev)
		want, data := drawText(t, m, &l)
		program, err := interp.Compile(ev, ir.Target{BigEndian: l.BigEndian, WordSize: l.WordSize})
		if err != nil {
			t.Fatal(err)
		}
		var outcome render.Outcome
		machine := interp.NewMachine(&render.Env{BigEndian: l.BigEndian, WordSize: l.WordSize, Outcome: &outcome})
		if have := string(machine.AppendText(nil, program, data)); have != want {
			t.Fatalf("%q of % x:\n%s, want\n%s (%+v)", format, data, have, want, outcome)
		}
	})
}

// sameFields compares sizes and signs.
func sameFields(t *rapid.T, format string, fields []Field, ev *ir.Event) {
	if len(fields) != len(ev.Values) {
		t.Fatalf("%q has %d fields, for the compiler %d", format, len(fields), len(ev.Values))
	}
	for i, f := range fields {
		d := ev.Values[i]
		if d.Text != (f.Size == 0) || !d.Text && (int(d.Type.Size) != f.Size || d.Type.Signed != f.Signed) {
			t.Fatalf("%q: field %d is %+v, for the compiler %+v", format, i, f, d)
		}
	}
}

// drawText returns a payload, and the text of it in the manner of 1.0.
func drawText(t *rapid.T, m *Marker, l *Layout) (text string, data []byte) {
	var order binary.ByteOrder = binary.LittleEndian
	if l.BigEndian {
		order = binary.BigEndian
	}
	_, data = drawPadded(t, m, l)
	at := 0
	for i, f := range m.Fields {
		text += map[bool]string{true: " { ", false: ", "}[i == 0] + f.Name + " = "
		at = alignUp(at, f.Align)
		if f.Size == 0 {
			start := at
			for ; data[at] != 0; at++ {
			}
			text += `"` + string(data[start:at]) + `"`
			at = alignUp(at+1, f.PadAfter)
			continue
		}
		o := order
		if f.Network {
			o = binary.BigEndian
		}
		var v uint64
		switch b := data[at:]; f.Size {
		case 1:
			v = uint64(b[0])
		case 2:
			v = uint64(o.Uint16(b))
		case 4:
			v = uint64(o.Uint32(b))
		case 8:
			v = o.Uint64(b)
		}
		at += f.Size
		shift := 64 - 8*f.Size
		switch {
		case f.Pointer:
			text += fmt.Sprintf("%#x", v)
		case f.Signed:
			text += fmt.Sprint(int64(v<<shift) >> shift)
		default:
			text += fmt.Sprint(v)
		}
	}
	if text != "" {
		text += " }"
	}
	return text, data
}

// drawPadded returns a payload by the writer, which the round trip compares with one that is made otherwise.
func drawPadded(t *rapid.T, m *Marker, l *Layout) ([]any, []byte) {
	values, want := drawValues(t, m, l)
	w := &Writer{layout: *l, order: binary.LittleEndian}
	if l.BigEndian {
		w.order = binary.BigEndian
	}
	data, _, err := w.payload(m, false, values)
	if err != nil {
		t.Fatal(err)
	}
	padded := false
	for _, f := range m.Fields {
		padded = padded || f.PadAfter > 1
	}
	if !padded && string(data) != string(want) {
		t.Fatalf("the writer made % x, want % x", data, want)
	}
	return values, data
}
