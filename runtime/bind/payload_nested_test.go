package bind

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// tree is a value with its parts, in the compiled and in the recorded layout.
type tree struct {
	number uint64
	text   string
	parts  []tree // in the order of the compiled layout
}

// pairs draws layouts.
type pairs struct{ slots int }

// one draws a compiled and a recorded field of one value.
func (drawn *pairs) one(t *rapid.T, name string, levels int) (want, have Field) {
	kinds := []Kind{Int, Int, Float, Terminated, Counted, Bytes}
	if levels > 0 {
		kinds = append(kinds, Struct, List, Struct, List)
	}
	grain := rapid.SampledFrom([]int{0, 1, 2, 4, 8})
	k := rapid.SampledFrom(kinds).Draw(t, "kind")
	place := func() Field {
		return Field{Name: name, Kind: k, Align: grain.Draw(t, "align"), PadAfter: grain.Draw(t, "pad")}
	}
	want, have = place(), place()
	switch k {
	case Int:
		want, have = drawn.number(t, want, have)
	case Float:
		want.Size, have.Size = 8, 8
		have.Order = rapid.SampledFrom([]Order{AsEvent, LittleEndian, BigEndian}).Draw(t, "order")
	case Counted:
		want.Size, have.Size = 2, rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "size")
	case Bytes:
		want.Size = rapid.IntRange(1, 5).Draw(t, "size")
		have.Size = want.Size
	case Struct:
		want.Fields, have.Fields = drawn.fields(t, levels-1)
	case List:
		w, h := drawn.one(t, "", levels-1)
		want.Fields, have.Fields = []Field{w}, []Field{h}
		if rapid.Bool().Draw(t, "fixed") || !hasBytes(&w) {
			want.Count = rapid.IntRange(0, 3).Draw(t, "count")
			have.Count = want.Count
			break
		}
		want.Size = rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "size")
		have.Size = rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "size")
	}
	return want, have
}

// hasBytes reports whether each value of f has bytes. The recorded length of a list without such
// values is not trusted.
func hasBytes(f *Field) bool {
	switch {
	case f.Kind == Struct:
		return slices.ContainsFunc(f.Fields, func(m Field) bool { return hasBytes(&m) })
	case f.Kind == List && f.Size == 0 && f.From == 0:
		return f.Count > 0 && hasBytes(&f.Fields[0])
	}
	return f.Kind == Terminated || f.Size > 0
}

// number draws the layouts of an integer.
func (drawn *pairs) number(t *rapid.T, want, have Field) (w, h Field) {
	order := rapid.SampledFrom([]Order{AsEvent, LittleEndian, BigEndian})
	want.Size, want.Order = 8, order.Draw(t, "order")
	have.Size, have.Order = rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "size"), order.Draw(t, "order")
	want.Signed = rapid.Bool().Draw(t, "signed")
	have.Signed = want.Signed
	return want, have
}

// fields draws consecutive fields. The recorded order differs, but a field stays after the field it
// refers to.
func (drawn *pairs) fields(t *rapid.T, levels int) (want, have []Field) {
	for i := range rapid.IntRange(1, 3).Draw(t, "fields") {
		var w, h []Field
		name := fmt.Sprint("f", i)
		switch rapid.IntRange(0, 5).Draw(t, "group") {
		case 0:
			w, h = drawn.bits(t, name)
		case 1:
			w, h = drawn.dependent(t, name, levels)
		default:
			a, b := drawn.one(t, name, levels)
			w, h = []Field{a}, []Field{b}
		}
		want, have = append(want, w...), append(h, have...)
	}
	return want, have
}

// bits draws bit fields that share bytes.
func (drawn *pairs) bits(t *rapid.T, name string) (want, have []Field) {
	draw := func(counts []int, order Order) (list []Field) {
		at := 0 // in bits, of the field in front
		for i, n := range counts {
			f := Field{Name: fmt.Sprint(name, " bit ", i), Order: order, Signed: n%2 > 0}
			first := at % 8
			if first > 0 {
				f.Bits.Overlap = 1
			}
			f.Size = (first + n + 7) / 8
			f.Bits.Count, f.Bits.At = n, first
			if order == BigEndian {
				f.Bits.At = 8*f.Size - first - n
			}
			at = first + n
			list = append(list, f)
		}
		return list
	}
	counts := rapid.SliceOfN(rapid.IntRange(1, 57), 1, 4).Draw(t, "bits")
	order := rapid.SampledFrom([]Order{LittleEndian, BigEndian})
	return draw(counts, order.Draw(t, "order")), draw(counts, order.Draw(t, "order"))
}

