package bind

import (
	"errors"
	"fmt"
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

// nestedPair draws a compiled and a recorded field of one value.
func nestedPair(t *rapid.T, name string, levels int) (want, have Field) {
	kinds := []Kind{Int, Int, Terminated, Counted, Bytes}
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
		want.Size = 8
		have.Size = rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "size")
		have.Order = rapid.SampledFrom([]Order{AsEvent, LittleEndian, BigEndian}).Draw(t, "order")
		want.Order = rapid.SampledFrom([]Order{AsEvent, LittleEndian, BigEndian}).Draw(t, "order")
	case Counted:
		want.Size, have.Size = 2, rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "size")
	case Bytes:
		want.Size = rapid.IntRange(1, 5).Draw(t, "size")
		have.Size = want.Size
	case Struct:
		for i := range rapid.IntRange(1, 3).Draw(t, "members") {
			w, h := nestedPair(t, fmt.Sprint("m", i), levels-1)
			want.Fields, have.Fields = append(want.Fields, w), append([]Field{h}, have.Fields...) // in another order
		}
	case List:
		w, h := nestedPair(t, "", levels-1)
		want.Fields, have.Fields = []Field{w}, []Field{h}
		if rapid.Bool().Draw(t, "fixed") {
			want.Count = rapid.IntRange(1, 3).Draw(t, "count")
			have.Count = want.Count
			break
		}
		want.Size = rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "size")
		have.Size = rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "size")
	}
	return want, have
}

// drawTree draws a value that both fields can hold.
func drawTree(t *rapid.T, w, h *Field) (v tree) {
	switch w.Kind {
	case Int:
		v.number = rapid.Uint64().Draw(t, "number") >> (64 - 8*h.Size)
	case Terminated, Counted:
		v.text = rapid.StringMatching(`[a-z]{0,5}`).Draw(t, "text")
	case Bytes:
		v.text = rapid.StringMatching(fmt.Sprintf(`[a-z]{%d}`, w.Size)).Draw(t, "bytes")
	case Struct:
		for i := range w.Fields {
			v.parts = append(v.parts, drawTree(t, &w.Fields[i], &h.Fields[find(h.Fields, w.Fields[i].Name)]))
		}
	case List:
		n := w.Count
		if n == 0 {
			n = rapid.IntRange(0, 3).Draw(t, "elements")
		}
		for range n {
			v.parts = append(v.parts, drawTree(t, &w.Fields[0], &h.Fields[0]))
		}
	}
	return v
}

// plainWriter writes values one after another. It does not write padding until a value follows.
type plainWriter struct {
	b     []byte
	big   bool
	owing []int // what the next place is a multiple of
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
	p.owing = sorted(append(p.owing, f.Align))
	p.settle(0)
	switch f.Kind {
	case Int:
		p.uint(f.Size, v.number, f.Order)
	case Terminated:
		p.b = append(append(p.b, v.text...), 0)
	case Counted:
		p.uint(f.Size, uint64(len(v.text)), AsEvent)
		p.b = append(p.b, v.text...)
	case Bytes:
		p.b = append(p.b, v.text...)
	case Struct:
		for i := range f.Fields {
			j := find(ref.Fields, f.Fields[i].Name)
			p.write(&f.Fields[i], &ref.Fields[j], v.parts[j])
		}
	case List:
		if f.Count == 0 {
			p.uint(f.Size, uint64(len(v.parts)), f.Order)
		}
		for _, e := range v.parts {
			p.write(&f.Fields[0], &ref.Fields[0], e)
		}
		p.owing = append(p.owing, f.Fields[0].Align)
	}
	p.owing = append(p.owing, f.PadAfter)
}

// sorted puts the largest multiple last, so that it holds for the smaller ones too.
func sorted(n []int) []int {
	most := 1
	for _, x := range n {
		most = max(most, x)
	}
	return []int{most}
}

// TestRelocateNested: structures in lists in structures, of random layouts, in both byte orders,
// whole and cut at every byte.
func TestRelocateNested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, have := &Event{Name: "e", Sequential: true, BigEndian: rapid.Bool().Draw(t, "big")}, &Event{Name: "e", Sequential: true, BigEndian: rapid.Bool().Draw(t, "big")}
		var values []tree
		for i := range rapid.IntRange(1, 3).Draw(t, "fields") {
			w, h := nestedPair(t, fmt.Sprint("f", i), 3)
			want.Fields, have.Fields = append(want.Fields, w), append(have.Fields, h)
			values = append(values, drawTree(t, &w, &h))
		}
		in, out := plainWriter{big: have.BigEndian}, plainWriter{big: want.BigEndian}
		for i := range values {
			in.write(&have.Fields[i], &want.Fields[i], values[i])
			out.write(&want.Fields[i], &want.Fields[i], values[i])
		}
		p, err := newPayloadPlan(want, have, false)
		if err != nil {
			t.Fatal(err)
		}
		if p == nil { // they are laid out the same way
			return
		}
		var s scratch
		got, ok := p.relocate(&s, in.b)
		if n := len(out.b); !ok || len(got) < n || cmp.Diff(out.b, got[:n]) != "" || len(got) > n+8 {
			t.Fatalf("%v: got % x of % x, want % x\nwant %+v\nhave %+v", ok, got, in.b, out.b, want.Fields, have.Fields)
		}
		for n := range in.b {
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

// TestNestedNames: errors name members by the fields around them.
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
