package gen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/gen/internal/name"

	"github.com/tracec/tracec/compiler/ir"
)

// maxSize limits the fixed part of an event. The part becomes a Go struct and an array in it. No
// ring buffer has such large records.
const maxSize = 1 << 20

// pkg is the contents of one generated package.
type pkg struct {
	system
	name   string
	group  string // of a split output, for comments
	target ir.Target
	text   bool // AppendText is also generated
	events []*event
	// commons are the distinct lists of common fields. There is nearly always only one.
	commons []*common
	chars   map[int]string // the types of text of a fixed size, by size
	symbols []*symbols

	names []eventName // parallel to events
}

// event is an ir.Event with its Go side.
type event struct {
	*ir.Event
	goName string
	// structName is the name of the struct over the record. It is goName unless the event has data
	// elsewhere in the record. Then the type of the event holds the struct and the record.
	structName string
	apart      bool
	fields     []*field // in the order of the description, without the common ones
	common     []*field
	// members are the fields in the struct, by offset. The other fields are dynamic, empty, or
	// overlap a member.
	members []*field
	byField map[*ir.Field]*field
	// symbolic are texts that name the value of a field. The type of the field has a method that
	// appends the text.
	symbolic map[ir.Text]*field
	ordered  map[int]bool // buffers of bytes in the byte order of the reading machine
	stream   bool         // no struct: the record is the variable data, which is big-endian (hooks.go)
	size     int          // of the struct
	align    int
	commons  int     // index in pkg.commons
	head     *common // the embedded struct; nil if the event does not begin with all common fields
}

// common is the struct of the fields at the beginning of events. Their structs embed it.
type common struct {
	event
	fields []*field
}

// field is an ir.Field with its Go side.
type field struct {
	*ir.Field
	goName  string
	word    string   // of a dynamic field: the name of its word, which is not exported
	elem    int      // Elem, or 1 if the text reads the bytes in another way (opaque.go)
	member  bool     // it has a place in the struct
	chars   string   // of text of a fixed size: the name of its type
	symbols *symbols // of an integer whose values have names
	self    bool     // the value is the receiver v, not a member
}

// newEvent lays an event out.
func newEvent(ev *ir.Event, target ir.Target) (*event, error) {
	if ev.Size > maxSize {
		return nil, fmt.Errorf("event %s: %d bytes are more than a record can have (%d)", eventLabel(ev.Group, ev.Name),
			ev.Size, maxSize)
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
		} else {
			e.fields = append(e.fields, g)
			e.apart = e.apart || g.apart()
		}
	}
	all := slices.Concat(e.fields, e.common) // a field keeps its name regardless of the common fields
	for _, f := range all {
		names = append(names, f.Name)
	}
	for i, n := range fieldNames(names, methodReserved) {
		if all[i].apart() && strings.HasSuffix(n, "Fields") && n != "Fields" { // a method beside the embedded struct
			n += "X"
		}
		all[i].goName = n
	}
	e.nameWords()
	e.place()
	return e, nil
}

// nameWords names the words of dynamic fields. Both FOOBar and FooBar become fooBar.
func (e *event) nameWords() {
	taken := map[string]bool{}
	for _, f := range e.fields {
		if f.Kind != ir.Dynamic {
			continue
		}
		f.word = name.Lower(f.goName, "Loc")
		for n := 2; taken[f.word]; n++ {
			f.word = name.Lower(f.goName, "Loc"+strconv.Itoa(n))
		}
		taken[f.word] = true
	}
}

// place decides which fields become members and how large the struct is.
func (e *event) place() {
	for _, f := range slices.Concat(e.common, e.fields) {
		if f.Kind != ir.Tail && f.Size > 0 && f.Offset >= 0 {
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

// goType is the type of a struct member. If the count is 0, it is a single value, otherwise an
// array.
type goType struct {
	count  int
	size   int
	signed bool
	packed bool // bind.U64 and similar types: not at a multiple of its size
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

// useText sets whether AppendText is generated. Most of a unit are programs of texts. Without text,
// their memory is free for the code.
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
			x.Signed == y.Signed && x.elem == y.elem && x.Rel == y.Rel && x.Text == y.Text && x.Fault == y.Fault
	})
}

// newPackage lays out events, sorted and without duplicates.
func newPackage(name string, target ir.Target, events []*ir.Event, names []string) (*pkg, error) {
	p := &pkg{name: name, target: target}
	taken := make(map[string]bool, len(names))
	for _, n := range names {
		taken[n] = true
	}
	pick := picker(taken)
	for i, ev := range events {
		e, err := newEvent(ev, target)
		if err != nil {
			return nil, err
		}
		e.goName, e.structName = names[i], names[i]
		if e.apart {
			e.structName = pick(names[i]+"Fields", e.Group+":"+e.Name)
		}
		e.commons = slices.IndexFunc(p.commons, func(c *common) bool { return sameFields(c.fields, e.common) })
		if e.commons < 0 {
			e.commons = len(p.commons)
			p.commons = append(p.commons, newCommon(e.common, pick))
		}
		e.head = p.commons[e.commons].headOf(e)
		p.events = append(p.events, e)
	}
	p.nameChars(pick)
	p.nameSymbols(pick)
	for _, e := range p.events {
		p.names = append(p.names, nameEvent(e.goName, e.goName, eventLabel(e.Group, e.Name), pick))
	}
	return p, nil
}

// newCommon lays the struct out.
func newCommon(fields []*field, pick func(name, key string) string) *common {
	c := &common{fields: fields, event: event{Event: &ir.Event{}, align: 1, common: fields}}
	if len(fields) > 0 {
		c.structName = pick("Common", "Common")
	}
	c.place()
	return c
}

// headOf returns c if the struct of e can embed it.
func (c *common) headOf(e *event) *common {
	n := len(c.members)
	if n == 0 || n != len(c.fields) || n > len(e.members) {
		return nil
	}
	for i, f := range c.members {
		if !e.members[i].Common || e.members[i].goName != f.goName || f.Kind == ir.Dynamic {
			return nil
		}
	}
	if n < len(e.members) && e.members[n].Offset < c.size || e.size < c.size {
		return nil
	}
	return c
}