// dependent draws an integer, and a field with its length or arm in this integer.
func (drawn *pairs) dependent(t *rapid.T, name string, levels int) (want, have []Field) {
	drawn.slots++
	w, h := drawn.number(t, Field{Name: name + " n", Slot: drawn.slots},
		Field{Name: name + " n", Slot: drawn.slots + 100})
	x, y := Field{Name: name, From: w.Slot}, Field{Name: name, From: h.Slot}
	switch kind := rapid.SampledFrom([]Kind{Counted, List, Variant}).Draw(t, "dependent"); kind {
	case List:
		a, b := drawn.one(t, "", levels-1)
		if !hasBytes(&a) {
			a, b = Field{Size: 8}, Field{Size: 2}
		}
		x.Kind, y.Kind, x.Fields, y.Fields = kind, kind, []Field{a}, []Field{b}
	case Variant:
		x.Kind, y.Kind = kind, kind
		x.Optional, y.Optional = true, true
		for i := range rapid.IntRange(1, 3).Draw(t, "arms") {
			a, b := drawn.one(t, fmt.Sprint("arm", i), levels-1)
			a.When = []Range{{uint64(2 * i), uint64(2 * i)}, {uint64(10 + 2*i), uint64(11 + 2*i)}}
			b.When = a.When
			x.Fields, y.Fields = append(x.Fields, a), append([]Field{b}, y.Fields...)
		}
	default:
		x.Kind, y.Kind = kind, kind
	}
	return []Field{w, x}, []Field{h, y}
}

// drawTrees draws values for fields that both sides can hold.
func drawTrees(t *rapid.T, want, have []Field) (list []tree) {
	for i := range want {
		w := &want[i]
		v := drawTree(t, w, &have[find(have, w.Name)])
		if w.From > 0 {
			list[i-1].number = v.number
		}
		list = append(list, v)
	}
	return list
}

// drawTree draws a value that both fields can hold. Its number is its number of elements, or
// selects its arm.
func drawTree(t *rapid.T, w, h *Field) (v tree) {
	switch w.Kind {
	case Int:
		v.number = rapid.Uint64().Draw(t, "number") << (64 - h.bits())
		if h.Signed {
			v.number = uint64(int64(v.number) >> (64 - h.bits()))
		} else {
			v.number >>= 64 - h.bits()
		}
	case Float:
		v.number = rapid.Uint64().Draw(t, "float")
	case Terminated, Counted:
		v.text = rapid.StringMatching(`[a-z]{0,5}`).Draw(t, "text")
		v.number = uint64(len(v.text))
	case Bytes:
		v.text = rapid.StringMatching(fmt.Sprintf(`[a-z]{%d}`, w.Size)).Draw(t, "bytes")
	case Struct:
		v.parts = drawTrees(t, w.Fields, h.Fields)
	case Variant:
		i := rapid.IntRange(0, len(w.Fields)).Draw(t, "arm")
		if v.number = 100; i == len(w.Fields) {
			break
		}
		a := &w.Fields[i]
		v.number = rapid.SampledFrom([]uint64{a.When[0].Low, a.When[1].Low, a.When[1].High}).Draw(t, "selector")
		v.parts = []tree{drawTree(t, a, &h.Fields[find(h.Fields, a.Name)])}
	case List:
		n := w.Count
		if w.Size > 0 || w.From > 0 {
			n = rapid.IntRange(0, 3).Draw(t, "elements")
		}
		for range n {
			v.parts = append(v.parts, drawTree(t, &w.Fields[0], &h.Fields[0]))
		}
		v.number = uint64(n)
	}
	return v
}

// skipSome skips fields. It returns the remaining values and the last recorded field that is
// needed. A field that refers to another one is never skipped: see gen.
func skipSome(t *rapid.T, want, have []Field, values []tree) (used []tree, last int) {
	last = -1
	for i := range want {
		w, v := &want[i], values[i]
		if w.Slot == 0 && w.From == 0 && rapid.Bool().Draw(t, "skip") {
			w.Skip, v = true, zeroTree(w)
		} else {
			last = max(last, find(have, w.Name))
		}
		used = append(used, v)
	}
	return used, last
}

