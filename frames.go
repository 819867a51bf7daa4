package tracec

import "path/filepath"

// frameFields are the members of a frame in the field that StackField describes.
var frameFields = []Field{
	{Name: "addr", Decl: "u64", Kind: Uint, Elem: Uint, Size: 8, Hex: true},
	{Name: "function", Kind: Text, Elem: Text, Optional: true},
	{Name: "offset", Decl: "u64", Kind: Uint, Elem: Uint, Size: 8, Hex: true, Optional: true},
	{Name: "file", Kind: Text, Elem: Text, Optional: true},
	{Name: "file_offset", Decl: "u64", Kind: Uint, Elem: Uint, Size: 8, Hex: true, Optional: true},
}

// addFrames adds the field of StackField. An event without a description gets none: its bytes are
// its only value.
func (t *Type) addFrames() {
	if len(t.Fields) == 0 {
		return
	}
	name := "stack"
	for t.Index(name) >= 0 {
		name += "_"
	}
	t.byName[name] = len(t.Fields)
	t.Fields = append(t.Fields, Field{Name: name, Decl: "frames", Kind: List, Elem: Struct, Fields: frameFields})
	t.frames = len(t.Fields)
}

// StackField returns the place in Fields of the frames of a CallChain, or -1 without a CallChain.
// The frames are computed from the recorded addresses. The field is a list of structures, innermost
// frame first, with the known values of each [Frame]. Its name is stack, unless the event has
// another field of that name.
func (t *Type) StackField() int { return t.frames - 1 }

// Name returns a name for the frame: the function, or else the file and the offset in it, or else
// the address.
func (f *Frame) Name() string {
	switch {
	case f.Function != "":
		return f.Function
	case f.File != "":
		return filepath.Base(f.File) + "+" + string(appendHex(nil, f.FileOffset))
	}
	return string(appendHex(nil, f.Addr))
}

// frameList is the value of the field of StackField. Later events reuse its memory.
type frameList struct {
	of    []Frame
	list  parts
	texts []byte
}

// chainFrames returns the value of the field of StackField. It returns false for events that did
// not come from a reader.
func (e *Event) chainFrames() (Value, bool) {
	l := &e.frames
	if e.chain == nil {
		return Value{}, false
	}
	if e.decoded&frameValues == 0 {
		e.decoded |= frameValues
		l.of = e.chain.appendFrames(l.of[:0])
		l.list.begin(List, nil)
		l.texts = l.texts[:0]
		for i := range l.of {
			l.add(&l.of[i])
		}
	}
	return Value{kind: List, parts: &l.list}, true
}

// add appends a frame.
func (l *frameList) add(f *Frame) {
	v := l.list.next()
	p := v.parts
	if p == nil {
		p = new(parts)
	}
	p.begin(Struct, frameFields)
	*v = Value{kind: Struct, parts: p}
	p.number(0, f.Addr)
	if f.Function != "" {
		l.text(p, 1, f.Function)
		p.number(2, f.Offset)
	}
	if f.File != "" {
		l.text(p, 3, f.File)
		p.number(4, f.FileOffset)
	}
}

// number sets a member of a structure to an address.
func (p *parts) number(i int, n uint64) {
	p.values[i], p.has[i] = Value{kind: Uint, hex: true, bits: n}, true
}

// text sets a member of a structure to a text, which it copies.
func (l *frameList) text(p *parts, i int, s string) {
	from := len(l.texts)
	l.texts = append(l.texts, s...)
	p.values[i], p.has[i] = Value{kind: Text, bytes: l.texts[from:len(l.texts):len(l.texts)]}, true
}
