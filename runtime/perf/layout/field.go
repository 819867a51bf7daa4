package layout

import "github.com/tracec/tracec/runtime/bind"

// Value is a field of a record.
type Value struct {
	bind.Field
	Hex   bool    // an address or flags
	Parts []Value // like Fields
}

// fields are values that follow one another.
type fields struct {
	list  []Value
	slots int
	big   bool // of a big-endian recording
}

func (l *fields) add(v ...Value) { l.list = append(l.list, v...) }

// refer returns the slot of the value that was added last, for values that depend on it.
func (l *fields) refer() int {
	v := &l.list[len(l.list)-1]
	if v.Slot == 0 {
		l.slots++
		v.Slot = l.slots
	}
	return v.Slot
}

func number(name string, size int) Value {
	return Value{Field: bind.Field{Name: name, Kind: bind.Int, Size: size}}
}

// id is the number of a process or a thread, or -1.
func id(name string) Value {
	v := number(name, 4)
	v.Signed = true
	return v
}

func address(name string) Value { return hex(number(name, 8)) }

func hex(v Value) Value {
	v.Hex = true
	return v
}

// text is a text, padded with zeros to a multiple of 8 bytes.
func text(name string) Value {
	return Value{Field: bind.Field{Name: name, Kind: bind.Terminated, Text: true, PadAfter: 8}}
}

func bytes(name string, size int) Value {
	return Value{Field: bind.Field{Name: name, Kind: bind.Bytes, Size: size, Elem: 1}}
}

// counted is a number of size bytes, followed by that many bytes.
func counted(name string, size int) Value {
	return Value{Field: bind.Field{Name: name, Kind: bind.Counted, Size: size}}
}

// list is a number of 8 bytes, followed by that many elements.
func list(name string, element Value) Value {
	return parts(bind.Field{Name: name, Kind: bind.List, Size: 8}, element)
}

// listOf is a list. Slot from is the number of elements.
func listOf(name string, from int, element Value) Value {
	return parts(bind.Field{Name: name, Kind: bind.List, From: from}, element)
}

func structure(name string, members ...Value) Value {
	return parts(bind.Field{Name: name, Kind: bind.Struct}, members...)
}

// when is a part that exists if slot from is not 0.
func when(name string, from int, part Value) Value {
	part.Name, part.When = "value", []bind.Range{{Low: 1, High: 1<<64 - 1}}
	return parts(bind.Field{Name: name, Kind: bind.Variant, From: from, Optional: true}, part)
}

func parts(f bind.Field, list ...Value) Value {
	for i := range list {
		f.Fields = append(f.Fields, list[i].Field)
	}
	return Value{Field: f, Parts: list}
}
