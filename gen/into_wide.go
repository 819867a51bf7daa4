package gen

import (
	"slices"

	"github.com/tracec/tracec/compiler/ir"
)

// widen plans the layout of records whose numbers are wider than in the recording that e was made
// from, as far as the fields of the struct hold them. For example, an unsigned long that goes to
// uint64 has 4 bytes on a 32-bit machine and 8 on others. Without this, bind would refuse
// recordings although all their values fit.
func (p *intoPkg) widen(e *intoEvent) error {
	if e.Variants != nil || !e.wantsValues() || repeats(e.fills) {
		return nil // hooks have all forms that there are
	}
	size, wider := map[*given]int8{}, false
	for _, f := range e.fills {
		if f.from.member == "" {
			n := f.widest()
			if before, ok := size[f.from]; ok {
				n = min(n, before)
			}
			size[f.from] = n
		}
	}
	for g, n := range size {
		wider = wider || n > g.stored()
	}
	if !wider {
		return nil
	}
	for g := range size {
		if g.many && e.payload != nil && e.payload.Variants == nil { // recordings with wider numbers do not bind
			return nil
		}
	}
	w := *e
	w.wide, w.isWide = nil, true
	if e.payload == nil {
		w.widenFixed(size)
		e.wide = &w
		return nil
	}
	err := w.widenSequential(size, p.target)
	e.wide = &w
	return err
}

// repeats reports whether two values have one name. Only damaged descriptions have such values, and
// recordings cannot distinguish them.
func repeats(fills []*fill) bool {
	byName := map[string]*given{}
	for _, f := range fills {
		if g := byName[f.from.name]; g != nil && g != f.from {
			return true
		}
		byName[f.from.name] = f.from
	}
	return false
}

// widest is the size of the widest numbers that a field takes, all of them or by leave. It is 0 if
// the field takes no wider ones.
func (f *fill) widest() int8 {
	have := f.from.stored()
	switch {
	case f.from.shape == ofText || f.from.shape == ofBlob:
		return 0
	case f.from.enum != 0:
		return 8 // the upper half is not used
	}
	for _, n := range []int8{8, 4, 2} {
		if n > have && (f.from.shape != ofFloat || n >= 4) {
			if leave, why := conversion(f.from.wideAs(n), f.goal, f.to.tag.unit != 0); why == "" && (leave == "" || f.to.tag.narrow) {
				return n
			}
		}
	}
	return have
}

// stored is the size of a number in a record, or of each of several.
func (g *given) stored() int8 {
	if g.enum != 0 {
		return g.enum
	}
	return g.typ.Size
}

// wideAs is a value whose numbers have n bytes.
func (g *given) wideAs(n int8) *given {
	w := *g
	if w.enum != 0 {
		w.enum = n
	} else {
		w.typ.Size = n
	}
	return &w
}

// mayBeCut reports whether a number that a field holds is a word of a 32-bit machine, and has more
// bytes on other machines than the field.
func (p *intoPkg) mayBeCut(g *given, to *goal, unit bool) bool {
	if p.target.WordSize != 4 || g.typ.Size != 4 || g.member != "" {
		return false
	}
	leave, why := conversion(g.wideAs(8), to, unit)
	return leave != "" && why == ""
}

// refill gives the fields their values as they are in another layout.
func (e *intoEvent) refill(size map[*given]int8, change func(*given)) {
	made := map[*given]*given{}
	fills := make([]*fill, len(e.fills))
	for i, f := range e.fills {
		g := f.from
		if g.member == "" {
			if made[g] == nil {
				made[g] = g.wideAs(size[g])
				change(made[g])
			}
			g = made[g]
		}
		fills[i] = &fill{to: f.to, from: g, goal: f.goal}
	}
	e.fills = fills
}

// widenFixed lays the fields out one after another, a tail last.
func (e *intoEvent) widenFixed(size map[*given]int8) {
	var fields []*given
	e.refill(size, func(g *given) { fields = append(fields, g) })
	slices.SortStableFunc(fields, func(a, b *given) int { return a.field.Offset - b.field.Offset })
	at := 0
	for _, tail := range []bool{false, true} {
		for _, g := range fields {
			if (g.field.Kind == ir.Tail) != tail {
				continue
			}
			f := *g.field
			f.Offset = at
			switch {
			case f.Kind == ir.Int:
				f.Size = int(g.typ.Size)
			case g.shape == ofList:
				f.Elem = int(g.typ.Size)
				if f.Kind == ir.Array {
					f.Size = g.size * f.Elem
				}
			}
			at += f.Size
			g.field = &f
		}
	}
}

