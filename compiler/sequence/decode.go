package sequence

import "github.com/tracec/tracec/compiler/ir"

// Decode gives ev the program that yields its values, which follow one another in the payload.
// bigEndian is the byte order of the recording.
func Decode(ev *ir.Event, bigEndian bool) {
	body, slots := Walk(ev.Fields[0], ev.Values(), bigEndian, keeper{})
	ev.Decode, ev.Slots = body, max(ev.Slots, slots)
}

// keeper yields the values of a payload.
type keeper struct{}

func (keeper) Open(*ir.Field) []ir.Stmt            { return nil }
func (keeper) None(*ir.Field) []ir.Stmt            { return nil }
func (keeper) Close(*ir.Field, ir.Value) []ir.Stmt { return nil }

// Before yields the start of a value that has parts.
func (keeper) Before(f *ir.Field, _ int) []ir.Stmt {
	if f.Kind.HasParts() {
		return []ir.Stmt{&ir.Keep{Field: f}}
	}
	return nil
}

// Numbers keeps a list of integers whose size is an integer size of Go.
func (keeper) Numbers(f *ir.Field, data ir.Region) (body []ir.Stmt, cut bool) {
	if !ir.IsNumbers(f) {
		return nil, false
	}
	return []ir.Stmt{&ir.Keep{Field: f, Of: data}}, true
}

func (k keeper) Between(_ ir.Value, element *ir.Field) []ir.Stmt { return k.Before(element, 0) }

func (keeper) Value(p Place) []ir.Stmt {
	keep := &ir.Keep{Field: p.Field}
	if t := p.Type(); t == (ir.Type{}) {
		keep.Of = p.Bytes()
	} else {
		keep.V = convert(p.Number(), t)
	}
	return []ir.Stmt{keep}
}

func convert(v ir.Value, t ir.Type) ir.Value {
	if v.Type() == t {
		return v
	}
	return &ir.Convert{T: t, X: v}
}
