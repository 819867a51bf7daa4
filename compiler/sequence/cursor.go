// Package sequence writes programs for payloads in which values follow one another, such as the
// payloads of uftrace and LTTng. Offsets are constants up to the first string. Later offsets are
// relative to a local.
package sequence

import "github.com/tracec/tracec/compiler/ir"

// The slots of a program.
const (
	_       = iota // the base of places after the last string, see Cursor.Base
	slotLen        // length of the string that is being read
	Slots          // number of slots that a program with strings needs
)

// Cursor is a place in a payload, with the statements that lead to it.
type Cursor struct {
	Data  *ir.Field // the payload
	Moved bool      // a string has been passed: At is relative to the local
	Base  int       // the slot of the local: 0, or Slots and above
	At    int       // place of the next value, in bytes
	Out   []ir.Stmt
}

// Length is the length in bytes of the last string that Measure handled.
var Length = &ir.Local{T: ir.U64, Slot: slotLen}

// Require ends the program if the payload is shorter than bytes.
func (c *Cursor) Require(bytes ir.Value) {
	c.Out = append(c.Out, &ir.Require{Of: c.Bytes(), Bytes: bytes})
}

// Measure notes the length of a string.
func (c *Cursor) Measure(length ir.Value) {
	c.Out = append(c.Out, &ir.Let{Slot: slotLen, V: length})
}

// Jump moves to a place that is not a constant.
func (c *Cursor) Jump(to ir.Value) {
	c.Out = append(c.Out, &ir.Let{Slot: c.Base, V: to})
	c.Moved, c.At = true, 0
}

// Bytes returns the bytes of the payload.
func (c *Cursor) Bytes() ir.Region { return &ir.FieldBytes{Field: c.Data} }

// Offset returns the offset of a place from the start of the payload. at has the same base as At.
func (c *Cursor) Offset(at int) ir.Value {
	k := &ir.Const{T: ir.U64, V: uint64(at)}
	switch base := (&ir.Local{T: ir.U64, Slot: c.Base}); {
	case !c.Moved:
		return k
	case at == 0:
		return base
	default:
		return Sum(base, k)
	}
}

// Load reads a number. at has the same base as At.
func (c *Cursor) Load(t ir.Type, at int) ir.Value {
	return &ir.Load{T: t, From: c.Bytes(), At: c.Offset(at)}
}

// Text returns the characters at the place at of the last string that Measure handled.
func (c *Cursor) Text(at int) ir.Region {
	return &ir.Slice{Of: c.Bytes(), At: c.Offset(at), Len: Length}
}

// Sum returns x+y, evaluated if both are constants.
func Sum(x, y ir.Value) ir.Value {
	a, ok1 := x.(*ir.Const)
	b, ok2 := y.(*ir.Const)
	if ok1 && ok2 {
		return &ir.Const{T: ir.U64, V: a.V + b.V}
	}
	return &ir.Binary{Op: ir.OpAdd, X: x, Y: y}
}

// RoundUp returns v rounded up to a multiple of n, which is a power of two.
func RoundUp(v ir.Value, n int) ir.Value {
	if n <= 1 {
		return v
	}
	up := Sum(v, &ir.Const{T: ir.U64, V: uint64(n - 1)})
	return &ir.Binary{Op: ir.OpAnd, X: up, Y: &ir.Const{T: ir.U64, V: ^uint64(n - 1)}}
}