// widenSequential writes a payload of the used values and the program that reads it. Values without
// a size of their own come last. Only bind makes such payloads.
func (e *intoEvent) widenSequential(size map[*given]int8, target ir.Target) error {
	var fixed, counted []*given
	e.refill(size, func(g *given) {
		if f := e.sequential(g.name); f.Kind == ir.Counted || f.Kind == ir.Terminated {
			counted = append(counted, g)
		} else {
			fixed = append(fixed, g)
		}
	})
	p := &widePayload{Event: *e.Event, data: e.Fields[0]}
	p.Fields, p.Decode, p.Slots = p.Fields[:1:1], nil, 0
	for _, g := range fixed {
		f := *e.sequential(g.name)
		f.Align, f.Order = 0, ir.AsRecorded
		if f.Kind != ir.Bytes {
			f.Size, f.Value = int(g.stored()), ir.Type{}
		}
		p.addFixed(&f)
	}
	p.Decode = append([]ir.Stmt{&ir.Require{Of: p.bytes(), Bytes: u64(p.at)}}, p.Decode...)
	for i, g := range counted {
		if i == 0 {
			p.Slots, p.Decode = 2, append(p.Decode, &ir.Let{V: u64(p.at)})
		}
		f := *e.sequential(g.name)
		f.Kind, f.Size, f.Align, f.PadAfter = ir.Counted, countBytes, 0, 0
		p.addCounted(&f)
		if i+1 < len(counted) {
			p.next()
		}
	}
	v, err := planValues(&p.Event, target, e.goName, payloadLabel(&p.Event))
	if err != nil {
		return err
	}
	for _, f := range e.fills {
		if f.from.member != "" {
			continue
		}
		f.from.value = slices.IndexFunc(v.leaves(), func(x *valueField) bool { return x.name == f.from.name })
	}
	e.event, e.values = &event{Event: &p.Event, goName: e.goName}, v
	e.payload = &payload{Event: &p.Event, goName: e.goName, values: v}
	return nil
}

// sequential is the field of a value.
func (e *intoEvent) sequential(path string) *ir.Field {
	leaves := e.Leaves()
	f := *leaves[slices.IndexFunc(leaves, func(l ir.Leaf) bool { return l.Path == path })].Field
	f.Name = path
	return &f
}

// widePayload is an event with a payload of our own.
type widePayload struct {
	ir.Event
	data *ir.Field
	at   int // after the values of fixed size
}

func (p *widePayload) bytes() ir.Region { return &ir.FieldBytes{Field: p.data} }

func u64(n int) ir.Value { return &ir.Const{T: ir.U64, V: uint64(n)} }

func sum(x, y ir.Value) ir.Value { return &ir.Binary{Op: ir.OpAdd, X: x, Y: y} }

// addFixed adds a value of fixed size.
func (p *widePayload) addFixed(f *ir.Field) {
	keep := &ir.Keep{Field: f}
	if f.Kind == ir.Bytes {
		keep.Of = &ir.Slice{Of: p.bytes(), At: u64(p.at), Len: u64(f.Size)}
	} else {
		keep.V = &ir.Load{T: f.Type(), From: p.bytes(), At: u64(p.at)}
	}
	p.Fields, p.Decode = append(p.Fields, f), append(p.Decode, keep)
	p.at += f.Size
}

// addCounted adds a value after its length. Local 0 holds the place of the length, and local 1 the
// length.
func (p *widePayload) addCounted(f *ir.Field) {
	at, n := &ir.Local{T: ir.U64}, &ir.Local{T: ir.U64, Slot: 1}
	after := sum(at, u64(countBytes))
	p.Decode = append(p.Decode,
		&ir.Require{Of: p.bytes(), Bytes: after},
		&ir.Let{Slot: 1, V: &ir.Convert{T: ir.U64, X: &ir.Load{T: ir.U32, From: p.bytes(), At: at}}},
		&ir.Require{Of: p.bytes(), Bytes: sum(after, n)},
		&ir.Keep{Field: f, Of: &ir.Slice{Of: p.bytes(), At: after, Len: n}})
	p.Fields = append(p.Fields, f)
}

// countBytes is the size of a length in such a payload.
const countBytes = 4

// next moves after a value that addCounted has added.
func (p *widePayload) next() {
	at, n := &ir.Local{T: ir.U64}, &ir.Local{T: ir.U64, Slot: 1}
	p.Decode = append(p.Decode, &ir.Let{V: sum(sum(at, u64(countBytes)), n)})
}
