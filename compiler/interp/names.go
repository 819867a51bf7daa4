package interp

import (
	"encoding/binary"
	"sync"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// Names are the names of the values of a field. They come from an enumeration, or from the text of
// the event. They are safe for concurrent use.
type Names struct {
	enum    render.Table // names by rows
	rows    func(dst []byte, env *render.Env, v uint64, rows render.Table) []byte
	program *Program // appends the text of a record that has only this value
	field   *ir.Field
	target  ir.Target
	idle    sync.Pool // of *namer
}

// namer appends texts for one goroutine at a time.
type namer struct {
	machine *Machine
	record  []byte
}

// Append appends the name of a value, an integer extended to 64 bits according to the sign of its
// field.
func (n *Names) Append(dst []byte, v uint64) []byte {
	if n.program == nil {
		return n.rows(dst, nil, v, n.enum)
	}
	by, _ := n.idle.Get().(*namer)
	if by == nil {
		env := &render.Env{BigEndian: n.target.BigEndian, WordSize: n.target.WordSize}
		by = &namer{NewMachine(env), make([]byte, n.field.Offset+n.field.Size)}
	}
	n.put(by.record[n.field.Offset:], v)
	dst = by.machine.AppendText(dst, n.program, by.record)
	n.idle.Put(by)
	return dst
}

// put writes a value in the form of the machine's records.
func (n *Names) put(at []byte, v uint64) {
	var order binary.ByteOrder = binary.LittleEndian
	if n.target.BigEndian {
		order = binary.BigEndian
	}
	switch n.field.Size {
	case 1:
		at[0] = byte(v)
	case 2:
		order.PutUint16(at, uint16(v))
	case 4:
		order.PutUint32(at, uint32(v))
	default:
		order.PutUint64(at, v)
	}
}

// textNames are the functions of enumerations that do not come from C.
var textNames = map[string]func([]byte, *render.Env, uint64, render.Table) []byte{
	"ValueName": render.ValueName, "SignedName": render.SignedName, "FlagNames": render.FlagNames,
	"RangeName": render.RangeName, "SignedRangeName": render.SignedRangeName,
	"ErrnoName": func(dst []byte, env *render.Env, v uint64, _ render.Table) []byte {
		return render.ErrnoName(dst, env, v)
	},
}

// EnumNames returns the names of an enumeration. If e is nil, it returns nil.
func EnumNames(e *ir.Enum) *Names {
	if e == nil {
		return nil
	}
	n := &Names{rows: render.EnumName}
	if !e.OfC() {
		n.rows = textNames[e.Func]
	}
	for _, r := range e.Table.Rows {
		n.enum = append(n.enum, render.Sym{Value: r.Value, Text: r.Text})
	}
	return n
}

// maxNamed is the maximum offset of a field whose values are named. Format files may have any
// offset.
const maxNamed = 1 << 12

// FieldNames finds the fields whose values the text names, and the fields with an enumeration. If
// several texts name the values of a field, the first text counts.
func FieldNames(ev *ir.Event, t ir.Target) map[*ir.Field]*Names {
	found := map[*ir.Field]*Names{}
	folded := *ev
	compiler.Fold(&folded) // joins names that several conversions print
	for _, text := range ir.Texts(folded.Text) {
		f := ir.Named(text)
		if f == nil || found[f] != nil || f.Offset < 0 || f.Offset > maxNamed {
			continue
		}
		put := &ir.PutText{T: text, Spec: ir.Spec{Verb: 's', Prec: -1}}
		alone := ir.Event{Group: ev.Group, Name: ev.Name, Size: f.Offset + f.Size, Fields: []*ir.Field{f},
			HasText: true, Text: []ir.Stmt{put}}
		if p, err := Compile(&alone, t); err == nil {
			found[f] = &Names{program: p, field: f, target: t}
		}
	}
	for _, f := range ev.Fields {
		if f.Enum != nil && found[f] == nil {
			found[f] = EnumNames(f.Enum)
		}
	}
	return found
}
