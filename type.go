package tracec

import (
	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/programs"
)

// Type is one kind of event.
type Type struct {
	// System and Name come from the description: sched and sched_switch; a module and a function; a
	// channel and a marker; aix and a hook id. System may be empty.
	System, Name string
	// Label is the usual name where Name is a key: the label of an AIX hook, the simple name of a
	// function. Otherwise it is Name.
	Label string
	// Exit is set for returns from a function.
	Exit   bool
	Fields []Field
	// Number numbers the types of the events that a Reader has yielded, from 0 in the order of
	// their first events. It can index a slice of data per type.
	Number int
	// Err is the reason for missing fields or a missing text, or nil.
	Err error

	choice  choice
	filter  *filter.Predicate // filter of yielded events; nil passes all
	called  choice            // result of Reader.Passes
	byName  map[string]int
	program *programs.Program // program of the text; nil without a text
	machine int               // index of the events' machine in the recording
	decode  *interp.Program   // yields all values at once; nil: readers do
	slots   []slot            // for the values of decode, by their numbers
	readers []*interp.Reader
	least   int          // minimum bytes of a record that holds all located fields
	located []int        // fields with a place in the record
	stack   *stackLayout // nil if the event is not a stack
	frames  int          // the place of the field of StackField, + 1; 0 without one
}

// Field describes one field of a Type.
type Field struct {
	Name string // as described; unique in the type
	Decl string // how it is declared or written, for people: "char comm[16]", arg1/i32, #2u%u
	Kind Kind   // kind of its values
	// Elem is the kind of the elements of a List; otherwise it is Kind.
	Elem Kind
	// Fields are the members of a Struct. For a List they describe the elements: the members of
	// structures, or one field for elements that are lists.
	Fields []Field
	// Size is the recorded size in bytes of an integer, a float, or an element of a List: 1, 2, 4
	// or 8. It is 0 for texts and bytes.
	Size int
	// Hex reports whether people read the integer in hexadecimal, as an address.
	Hex bool
	// Named reports whether Value.AppendName has names for values.
	Named bool
	// Common reports whether every event of the recording begins with the field.
	Common bool
	// Optional reports whether an event may lack the field.
	Optional bool

	field  *ir.Field
	reader *interp.Reader // reader of the elements of a List of bytes
	names  *interp.Names
}

// Index returns the place of the field with that name in Fields, or -1.
func (t *Type) Index(name string) int {
	if i, ok := t.byName[name]; ok {
		return i
	}
	return -1
}

// newType returns the type for a program, with its fields.
func newType(p *programs.Program) *Type {
	ev, t := p.Event, p.Target
	typ := &Type{System: ev.Group, Name: ev.Name, Label: ev.Label, Exit: ev.Exit, byName: map[string]int{}, program: p}
	if typ.Label == "" {
		typ.Label = ev.Name
	}
	typ.stack = newStack(ev, t)
	p.Text()
	if typ.Err = p.Err; typ.Err == nil && ev.Why != "" {
		typ.Err = errorString(ev.Why)
	}
	if interp.Decodes(ev) {
		typ.values(ev, t)
	} else if !wholeRecord(ev) {
		typ.fields(ev, t)
	}
	for i := range typ.Fields {
		f := &typ.Fields[i]
		typ.byName[f.Name] = i
		if f.field != nil {
			for _, label := range f.field.Labels {
				typ.byName[label] = i
			}
		}
	}
	return typ
}

type errorString string

func (e errorString) Error() string { return string(e) }

// wholeRecord reports whether an event has no fields but its payload as a whole.
func wholeRecord(ev *ir.Event) bool {
	return len(ev.Fields) == 1 && ev.Fields[0].Kind == ir.Tail && ev.Fields[0].Offset == 0
}

// values takes the fields from the program that yields values.
func (t *Type) values(ev *ir.Event, target ir.Target) {
	p, err := interp.CompileDecode(ev, target)
	if err != nil {
		t.Err = err
		return
	}
	t.decode = p
	for _, f := range ev.Values() {
		t.add(decoded(f, f.Name, target))
	}
	t.place(t.Fields, ev.Values(), -1)
}

