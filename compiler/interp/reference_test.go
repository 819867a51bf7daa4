package interp

import (
	"encoding/binary"
	"reflect"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// reference walks the IR for every record, as plainly as the comments of package ir describe it:
// without closures, shortcuts or precomputation. The closures must agree with it.
type reference struct {
	t     ir.Target
	env   *render.Env
	data  []byte
	slots []uint64
	bufs  [][]byte
	out   []byte
	ended bool
}

func referenceText(ev *ir.Event, t ir.Target, env *render.Env, data []byte) string {
	if !ev.HasText {
		return ""
	}
	r := &reference{t: t, env: env, data: data, slots: make([]uint64, ev.Slots), bufs: make([][]byte, ev.Buffers)}
	if len(data) < ev.Size {
		return string(render.Short(nil, len(data), ev.Size))
	}
	r.stmts(ev.Text)
	return string(r.out)
}

func (r *reference) stmts(body []ir.Stmt) {
	for _, s := range body {
		if r.ended {
			return
		}
		r.stmt(s)
	}
}

func (r *reference) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Lit:
		r.out = append(r.out, s.S...)
	case *ir.PutInt:
		v, t, spec := r.value(s.V), s.V.Type(), r.spec(s.Spec)
		switch {
		case spec.Verb == 'd' && t.Signed:
			r.out = render.Int(r.out, int64(v), spec)
		case spec.Verb == 'd':
			r.out = render.Uint(r.out, v, spec)
		default:
			r.out = render.Uint(r.out, ir.Type{Size: t.Size}.Extend(v), spec)
		}
	case *ir.PutText:
		start := len(r.out)
		r.text(s.T)
		r.out = render.Pad(r.out, start, r.spec(s.Spec))
	case *ir.Let:
		r.slots[s.Slot] = r.value(s.V)
	case *ir.LetBytes:
		r.bufs[s.Slot] = r.region(s.V)
	case *ir.If:
		if r.value(s.Cond) != 0 {
			r.stmts(s.Then)
		} else {
			r.stmts(s.Else)
		}
	case *ir.Switch:
		r.stmts(r.arm(s))
	case *ir.Loop:
		for i := 0; i < s.Limit && !r.ended && r.value(s.Cond) != 0; i++ {
			r.stmts(s.Body)
		}
	case *ir.Require:
		if n := int64(r.value(s.Bytes)); int64(len(r.region(s.Of))) < n {
			r.end(ir.Short, n)
		}
	case *ir.Exit:
		at := int64(0)
		if s.At != nil {
			at = int64(r.value(s.At))
		}
		r.end(s.Reason, at)
	}
}

func (r *reference) end(reason ir.ExitReason, at int64) {
	r.ended = true
	if r.env != nil && r.env.Outcome != nil {
		*r.env.Outcome = render.Outcome{Reason: render.ExitReason(reason), At: at}
	}
}

func (r *reference) arm(s *ir.Switch) []ir.Stmt {
	x := r.value(s.X)
	for _, c := range s.Cases {
		for _, v := range c.Values {
			if v == x {
				return c.Body
			}
		}
	}
	return s.Default
}

func (r *reference) spec(s ir.Spec) render.Spec {
	out := render.Spec{
		Verb: s.Verb, Minus: s.Minus, Plus: s.Plus, Space: s.Space, Sharp: s.Sharp, Zero: s.Zero,
		Width: s.Width, Prec: s.Prec,
	}
	if s.WidthArg != nil {
		out = out.With(int64(r.value(s.WidthArg)), 0, true, false)
	}
	if s.PrecArg != nil {
		out = out.With(0, int64(r.value(s.PrecArg)), false, true)
	}
	return out
}

func (r *reference) text(t ir.Text) {
	switch t := t.(type) {
	case *ir.CString:
		r.out = append(r.out, render.CString(r.region(t.Of))...)
	case *ir.CondText:
		if r.value(t.If) != 0 {
			r.text(t.Then)
		} else {
			r.text(t.Else)
		}
	case *ir.Program:
		r.stmts(t.Body)
	case *ir.Call:
		r.call(t)
	case *ir.FactText:
		if r.env != nil && r.env.Facts != nil {
			r.out = r.env.Facts.FactText(r.out, render.Fact(t.ID))
		}
	}
}

// call uses reflection, which is forbidden in the closures.
func (r *reference) call(t *ir.Call) {
	args, rest := []reflect.Value{reflect.Value{}, reflect.ValueOf(r.env)}, t.Args
	for _, p := range ir.TextFuncs[t.Name].Params {
		if p == 'o' {
			args = append(args, reflect.ValueOf(r.t.BigEndian))
			continue
		}
		args = append(args, reflect.ValueOf(r.arg(rest[0])))
		rest = rest[1:]
	}
	args[0] = reflect.ValueOf(r.out)
	r.out = reflect.ValueOf(textFuncs[t.Name]).Call(args)[0].Bytes()
}

