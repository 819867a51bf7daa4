package perfetto

import (
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec"
)

// selfDescribing makes the encoder for a message that a descriptor in the trace describes.
func (e *encoder) selfDescribing(word int) {
	e.is(protowire.Number(firstGeneric + e.typ.Number))
	e.generic, e.first = true, true
	for i, p := range describe(e.typ, word) {
		e.add(p.kind, p.field, protowire.Number(i+1))
	}
}

// omitted reports whether a field of events is not in their messages: a field of all events, or the
// frames of a stack, which is a sample.
func omitted(t *tracec.Type, i int) bool { return t.Fields[i].Common || i == t.StackField() }

// part is a field of a self-describing message.
type part struct {
	name  string
	field int // field of the type
	kind  opKind
	typ   uint64 // type in the descriptor
}

// describe returns the fields of the self-describing message of a type. If there are more than 31
// fields, the last one holds all the rest.
func describe(t *tracec.Type, word int) []part {
	if len(t.Fields) == 0 {
		return []part{{"data", 0, opRaw, typeString}}
	}
	var list []part
	own := 0
	for i := range t.Fields {
		if !omitted(t, i) {
			own++
		}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if omitted(t, i) {
			continue
		}
		if len(list) == maxFields-1 && own > maxFields {
			return append(list, part{"more", i, opMore, typeString})
		}
		p := part{f.Name, i, opString, typeString}
		switch f.Kind {
		case tracec.Int:
			p.kind, p.typ = opVarint, typeInt64
		case tracec.Uint:
			p.kind, p.typ = opVarint, typeUint64
		case tracec.Text:
			p.kind = opText
		}
		list = append(list, p)
	}
	return append(list, more(t, word, maxFields-len(list))...)
}

// more returns additional fields for addresses in events of tracers: names of functions, and the
// texts of trace_printk, whose formats are in the kernel.
func more(t *tracec.Type, word, room int) (list []part) {
	switch {
	case t.System != "ftrace":
		return nil
	case t.Name == "bprint" || t.Name == "bputs":
		return []part{{"text", 0, opPrint, typeString}}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		switch {
		case len(list) == room:
		case isKey(f, word):
			list = append(list, part{f.Name + "_name", i, opSymbol, typeString})
		case f.Kind == tracec.List && t.Name == "kernel_stack":
			list = append(list, part{"stack", i, opStack, typeString})
		}
	}
	return list
}

// appendDescriptor appends the field of a bundle that describes a self-describing event.
func appendDescriptor(dst []byte, t *tracec.Type, word int) []byte {
	dst, top := begin(dst, bundleGenericDescriptors)
	dst = appendUint(dst, genericID, uint64(firstGeneric+t.Number))
	dst = appendText(dst, genericGroup, t.System)
	dst, message := begin(dst, genericDescriptor)
	dst = appendText(dst, descriptorName, t.Name)
	for i, p := range describe(t, word) {
		var field int
		dst, field = begin(dst, descriptorField)
		dst = appendText(dst, fieldName, p.name)
		dst = appendUint(dst, fieldNumber, uint64(i+1))
		dst = appendUint(dst, fieldLabel, labelOptional)
		dst = appendUint(dst, fieldType, p.typ)
		dst = end(dst, field)
	}
	return end(end(dst, message), top)
}

// appendSymbol appends the name of an address and its offset from the start, or the address if it
// has no name.
func appendSymbol(dst []byte, ev *tracec.Event, addr uint64) []byte {
	name, offset, ok := ev.Symbol(addr)
	if !ok {
		return strconv.AppendUint(append(dst, "0x"...), addr, 16)
	}
	dst = append(dst, name...)
	if offset > 0 {
		dst = strconv.AppendUint(append(dst, "+0x"...), offset, 16)
	}
	return dst
}

// appendMore appends the fields from index from on as text.
func appendMore(dst []byte, ev *tracec.Event, from int) []byte {
	first := true
	for i := from; i < len(ev.Type.Fields); i++ {
		if omitted(ev.Type, i) {
			continue
		}
		v, ok := ev.At(i)
		if !ok {
			continue
		}
		if !first {
			dst = append(dst, ' ')
		}
		first = false
		dst = v.Append(append(append(dst, ev.Type.Fields[i].Name...), '='))
	}
	return dst
}
