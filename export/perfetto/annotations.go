package perfetto

import (
	"encoding/hex"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/runtime/record"
)

// annotator appends the fields of events as debug annotations.
type annotator struct {
	types   []*annotated // by Type.Number
	names   map[string]uint64
	pending []byte // InternedData for the next packet
	text    []byte
}

// annotated holds the data for annotations of a type.
type annotated struct {
	fields []annotation
	raw    uint64 // interned name for the data of events without fields; 0 if there are fields
}

type annotation struct {
	field int
	kind  tracec.Kind
	name  uint64
	named uint64 // interned name for names of the number; 0 without names
	hex   bool   // the number is an address
}

// append appends the annotations of an item.
func (a *annotator) append(dst []byte, it *timeline.Item) []byte {
	if it.Lost != 0 {
		dst = a.lost(dst, it.Lost)
	}
	if s := it.Span; s != nil && (s.Cut && it.Kind == timeline.End || s.Unseen && it.Kind == timeline.Begin) {
		name := "cut"
		if it.Kind == timeline.Begin {
			name = "unseen"
		}
		var at int
		dst, at = a.begin(dst, a.name(name))
		dst = end(appendUint(dst, annotationBool, 1), at)
	}
	ev := it.Event
	if ev == nil {
		return dst
	}
	if ev.CPU >= 0 && it.Track.Kind == timeline.Thread && it.Kind != timeline.End {
		var at int
		dst, at = a.begin(dst, a.name("processor"))
		dst = end(appendUint(dst, annotationInt, uint64(ev.CPU)), at)
	}
	t := a.of(ev.Type)
	if t.raw != 0 && len(ev.Data) > 0 {
		var at int
		dst, at = a.begin(dst, t.raw)
		a.text = hex.AppendEncode(a.text[:0], ev.Data)
		return end(appendText(dst, annotationString, a.text), at)
	}
	for i := range t.fields {
		f := &t.fields[i]
		if f.kind < tracec.Float && f.named == 0 {
			if v, ok := ev.Bits(f.field); ok {
				dst = appendNumber(dst, f, v)
			}
		} else if v, ok := ev.At(f.field); ok {
			dst = a.value(dst, f, v)
		}
	}
	return dst
}

// appendNumber appends a number without a name.
func appendNumber(dst []byte, f *annotation, v uint64) []byte {
	dst, at := begin(dst, eventAnnotation)
	dst = protowire.AppendVarint(append(dst, annotationNameID<<3), f.name)
	field := byte(annotationUint << 3)
	switch {
	case f.hex:
		field = annotationPointer << 3
	case f.kind == tracec.Int:
		field = annotationInt << 3
	}
	return end(protowire.AppendVarint(append(dst, field), v), at)
}

// value appends any value, and also the name if it is a named number.
func (a *annotator) value(dst []byte, f *annotation, v tracec.Value) []byte {
	dst, at := a.begin(dst, f.name)
	dst = end(a.content(dst, f, v), at)
	if f.named == 0 {
		return dst
	}
	var ok bool
	if a.text, ok = v.AppendName(a.text[:0]); ok {
		dst, at = a.begin(dst, f.named)
		dst = end(appendText(dst, annotationString, a.text), at)
	}
	return dst
}

func (a *annotator) content(dst []byte, f *annotation, v tracec.Value) []byte {
	if f.hex && v.Kind() <= tracec.Uint {
		return appendUint(dst, annotationPointer, v.Uint())
	}
	switch v.Kind() {
	case tracec.Int:
		return appendUint(dst, annotationInt, v.Uint())
	case tracec.Uint:
		return appendUint(dst, annotationUint, v.Uint())
	case tracec.Float:
		dst = protowire.AppendTag(dst, annotationDouble, protowire.Fixed64Type)
		return protowire.AppendFixed64(dst, math.Float64bits(v.Float()))
	case tracec.Text:
		return appendText(dst, annotationString, v.Bytes())
	case tracec.List:
		for i := range v.Len() {
			var at int
			dst, at = begin(dst, annotationArray)
			dst = end(a.content(dst, f, v.Elem(i)), at)
		}
		return dst
	case tracec.Struct:
		return a.structure(dst, v)
	}
	a.text = v.Append(a.text[:0])
	return appendText(dst, annotationString, a.text)
}

// structure appends the members that are in the record, and the names of numbers.
func (a *annotator) structure(dst []byte, v tracec.Value) []byte {
	for m, value := range v.Fields() {
		var at int
		dst, at = begin(dst, annotationEntry)
		dst = appendUint(dst, annotationNameID, a.name(m.Name))
		dst = end(a.content(dst, &annotation{hex: m.Hex}, value), at)
		if !m.Named {
			continue
		}
		var ok bool
		if a.text, ok = value.AppendName(a.text[:0]); ok {
			dst, at = begin(dst, annotationEntry)
			dst = appendUint(dst, annotationNameID, a.name(m.Name+"_name"))
			dst = end(appendText(dst, annotationString, a.text), at)
		}
	}
	return dst
}

// lost appends the number of lost events.
func (a *annotator) lost(dst []byte, n int64) []byte {
	dst, at := a.begin(dst, a.name("lost"))
	if n == record.LostUnknown {
		dst = appendText(dst, annotationString, "unknown")
	} else {
		dst = appendUint(dst, annotationInt, uint64(n))
	}
	return end(dst, at)
}

// string appends a text.
func (a *annotator) string(dst []byte, name, text string) []byte {
	dst, at := a.begin(dst, a.name(name))
	return end(appendText(dst, annotationString, text), at)
}

// begin begins an annotation.
func (a *annotator) begin(dst []byte, name uint64) ([]byte, int) {
	dst, at := begin(dst, eventAnnotation)
	return appendUint(dst, annotationNameID, name), at
}

// of returns the data for annotations of a type.
func (a *annotator) of(t *tracec.Type) *annotated {
	for t.Number >= len(a.types) {
		a.types = append(a.types, nil)
	}
	if a.types[t.Number] == nil {
		a.types[t.Number] = a.annotate(t)
	}
	return a.types[t.Number]
}

func (a *annotator) annotate(t *tracec.Type) *annotated {
	if len(t.Fields) == 0 {
		return &annotated{raw: a.name("data")}
	}
	to := &annotated{}
	for i := range t.Fields {
		f := &t.Fields[i]
		if omitted(t, i) {
			continue
		}
		n := annotation{field: i, kind: f.Kind, name: a.name(f.Name), hex: f.Hex}
		if f.Named {
			n.named = a.name(f.Name + "_name")
		}
		to.fields = append(to.fields, n)
	}
	return to
}

// name returns the number of the name of an annotation.
func (a *annotator) name(text string) uint64 {
	id, ok := a.names[text]
	if !ok {
		id = uint64(len(a.names) + 1)
		a.names[text] = id
		a.pending = appendInterned(a.pending, internedAnnotationNames, id, text)
	}
	return id
}

// take returns the pending annotations and more, and empties both.
func (a *annotator) take(more *[]byte) []byte {
	all := append(*more, a.pending...)
	*more, a.pending = all[:0], a.pending[:0]
	return all
}
