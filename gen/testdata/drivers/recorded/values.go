package recorded

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/testdata/drivers/decoders"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// values requests every event of a split output, and compares all decoded values.
func (c *comparison) values(rec *ftrace.Recording, g *decoders.Generated[record.None]) {
	opts := g.All(func(_ string, err error) {
		c.missing++
		var named *bind.Error
		if errors.As(err, &named) && named.Field != "" {
			fmt.Println(c.file+":", err)
		}
	})
	c.wanted = len(opts) - 1
	d, err := g.Bind(rec, opts...)
	if err != nil {
		panic(err)
	}
	c.each(rec, func(e *event, r *record.Record) {
		data := r.Data
		if v, ok := decoders.Decode(d, r, nil); ok && v.IsValid() {
			c.event(e, d.Event(r), v.Addr(), data)
		}
		if len(data) > 0 && &r.Data[0] != &data[0] {
			panic("the record does not hold its own data any more")
		}
	})
}

// event compares the fields of one event.
func (c *comparison) event(e *event, compiled *bind.Event, v reflect.Value, data []byte) {
	c.compared++
	if e.Group != compiled.Group || e.Name != compiled.Name {
		c.differs(e, "dispatched to %s:%s", compiled.Group, compiled.Name)
	}
	for i := range compiled.Fields {
		f := &compiled.Fields[i]
		have := e.field(f)
		if have == nil {
			c.differs(e, "field %s, which the recording lacks", f.Name)
			continue
		}
		if why := c.field(f, have, e.readers[have], v, data); why != "" {
			c.differs(e, "field %s: %s", f.Name, why)
		}
	}
}

func (e *event) field(f *bind.Field) *ir.Field {
	var other *ir.Field
	for _, h := range e.Fields {
		if h.Name == f.Name && (h.Kind == ir.Dynamic) == (f.Kind == bind.Dynamic) {
			return h
		} else if h.Name == f.Name {
			other = h
		}
	}
	return other
}

// field describes the difference between a field and the value that rd reads.
func (c *comparison) field(f *bind.Field, have *ir.Field, rd *interp.Reader, v reflect.Value, data []byte) string {
	if f.Kind == bind.Dynamic || f.Kind == bind.Tail {
		return variable(f, have, rd, v, data)
	}
	m := member(v.Elem(), 0, f.Offset)
	switch {
	case !m.IsValid():
		if f.Size == 0 {
			return ""
		}
		return "no member"
	case f.Kind == bind.Int && have.Kind == ir.Int:
		got, want := integer(m), ir.Type{Size: int8(f.Size)}.Extend(rd.Uint(data))
		if got != want {
			return fmt.Sprintf("%#x, recorded %#x", got, want)
		}
	case f.Elem > 1 && f.Kind == bind.Array:
		for i := range min(m.Len(), rd.Len(data)) {
			got, want := integer(m.Index(i)), ir.Type{Size: int8(f.Elem)}.Extend(rd.Elem(data, i))
			if got != want {
				return fmt.Sprintf("[%d] is %#x, recorded %#x", i, got, want)
			}
		}
	default:
		got, want := make([]byte, m.Len()), rd.Bytes(data)
		reflect.Copy(reflect.ValueOf(got), m)
		if n := min(len(got), len(want)); !bytes.Equal(got[:n], want[:n]) {
			return fmt.Sprintf("%q, recorded %q", got, want)
		}
	}
	return ""
}

// member finds the member at an offset of a struct that begins at from. It looks into embedded
// structs. Offsets in the target of a pointer start at 0.
func member(v reflect.Value, from, offset int) reflect.Value {
	for i := range v.NumField() {
		sf, f := v.Type().Field(i), v.Field(i)
		at := from + int(sf.Offset)
		switch {
		case sf.Anonymous && f.Kind() == reflect.Pointer:
			return member(f.Elem(), 0, offset)
		case sf.Anonymous:
			if m := member(f, at, offset); m.IsValid() {
				return m
			}
		case sf.Name != "_" && at == offset:
			return f
		}
	}
	return reflect.Value{}
}

// integer is the value of an integer, aligned or not, without its sign.
func integer(m reflect.Value) uint64 {
	if m.Kind() == reflect.Array {
		m = m.MethodByName("Get").Call(nil)[0]
	}
	if m.CanInt() {
		return ir.Type{Size: int8(m.Type().Size())}.Extend(uint64(m.Int()))
	}
	return m.Uint()
}

// variable compares the result of a field's method. It finds methods by trying, because gen chooses
// the names.
func variable(f *bind.Field, have *ir.Field, rd *interp.Reader, v reflect.Value, data []byte) string {
	want := rd.Bytes(data)
	if f.Text {
		want = rd.Text(data)
	} else if f.Elem > 1 {
		out := []byte{}
		for i := range rd.Len(data) {
			switch n := rd.Elem(data, i); f.Elem {
			case 2:
				out = binary.NativeEndian.AppendUint16(out, uint16(n))
			case 4:
				out = binary.NativeEndian.AppendUint32(out, uint32(n))
			case 8:
				out = binary.NativeEndian.AppendUint64(out, n)
			}
		}
		want = out
	}
	for i := range v.NumMethod() {
		if v.Type().Method(i).Type.NumIn() != 1 {
			continue
		}
		got := v.Method(i).Call(nil)[0].Bytes()
		if have.Fault && (got == nil) != (want == nil) {
			continue
		}
		if bytes.Equal(got, want) || f.Elem > 1 && len(got)/f.Elem == len(want)/f.Elem && bytes.HasPrefix(got, want) {
			return ""
		}
	}
	return fmt.Sprintf("no method returns %q", want)
}
