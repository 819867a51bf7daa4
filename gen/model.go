package gen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/tracec/tracec/compiler/ir"
)

// maxSize bounds the fixed part of an event. It becomes a Go struct and an array in it; no ring buffer hands out
// such records.
const maxSize = 1 << 20

// pkg is what one generated package holds.
type pkg struct {
	name   string
	group  string // of a split output, for comments
	target ir.Target
	text   bool // AppendText is generated too
	events []*event
	// commons are the distinct lists of common fields; nearly always one.
	commons [][]*field
}

// event is an ir.Event with its Go side.
type event struct {
	*ir.Event
	goName string
	fields []*field // in the order of the description, without the common ones
	common []*field
	// members are the fields in the struct, by offset. The others are dynamic, empty, or overlap one that is.
	members []*field
	byField map[*ir.Field]*field
	ordered map[int]bool // buffers of bytes that are in the byte order of the machine that reads
	stream  bool         // no struct: the record is the variable data, which is big-endian (hooks.go)
	size    int          // of the struct
	align   int
	commons int // index in pkg.commons
}

// field is an ir.Field with its Go side.
type field struct {
	*ir.Field
	goName string
	word   string // of a dynamic field: the name of its word, which is not exported
	elem   int    // Elem, or 1 when the text looks at the bytes in another way (opaque.go)
	member bool   // it has a place in the struct
}

// newEvent lays an event out.
func newEvent(ev *ir.Event, target ir.Target) (*event, error) {
	if ev.Size > maxSize {
		return nil, fmt.Errorf("event %s: %d bytes are more than a record can have (%d)", eventLabel(ev.Group, ev.Name), ev.Size, maxSize)
	}
	e := &event{Event: ev, byField: make(map[*ir.Field]*field, len(ev.Fields)), align: 1}
	elems, ordered := elementSizes(ev, target)
	e.ordered = ordered
	var names []string
	for _, f := range ev.Fields {
		g := &field{Field: f, elem: elems[f]}
		e.byField[f] = g
		if f.Common {
			e.common = append(e.common, g)
			continue
		}
		e.fields = append(e.fields, g)
		names = append(names, f.Name)
	}
	for i, n := range fieldNames(names, methodReserved) {
		e.fields[i].goName = n
	}
	e.nameWords()
	e.place()
	return e, nil
}

// nameWords names the words of dynamic fields. FOOBar and FooBar both become fooBar.
func (e *event) nameWords() {
	taken := map[string]bool{}
	for _, f := range e.fields {
		if f.Kind != ir.Dynamic {
			continue
		}
		f.word = lowerName(f.goName, "Loc")
		for n := 2; taken[f.word]; n++ {
			f.word = lowerName(f.goName, "Loc"+strconv.Itoa(n))
		}
		taken[f.word] = true
	}
}

// place decides which fields become members and how large the struct is.
func (e *event) place() {
	for _, f := range e.fields {
		if f.Kind != ir.Tail && f.Size > 0 {
			e.members = append(e.members, f)
		}
	}
	slices.SortStableFunc(e.members, func(a, b *field) int { return cmp.Compare(a.Offset, b.Offset) })
	end := 0
	e.members = slices.DeleteFunc(e.members, func(f *field) bool {
		if f.Offset < end {
			return true
		}
		end = f.Offset + f.Size
		f.member = true
		if t := f.goType(); t.align > e.align {
			e.align = t.align
		}
		return false
	})
	e.size = (max(e.Size, end) + e.align - 1) / e.align * e.align
}

// goType is the type of a struct member: count 0 is a single value, else an array.
type goType struct {
	count  int
	size   int
	signed bool
	packed bool // bind.U64 and its like: not at a multiple of its size
	align  int
}

func (f *field) goType() goType {
	t := goType{size: f.Size, signed: f.Signed}
	switch f.Kind {
	case ir.Int:
	case ir.Dynamic:
		t.signed = false
	case ir.Array:
		t.size = f.elem
		t.count = f.Size / f.elem
	default:
		t.size, t.count = 1, f.Size
	}
	if t.count > 0 && t.size == 1 {
		t.signed = false
	}
	t.packed = f.Offset%t.size != 0
	t.align = t.size
	if t.packed {
		t.align = 1
	}
	return t
}

// useText says whether AppendText is wanted. The programs of texts are most of a unit: without it, their memory is free for
// the code.
func (p *pkg) useText(on bool) {
	p.text = on
	for _, e := range p.events {
		if !on {
			e.Text = nil
		}
	}
}

// sameFields reports whether two lists describe the same layout.
func sameFields(a, b []*field) bool {
	return slices.EqualFunc(a, b, func(x, y *field) bool {
		return x.Name == y.Name && x.Kind == y.Kind && x.Offset == y.Offset && x.Size == y.Size &&
			x.Signed == y.Signed && x.elem == y.elem && x.Rel == y.Rel && x.Text == y.Text
	})
}

// newPackage lays out events, which are sorted and unique.
func newPackage(name string, target ir.Target, events []*ir.Event, names []string) (*pkg, error) {
	p := &pkg{name: name, target: target}
	for i, ev := range events {
		e, err := newEvent(ev, target)
		if err != nil {
			return nil, err
		}
		e.goName = names[i]
		e.commons = slices.IndexFunc(p.commons, func(c []*field) bool { return sameFields(c, e.common) })
		if e.commons < 0 {
			e.commons = len(p.commons)
			p.commons = append(p.commons, e.common)
		}
		p.events = append(p.events, e)
	}
	return p, nil
}
