package irtest

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// Kept holds the values that a program of an event yields for one record, as a tree.
type Kept struct {
	event   *ir.Event
	all     []*ir.Field
	around  map[*ir.Field]*ir.Field
	top     node
	current map[*ir.Field]*node
}

// node is a value with its members or elements.
type node struct {
	number  uint64
	bytes   []byte
	members map[*ir.Field]*node
	elems   []*node
}

// NewKept returns an empty Kept for ev. Keep adds values.
func NewKept(ev *ir.Event) *Kept {
	k := &Kept{event: ev, all: ev.AllValues(), around: map[*ir.Field]*ir.Field{}}
	for _, f := range k.all {
		for _, m := range f.Fields {
			k.around[m] = f
		}
	}
	k.Reset()
	return k
}

// Reset removes the values.
func (k *Kept) Reset() {
	k.top, k.current = node{members: map[*ir.Field]*node{}}, map[*ir.Field]*node{}
}

// Keep is the function for interp.Machine.Keep.
func (k *Kept) Keep(n int, v uint64, b []byte) {
	f := k.all[n]
	k.put(f, k.value(f, v, b))
}

// value returns a value of f.
func (k *Kept) value(f *ir.Field, v uint64, b []byte) *node {
	if f.Text && f.Kind != ir.Terminated {
		b = render.Text(b)
	}
	return &node{number: v, bytes: bytes.Clone(b), members: map[*ir.Field]*node{}}
}

// put puts a value into its place. A list begins with its first element.
func (k *Kept) put(f *ir.Field, x *node) {
	in := &k.top
	if around := k.around[f]; around != nil {
		if k.current[around] == nil {
			k.put(around, &node{members: map[*ir.Field]*node{}})
		}
		in = k.current[around]
		if around.Kind == ir.List {
			in.elems = append(in.elems, x)
		}
	}
	in.members[f] = x
	k.forget(f)
	k.current[f] = x
}

// forget removes everything inside an earlier value of f.
func (k *Kept) forget(f *ir.Field) {
	for _, m := range f.Fields {
		delete(k.current, m)
		k.forget(m)
	}
}

// Equal reports whether both have the same values.
func (k *Kept) Equal(o *Kept) bool { return k.top.equal(&o.top) }

func (n *node) equal(o *node) bool {
	if n.number != o.number || !bytes.Equal(n.bytes, o.bytes) ||
		len(n.members) != len(o.members) || len(n.elems) != len(o.elems) {
		return false
	}
	for i := range n.elems {
		if !n.elems[i].equal(o.elems[i]) {
			return false
		}
	}
	for f, m := range n.members {
		if x := o.members[f]; x == nil || !m.equal(x) {
			return false
		}
	}
	return true
}

// Differs returns the difference between a generated struct and the values, or "".
func (k *Kept) Differs(e reflect.Value) string { return differs(e, k.event.Values(), &k.top) }

func differs(e reflect.Value, fields []*ir.Field, want *node) string {
	for i, f := range fields {
		got, has := goField(e, fields, i)
		if !got.IsValid() {
			return fmt.Sprintf("%s has no field for %q", e.Type(), f.Name)
		}
		x := want.members[f]
		if has.IsValid() && has.Bool() != (x != nil) {
			return fmt.Sprintf("%s: there is %v, want %v", f.Name, has, x != nil)
		}
		if why := differsOne(got, f, x); why != "" {
			return f.Name + why
		}
	}
	return ""
}

func differsOne(got reflect.Value, f *ir.Field, want *node) string {
	switch {
	case f.Kind == ir.List:
		if want == nil {
			want = &node{}
		}
		if got.Kind() != reflect.Slice || got.Len() != len(want.elems) {
			return fmt.Sprintf(" is %v, want %d elements", got, len(want.elems))
		}
		for i, x := range want.elems {
			if why := differsOne(got.Index(i), f.Fields[0], x); why != "" {
				return fmt.Sprintf("[%d]%s", i, why)
			}
		}
		return ""
	case want == nil && f.Fields == nil:
		if got.IsZero() || got.Kind() == reflect.Slice && got.Len() == 0 {
			return ""
		}
		return fmt.Sprintf(" is %v, want nothing", got)
	case f.Fields != nil:
		if want == nil {
			want = &node{}
		}
		if why := differs(got, f.Fields, want); why != "" {
			return "." + why
		}
		return ""
	case f.Type() == ir.Type{}:
		if got.Kind() == reflect.Slice && bytes.Equal(got.Bytes(), want.bytes) {
			return ""
		}
		return fmt.Sprintf(" is %v, want %q", got, want.bytes)
	}
	if sameNumber(got, want.number) {
		return ""
	}
	return fmt.Sprintf(" is %v, want %#x", got, want.number)
}

// sameNumber compares bits, since NaN does not equal itself.
func sameNumber(got reflect.Value, bits uint64) bool {
	switch got.Kind() {
	case reflect.Float32:
		want := math.Float32frombits(uint32(bits))
		return math.Float32bits(float32(got.Float())) == uint32(bits) || got.Float() != got.Float() && want != want
	case reflect.Float64:
		return math.Float64bits(got.Float()) == bits
	case reflect.Slice, reflect.Struct:
		return false
	}
	return reflect.ValueOf(bits).Convert(got.Type()).Interface() == got.Interface()
}

// goField finds the field of a value, and the field that reports whether there is a value. It
// compares the letters and digits of names, or the position if names have a suffix to be unique.
func goField(e reflect.Value, fields []*ir.Field, i int) (got, has reflect.Value) {
	name := key(fields[i].Name)
	if got = fold(e, name); !got.IsValid() && e.NumField() >= len(fields) {
		got = e.Field(i)
		name = key(e.Type().Field(i).Name)
	}
	return got, fold(e, "has"+name)
}

func fold(e reflect.Value, name string) reflect.Value {
	return e.FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, name) })
}

func key(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