// zeroTree is the value of a skipped field.
func zeroTree(f *Field) (v tree) {
	switch f.Kind {
	case Bytes:
		v.text = string(make([]byte, f.Size))
	case Struct:
		for i := range f.Fields {
			v.parts = append(v.parts, zeroTree(&f.Fields[i]))
		}
	case List:
		for range f.Count {
			v.parts = append(v.parts, zeroTree(&f.Fields[0]))
		}
	case Variant:
		v.number = 100 // of no arm: see drawTree
		if i := f.arm(0); i >= 0 {
			v.number, v.parts = 0, []tree{zeroTree(&f.Fields[i])}
		}
	}
	return v
}

// plainWriter writes values one after another. It does not write padding until a value follows.
type plainWriter struct {
	b     []byte
	big   bool
	owing []int // the next place is a multiple of these
}

func (p *plainWriter) settle(align int) {
	for _, n := range append(p.owing, align) {
		for n > 1 && len(p.b)%n != 0 {
			p.b = append(p.b, 0)
		}
	}
	p.owing = nil
	if align > 1 && len(p.b)%align != 0 {
		panic("a smaller multiple moved it")
	}
}

func (p *plainWriter) uint(size int, v uint64, o Order) {
	big := p.big
	if o != AsEvent {
		big = o == BigEndian
	}
	b := order(big).AppendUint64(nil, v)
	if big {
		p.b = append(p.b, b[8-size:]...)
	} else {
		p.b = append(p.b, b[:size]...)
	}
}

// write appends a value. The parts of v are in the order of ref.
func (p *plainWriter) write(f, ref *Field, v tree) {
	if f.Bits.Count > 0 && f.Bits.Overlap > 0 {
		p.bits(f, v.number)
		return
	}
	p.owing = sorted(append(p.owing, f.Align))
	p.settle(0)
	switch f.Kind {
	case Int, Float:
		if f.Bits.Count > 0 {
			p.bits(f, v.number)
			break
		}
		p.uint(f.Size, v.number, f.Order)
	case Terminated:
		p.b = append(append(p.b, v.text...), 0)
	case Counted:
		if f.From == 0 {
			p.uint(f.Size, uint64(len(v.text)), AsEvent)
		}
		p.b = append(p.b, v.text...)
	case Bytes:
		p.b = append(p.b, v.text...)
	case Struct:
		p.fields(f.Fields, ref.Fields, v.parts)
	case Variant:
		for i := range f.Fields {
			for _, r := range f.Fields[i].When {
				if v.number >= r.Low && v.number <= r.High {
					p.write(&f.Fields[i], &ref.Fields[find(ref.Fields, f.Fields[i].Name)], v.parts[0])
				}
			}
		}
	case List:
		if f.Size > 0 {
			p.uint(f.Size, uint64(len(v.parts)), f.Order)
		}
		for _, e := range v.parts {
			p.write(&f.Fields[0], &ref.Fields[0], e)
		}
		if len(v.parts) == 0 {
			p.owing = append(p.owing, f.Fields[0].Align)
		}
	}
	p.owing = append(p.owing, f.PadAfter)
}

// fields appends values that follow one another. The values are in the order of ref.
func (p *plainWriter) fields(fields, ref []Field, values []tree) {
	for i := range fields {
		j := find(ref, fields[i].Name)
		p.write(&fields[i], &ref[j], values[j])
	}
}

// bits writes the bits of a number one by one.
func (p *plainWriter) bits(f *Field, v uint64) {
	at := len(p.b) - f.Bits.Overlap
	p.b = append(p.b, make([]byte, f.Size-f.Bits.Overlap)...)
	for i := range f.Bits.Count {
		bit := f.Bits.At + i
		place := at + bit/8
		if f.Order == BigEndian {
			place = at + f.Size - 1 - bit/8
		}
		p.b[place] |= byte(v>>i&1) << (bit % 8)
	}
}

// sorted puts the largest multiple last, so that it also holds for the smaller ones.
func sorted(n []int) []int {
	most := 1
	for _, x := range n {
		most = max(most, x)
	}
	return []int{most}
}