// decoded describes a value that a program yields.
func decoded(f *ir.Field, name string, target ir.Target) Field {
	d := Field{
		Name: name, Decl: f.CType, Kind: kindOf(f), Size: int(f.Type().Size), Hex: f.Hex, Optional: f.Optional,
		field: f, names: interp.EnumNames(f.Enum),
	}
	d.Named = d.names != nil
	d.Elem = d.Kind
	switch {
	case f.Kind == ir.List:
		e := decoded(f.Fields[0], name, target)
		d.Elem, d.Size, d.Hex, d.Named, d.names = e.Kind, e.Size, e.Hex, e.Named, e.names
		switch e.Kind {
		case Struct:
			d.Fields = e.Fields
		case List:
			d.Fields = []Field{e}
		}
	case d.Kind == List: // bytes
		bytes := &ir.Field{Kind: ir.Tail, Elem: 1, Signed: f.Signed}
		if d.Elem, d.Size, d.reader = Uint, 1, interp.NewReader(bytes, target); f.Signed {
			d.Elem = Int
		}
	case d.Kind == Struct:
		for _, m := range f.Fields {
			d.Fields = append(d.Fields, decoded(m, m.Name, target))
		}
	}
	return d
}

// slot is the place of a value that a program yields.
type slot struct {
	field  *Field // the field that describes it; for an element, the list
	elem   bool   // whether it is an element
	parent int    // the slot of the structure or list that contains it; -1 for none
	member int    // its index in the fields around it
	end    int    // the slot after its parts
}

// place gives slots to fields, in the order of AllValues.
func (t *Type) place(fields []Field, values []*ir.Field, parent int) {
	for i, f := range values {
		n := len(t.slots)
		t.slots = append(t.slots, slot{field: &fields[i], parent: parent, member: i})
		switch f.Kind {
		case ir.Struct, ir.Union, ir.Variant:
			t.place(fields[i].Fields, f.Fields, n)
		case ir.List:
			t.placeElement(&fields[i], f.Fields[0], n)
		}
		t.slots[n].end = len(t.slots)
	}
}

// placeElement gives slots to the element of a list and its parts.
func (t *Type) placeElement(list *Field, e *ir.Field, parent int) {
	n := len(t.slots)
	t.slots = append(t.slots, slot{field: list, elem: true, parent: parent})
	if list.Elem == List { // its own field describes it
		t.slots[n] = slot{field: &list.Fields[0], parent: parent}
	}
	switch e.Kind {
	case ir.Struct, ir.Union, ir.Variant:
		t.place(list.Fields, e.Fields, n)
	case ir.List:
		t.placeElement(&list.Fields[0], e.Fields[0], n)
	}
	t.slots[n].end = len(t.slots)
}

// add completes a field and appends it.
func (t *Type) add(f Field) {
	f.Named = f.names != nil
	if f.Kind == Text || f.Kind == Bytes {
		f.Size = 0
	}
	t.Fields = append(t.Fields, f)
}

// fields takes the fields that have a place in the record.
func (t *Type) fields(ev *ir.Event, target ir.Target) {
	tables := interp.FieldNames(ev, target)
	for i, name := range ev.FieldNames() {
		if name == "" {
			continue
		}
		f := ev.Fields[i]
		value := interp.ValueField(f, target)
		d := Field{Name: name, Decl: f.CType + " " + f.Name, Kind: kindOfField(value), Size: value.Size,
			Common: f.Common, Optional: f.Fault, Hex: f.Hex, field: f, names: tables[f]}
		if d.Elem = d.Kind; d.Kind == List {
			if d.Elem, d.Size = Uint, f.Elem; f.Signed {
				d.Elem = Int
			}
		}
		if f.Kind == ir.Dynamic || f.Kind == ir.Tail || f.Offset < 0 || f.Size < 0 {
			t.located = append(t.located, len(t.Fields))
		} else {
			t.least = max(t.least, value.Offset+value.Size)
		}
		t.add(d)
		t.readers = append(t.readers, interp.NewReader(value, target))
	}
}
