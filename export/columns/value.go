package columns

import "github.com/tracec/tracec"

// A Form is the form of a column's values in memory, for formats with types.
type Form uint8

// The forms.
const (
	TextForm     Form = iota // UTF-8 in the form of the package documentation; lists and structures as JSON
	SignedForm               // a signed integer
	UnsignedForm             // an unsigned integer
	FloatForm                // a float
	BytesForm                // bytes as recorded
)

// Form returns the form of the values of a column from [Fields], [Members] or [Data].
func (c *Column) Form() Form {
	switch c.kind {
	case signed:
		return SignedForm
	case unsigned:
		return UnsignedForm
	case floating:
		return FloatForm
	case bytes, data:
		return BytesForm
	}
	return TextForm
}

// NeedsThreads reports whether values are known only to readers with tracec.WithThreads, as for the
// frames of stacks.
func (c *Column) NeedsThreads(t *tracec.Type) bool {
	return c.kind == list && c.field == t.StackField()
}

// Decl returns the declaration of the column's field in the recording, for people.
func (c *Column) Decl() string {
	switch {
	case c.of == nil:
		return "bytes"
	case c.kind == name:
		return "name of " + c.of.Name
	}
	return c.of.Decl
}

// Integer returns the integer of an event, extended to 64 bits by its sign. It returns false
// without a value.
func (c *Column) Integer(ev *tracec.Event) (bits uint64, ok bool) { return c.bits(ev) }

// Float returns the float of an event. It returns false without a value.
func (c *Column) Float(ev *tracec.Event) (float64, bool) {
	v, ok := c.value(ev)
	return v.Float(), ok
}

// AppendBytes appends the text or the bytes of an event. Without a value it returns false, and
// appends nothing.
func (c *Column) AppendBytes(dst []byte, ev *tracec.Event) ([]byte, bool) {
	switch c.kind {
	case data:
		return append(dst, ev.Data...), len(ev.Data) > 0
	case name:
		return c.appendName(dst, ev)
	}
	v, ok := c.value(ev)
	if !ok {
		return dst, false
	}
	switch c.kind {
	case bytes:
		return append(dst, v.Bytes()...), true
	case text:
		return AppendValid(dst, v.Bytes()), true
	}
	return AppendValue(dst, c.of, v), true
}

// appendName appends the name of the value of a field. It appends nothing for a value without a
// name.
func (c *Column) appendName(dst []byte, ev *tracec.Event) ([]byte, bool) {
	bits, ok := c.bits(ev)
	if !ok {
		return dst, false
	}
	at := len(dst)
	dst, _ = c.of.AppendName(dst, bits)
	if plain := dst[at:]; !IsValid(plain) {
		dst = AppendValid(dst[:at], string(plain))
	}
	return dst, true
}
