package ctf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec"
)

// maxLabels bounds the number of named values of a field.
const maxLabels = 1 << 12

// A class describes the values of a field in the output.
type class struct {
	name    string
	kind    tracec.Kind
	size    int // size of a number, in bytes
	hex     bool
	named   *tracec.Field     // field with names of values; nil for others
	labels  map[uint64]string // names of the values so far
	members []*class          // members of a structure
	element *class            // element of a list
	maybe   bool              // the element may be missing: a list with at most one element
	opaque  bool              // a list of opaque bytes
	counted bool              // the previous member is the number of elements
}

// classOf returns the class of the values of a field.
func classOf(f *tracec.Field, kind tracec.Kind) *class {
	c := &class{name: f.Name, kind: kind, size: f.Size, hex: f.Hex}
	switch kind {
	case tracec.Float:
		if c.size != 4 {
			c.size = 8
		}
	case tracec.Int, tracec.Uint:
		if c.size = wide(c.size); f.Named {
			c.named, c.labels = f, map[uint64]string{}
		}
	case tracec.Bytes:
		c = blob(f.Name)
	case tracec.List:
		if f.Elem == tracec.List {
			c.element = classOf(&f.Fields[0], tracec.List)
		} else {
			c.element = classOf(f, f.Elem)
		}
	case tracec.Struct:
		c.members = members(f.Fields)
	}
	return c
}

// blob returns the class of opaque bytes.
func blob(name string) *class {
	return &class{name: name, kind: tracec.List, element: &class{kind: tracec.Uint, size: 1, hex: true}, opaque: true}
}

// wide returns the size of an integer: 1, 2, 4 or 8. Integers of other sizes are written with 8.
func wide(size int) int {
	if slices.Contains([]int{1, 2, 4}, size) {
		return size
	}
	return 8
}

// members returns the classes of the members of a structure.
func members(fields []tracec.Field) (list []*class) {
	for i := range fields {
		f := &fields[i]
		c := classOf(f, f.Kind)
		c.name = f.Name
		list = append(list, &class{name: f.Name, kind: tracec.List, element: c, maybe: true})
		if !f.Optional {
			list[i] = c
		}
	}
	return list
}

// count finds the lists whose length is recorded before them, under the names that recorders of CTF
// use.
func count(list []*class) {
	for i, c := range list {
		if i > 0 && c.kind == tracec.List && !c.maybe {
			n := list[i-1]
			c.counted = n.kind == tracec.Uint && n.name == lengthOf("_"+c.name)
		}
		for ; c != nil; c = c.element {
			count(c.members)
		}
	}
}

// lengthBefore returns the name for the length of a member, and reports whether the previous member
// is that length.
func lengthBefore(list []*class, names []string, i int) (name string, counted bool) {
	if list[i].counted {
		return names[i-1], true
	}
	return lengthOf(names[i]), false
}

// label stores the name of a value.
func (c *class) label(bits uint64) {
	if _, known := c.labels[bits]; known || len(c.labels) == maxLabels {
		return
	}
	name, ok := c.named.AppendName(nil, bits)
	if !ok || len(name) == 0 || name[0] >= '0' && name[0] <= '9' || name[0] == '-' { // the name is a number
		name = nil
	}
	c.labels[bits] = string(name)
}

// mapping is a label with its values, in order.
type mapping struct {
	name   string
	values []uint64
}

// mappings returns the labels of the values so far, sorted by their first values.
func (c *class) mappings() (list []mapping) {
	var values []uint64
	for v, name := range c.labels {
		if name != "" {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	index := map[string]int{}
	for _, v := range values {
		name := c.labels[v]
		i, ok := index[name]
		if !ok {
			i = len(list)
			index[name], list = i, append(list, mapping{name: name})
		}
		list[i].values = append(list[i].values, v)
	}
	return list
}

// number formats a value of a class in decimal digits.
func (c *class) number(bits uint64) string {
	if c.kind == tracec.Int {
		return strconv.FormatInt(int64(bits), 10)
	}
	return strconv.FormatUint(bits&(1<<(8*c.size-1)<<1-1), 10)
}

// event is a class of events: a type with some of its fields.
type event struct {
	id     uint32
	name   string
	fields []*class
	from   []int // indexes of the fields in the type
	has    []bool
	used   [2]bool // by class of streams
	text   bool    // the text follows the fields
	data   bool    // the event has only bytes
}

// nameOf returns the name of a type of events. If types have returns, the name distinguishes calls
// and returns.
func nameOf(t *tracec.Type, exits bool) string {
	name := t.Name
	if t.Label != "" && t.Label != t.Name {
		name = t.Label
	}
	if t.System != "" {
		name = t.System + ":" + name
	}
	switch {
	case t.Exit:
		name += "_exit"
	case exits:
		name += "_entry"
	}
	return name
}

// newEvent returns the class of the events of a type with some of its fields, or with bytes if it
// has no fields. own is set for events that were read from CTF.
func newEvent(id uint32, t *tracec.Type, has []bool, exits, text, own bool) *event {
	e := &event{id: id, name: nameOf(t, exits), has: slices.Clone(has), text: text,
		data: len(t.Fields) == 0 && has[0]}
	for i := range t.Fields {
		f := &t.Fields[i]
		if has[i] && !(f.Common && (f.Name == "common_type" || f.Name == "common_pid")) { // without type and thread
			c := classOf(f, f.Kind)
			e.fields, e.from = append(e.fields, c), append(e.from, i)
		}
	}
	if own {
		count(e.fields)
	}
	if e.data {
		e.fields = append(e.fields, blob("data"))
	}
	if text {
		e.fields = append(e.fields, &class{name: "text", kind: tracec.Text})
	}
	return e
}

// names sets unique names for the members of a structure, which also differ from the names of their
// lengths. In TSDL they are identifiers with a leading underscore.
func names(list []*class, tsdl bool) []string {
	taken, names := map[string]bool{}, make([]string, len(list))
	for i, c := range list {
		base := c.name
		if tsdl {
			base = "_" + strings.Map(identifier, base)
		}
		name, list := base, c.kind == tracec.List && !c.counted
		for n := 2; taken[bare(name)] || list && taken[bare(lengthOf(name))]; n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		names[i], taken[bare(name)] = name, true
		if list {
			taken[bare(lengthOf(name))] = true
		}
	}
	return names
}

// identifier maps characters that identifiers cannot contain to underscores.
func identifier(r rune) rune {
	if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return r
	}
	return '_'
}

// bare returns a name without leading underscores, since readers remove some.
func bare(name string) string { return strings.TrimLeft(name, "_") }

func lengthOf(name string) string { return name + "_length" }
