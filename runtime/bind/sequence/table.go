package sequence

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Target is the generated dispatch of a package. E is what a kind of recording knows of a record beside record.Record.
type Target[E any] interface {
	// Call decodes the payload of a record and hands it to the callback of a slot; false: the payload is too short.
	Call(slot int, r *record.Record, x *E) bool
}

// Renderer is a Target whose package was generated with text.
type Renderer interface {
	// Text renders a payload that is laid out as compiled.
	Text(slot int, dst, data []byte, env *render.Env) []byte
}

// Table says for the kinds of records of a recording, which have small numbers, what was compiled for them. The zero value has
// nothing. It is for one goroutine.
type Table[E any] struct {
	target Target[E]
	text   Renderer
	// index says which of bound a kind is; 0 is none, also for all that are not wanted. shadow has those, too; it is nil when the
	// target has no text.
	index, shadow []uint32
	bound         []Bound
	buf           []byte // the relocated payload of the callback at work
	render        []byte // that of AppendText, which a callback may call for any record
}

// Bound is a compiled payload at one recorded layout.
type Bound struct {
	slot int
	plan *Plan // nil: as compiled
}

// NewTable makes a table for kinds below n.
func NewTable[E any](target Target[E], n int) Table[E] {
	t := Table[E]{target: target, index: make([]uint32, n), bound: make([]Bound, 1)}
	if t.text, _ = target.(Renderer); t.text != nil {
		t.shadow = make([]uint32, n)
	}
	return t
}

// HasText reports whether kinds that are not wanted matter, too.
func (t *Table[E]) HasText() bool { return t.text != nil }

// Set binds a kind to a slot; plan is from NewPlan.
func (t *Table[E]) Set(kind, slot int, plan *Plan, wanted bool) {
	t.bound = append(t.bound, Bound{slot, plan})
	if wanted {
		t.index[kind] = uint32(len(t.bound) - 1)
	}
	if t.shadow != nil {
		t.shadow[kind] = uint32(len(t.bound) - 1)
	}
}

// Find returns what a kind is bound to, nil when it is not wanted.
func (t *Table[E]) Find(kind uint64) *Bound {
	if kind >= uint64(len(t.index)) || t.index[kind] == 0 {
		return nil
	}
	return &t.bound[t.index[kind]]
}

// Hand hands a record to the callback of b. It returns false when the payload is too short.
func (t *Table[E]) Hand(b *Bound, r *record.Record, x *E) bool {
	if b.plan != nil {
		return t.relocated(b, r, x)
	}
	return t.target.Call(b.slot, r, x)
}

// relocated passes on a record whose payload is laid out otherwise.
func (t *Table[E]) relocated(b *Bound, r *record.Record, x *E) bool {
	recorded := r.Data
	moved, ok := b.plan.Relocate(t.buf, recorded)
	t.buf = moved
	if ok {
		r.Data = moved
		ok = t.target.Call(b.slot, r, x)
		r.Data = recorded
	}
	return ok
}

// AppendText appends the text of a record of a kind, as recorded or as a callback got it. It returns false, and dst as it
// was, for kinds that are not bound.
func (t *Table[E]) AppendText(dst []byte, kind uint64, data []byte, env *render.Env) ([]byte, bool) {
	if kind >= uint64(len(t.shadow)) || t.shadow[kind] == 0 {
		return dst, false
	}
	b := &t.bound[t.shadow[kind]]
	if b.plan != nil && (len(data) == 0 || cap(t.buf) == 0 || &data[0] != &t.buf[:1][0]) { // else: what a callback was handed
		moved, ok := b.plan.Relocate(t.render, data)
		t.render = moved
		if !ok {
			return dst, true
		}
		data = moved
	}
	return t.text.Text(b.slot, dst, data, env), true
}