func (r *reference) arg(a ir.Arg) any {
	switch a := a.(type) {
	case ir.Value:
		return r.value(a)
	case ir.Region:
		return r.region(a)
	case ir.Text:
		saved := r.out
		r.out = nil
		r.text(a)
		b := r.out
		r.out = saved
		return b
	case ir.StrArg:
		return string(a)
	case *ir.Table:
		t := render.Table{}
		for _, row := range a.Rows {
			t = append(t, render.Sym{Value: row.Value, Text: row.Text})
		}
		return t
	}
	return nil
}

func (r *reference) value(v ir.Value) uint64 {
	switch v := v.(type) {
	case *ir.Const:
		return v.V
	case *ir.Load:
		at := uint64(0)
		if v.At != nil {
			at = r.value(v.At)
		}
		return v.T.Extend(r.integer(r.region(v.From), at, int(v.T.Size)))
	case *ir.Local:
		return r.slots[v.Slot]
	case *ir.Unary:
		return ir.Eval1(v.Op, v.X.Type(), r.value(v.X))
	case *ir.Binary:
		return ir.Eval2(v.Op, v.X.Type(), r.value(v.X), r.value(v.Y))
	case *ir.Cond:
		if r.value(v.If) != 0 {
			return r.value(v.Then)
		}
		return r.value(v.Else)
	case *ir.Convert:
		return v.T.Extend(r.value(v.X))
	case *ir.Len:
		return ir.I32.Extend(uint64(len(r.region(v.Of))))
	case *ir.ToNUL:
		of := r.region(v.Of)
		for i, b := range of {
			if b == 0 {
				return uint64(i)
			}
		}
		return uint64(len(of))
	case *ir.Func:
		return v.T.Extend(valueFuncs[v.Name](r.value(v.Args[0]), 0))
	case *ir.Fact:
		if r.env != nil && r.env.Facts != nil {
			return v.T.Extend(r.env.Facts.Fact(render.Fact(v.ID)))
		}
	case *ir.Bits:
		return r.bits(r.region(v.From), int64(r.value(v.At)), int64(r.value(v.Count)))
	case *ir.TextIs:
		if string(r.arg(v.T).([]byte)) == v.S {
			return 1
		}
	}
	return 0
}

// bits reads one bit per turn.
func (r *reference) bits(b []byte, at, n int64) (v uint64) {
	at = max(at, 0)
	for i := int64(0); i < n && i < 64; i++ {
		v <<= 1
		if byteAt := (uint64(at) + uint64(i)) / 8; byteAt < uint64(len(b)) {
			v |= uint64(b[byteAt]) >> (7 - (uint64(at)+uint64(i))%8) & 1
		}
	}
	return v
}

// integer reads size bytes of b at offset at, or 0 if some are missing.
func (r *reference) integer(b []byte, at uint64, size int) (v uint64) {
	if at > uint64(len(b)) || uint64(size) > uint64(len(b))-at {
		return 0
	}
	for i := range size {
		k := i
		if !r.t.BigEndian {
			k = size - 1 - i
		}
		v = v<<8 | uint64(b[int(at)+k])
	}
	return v
}

func (r *reference) region(v ir.Region) []byte {
	switch v := v.(type) {
	case *ir.FieldBytes:
		return r.field(v.Field)
	case *ir.Str:
		return []byte(v.S)
	case *ir.Slice:
		b, at := r.region(v.Of), int64(0)
		if v.At != nil {
			at = int64(r.value(v.At))
		}
		n := int64(len(b))
		if v.Len != nil {
			n = int64(r.value(v.Len))
		}
		if at < 0 || n < 0 || at > int64(len(b)) {
			return nil
		}
		return b[at : at+min(n, int64(len(b))-at)]
	case *ir.CondBytes:
		if r.value(v.If) != 0 {
			return r.region(v.Then)
		}
		return r.region(v.Else)
	case *ir.LocalBytes:
		return r.bufs[v.Slot]
	}
	return nil
}

func (r *reference) field(f *ir.Field) []byte {
	switch f.Kind {
	case ir.Tail:
		if f.Offset > len(r.data) {
			return nil
		}
		return r.data[f.Offset:]
	case ir.Dynamic:
		word := binary.LittleEndian.Uint32(r.data[f.Offset:])
		if r.t.BigEndian {
			word = binary.BigEndian.Uint32(r.data[f.Offset:])
		}
		lo, n := int(word&0xffff), int(word>>16)
		if f.Rel {
			lo += f.Offset + f.Size
		}
		if lo+n > len(r.data) {
			return nil
		}
		return r.data[lo : lo+n]
	}
	return r.data[f.Offset : f.Offset+f.Size]
}