// TestRelocateNested: structures, lists, variants and bit fields in each other, with random
// layouts, in both byte orders, whole and cut at every byte. Some fields are skipped.
func TestRelocateNested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, have := &Event{Name: "e", Sequential: true, BigEndian: rapid.Bool().Draw(t, "big")},
			&Event{Name: "e", Sequential: true, BigEndian: rapid.Bool().Draw(t, "big")}
		want.Fields, have.Fields = new(pairs).fields(t, 3)
		values := drawTrees(t, want.Fields, have.Fields)
		used, last := skipSome(t, want.Fields, have.Fields, values)
		in, out := plainWriter{big: have.BigEndian}, plainWriter{big: want.BigEndian}
		in.fields(have.Fields[:last+1], want.Fields, values)
		needed := len(in.b)
		in.fields(have.Fields[last+1:], want.Fields, values)
		out.fields(want.Fields, want.Fields, used)
		p, err := newPayloadPlan(want, have, false)
		if err != nil {
			t.Fatal(err)
		}
		if p == nil { // both layouts are the same
			return
		}
		var s scratch
		got, ok := p.relocate(&s, in.b)
		if n := len(out.b); !ok || len(got) < n || cmp.Diff(out.b, got[:n]) != "" || len(got) > n+8 {
			t.Fatalf("%v: got % x of % x, want % x\nwant %+v\nhave %+v", ok, got, in.b, out.b, want.Fields, have.Fields)
		}
		for n := range needed {
			if _, ok := p.relocate(&s, in.b[:n]); ok {
				t.Fatalf("%d bytes of % x pass", n, in.b)
			}
		}
		noise := rapid.SliceOfN(rapid.Byte(), 0, 64).Draw(t, "noise")
		if got, _ := p.relocate(&s, noise); len(got) > 1<<16 {
			t.Fatalf("%d bytes of % x", len(got), noise)
		}
	})
}

// TestNestedNames: errors name a member with the enclosing fields.
func TestNestedNames(t *testing.T) {
	layout := func(member Field) *Event {
		list := Field{Name: "l", Kind: List, Size: 2, Fields: []Field{{Kind: Struct, Fields: []Field{member}}}}
		return &Event{Name: "e", Sequential: true, Fields: []Field{{Name: "s", Kind: Struct, Fields: []Field{list}}}}
	}
	want := layout(Field{Name: "x", Size: 4})
	for _, c := range []struct {
		have Field
		err  error
	}{
		{Field{Name: "y", Size: 4}, ErrMissing},
		{Field{Name: "x", Size: 8}, ErrNarrow},
		{Field{Name: "x", Kind: Terminated}, ErrIncompatible},
	} {
		_, err := newPayloadPlan(want, layout(c.have), false)
		var e *Error
		if !errors.Is(err, c.err) || !errors.As(err, &e) || e.Field != "s.l.x" {
			t.Errorf("%+v: %v", c.have, err)
		}
	}
}

// TestNoElements: a list without a recorded length has Count elements, which may be 0, and elements
// may have no bytes.
func TestNoElements(t *testing.T) {
	list := func(n int, e Field) Field { return Field{Name: "l", Kind: List, Count: n, Fields: []Field{e}} }
	layout := func(size int, l Field) *Event {
		return &Event{Name: "e", Sequential: true, Fields: []Field{l, {Name: "a", Size: size}}}
	}
	for _, l := range []Field{list(0, Field{Size: 4}), list(3, list(0, Field{Size: 4})), list(9, Field{Kind: Struct})} {
		p, err := newPayloadPlan(layout(8, l), layout(4, l), false)
		if err != nil {
			t.Errorf("%+v: %v", l, err)
			continue
		}
		if have, ok := p.relocate(new(scratch), []byte{5, 0, 0, 0}); !ok ||
			cmp.Diff([]byte{5, 0, 0, 0, 0, 0, 0, 0}, have) != "" {
			t.Errorf("%+v: % x, %v", l, have, ok)
		}
	}
	l := Field{Kind: Struct}
	for range 6 {
		l = list(1000, l)
	}
	p, err := newPayloadPlan(layout(8, l), layout(4, l), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := p.relocate(new(scratch), make([]byte, 5000)); ok {
		t.Error("10^18 elements have been found")
	}
}
