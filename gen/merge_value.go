package gen

import (
	"reflect"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
)

// exact merges values and keeps their type. Only words have different types in the environments.
func (m *merging) exact(vs []ir.Value) (ir.Value, bool) {
	v, ok := m.value(vs)
	if !ok || v.Type() != vs[0].Type() || !alike(of(vs, ir.Value.Type)) {
		return nil, false
	}
	return v, true
}

// value merges values. A word becomes a value of 64 bits with the same number.
func (m *merging) value(vs []ir.Value) (ir.Value, bool) {
	if v, ok := m.sameKind(vs); ok {
		return v, true
	}
	if v, ok := m.word(vs); ok {
		return v, true
	}
	return m.either(vs)
}

func (m *merging) maybe(vs []ir.Value) (ir.Value, bool) {
	if !slices.ContainsFunc(vs, func(v ir.Value) bool { return v != nil }) {
		return nil, true
	}
	if slices.Contains(vs, nil) {
		return nil, false
	}
	return m.value(vs)
}

// values2 merges a part of each of several nodes.
func values2[T any](l []T, merge func([]ir.Value) (ir.Value, bool), part func(T) ir.Value) (ir.Value, bool) {
	return merge(of(l, part))
}

// sameKind merges values that are nodes of one kind.
func (m *merging) sameKind(vs []ir.Value) (ir.Value, bool) {
	switch vs[0].(type) {
	case *ir.Const:
		return mergedValue(vs, m.constants)
	case *ir.Local, *ir.Fact:
		return vs[0], alike(vs)
	case *ir.Load:
		return mergedValue(vs, func(l []*ir.Load) (ir.Value, bool) {
			from, ok1 := m.region(of(l, func(v *ir.Load) ir.Region { return v.From }))
			at, ok2 := m.place(of(l, func(v *ir.Load) ir.Value { return v.At }))
			return &ir.Load{T: l[0].T, From: from, At: at}, ok1 && ok2 && alike(of(vs, ir.Value.Type))
		})
	case *ir.Convert:
		return mergedValue(vs, func(l []*ir.Convert) (ir.Value, bool) {
			x, ok := values2(l, m.value, func(v *ir.Convert) ir.Value { return v.X })
			return &ir.Convert{T: l[0].T, X: x}, ok && alike(of(vs, ir.Value.Type))
		})
	case *ir.Unary:
		return mergedValue(vs, func(l []*ir.Unary) (ir.Value, bool) {
			x, ok := values2(l, m.exact, func(v *ir.Unary) ir.Value { return v.X })
			return &ir.Unary{Op: l[0].Op, X: x}, ok && alike(of(l, func(v *ir.Unary) ir.Op { return v.Op }))
		})
	case *ir.Binary:
		return mergedValue(vs, func(l []*ir.Binary) (ir.Value, bool) {
			x, ok1 := values2(l, m.exact, func(v *ir.Binary) ir.Value { return v.X })
			y, ok2 := values2(l, m.exact, func(v *ir.Binary) ir.Value { return v.Y })
			if !ok1 || !ok2 || !alike(of(l, func(v *ir.Binary) ir.Op { return v.Op })) {
				return nil, false
			}
			return ir.NewBinary(l[0].Op, x, y), true
		})
	case *ir.Cond:
		return mergedValue(vs, func(l []*ir.Cond) (ir.Value, bool) {
			c, ok1 := values2(l, m.exact, func(v *ir.Cond) ir.Value { return v.If })
			a, ok2 := values2(l, m.exact, func(v *ir.Cond) ir.Value { return v.Then })
			b, ok3 := values2(l, m.exact, func(v *ir.Cond) ir.Value { return v.Else })
			return &ir.Cond{If: c, Then: a, Else: b}, ok1 && ok2 && ok3
		})
	case *ir.Len:
		return mergedValue(vs, func(l []*ir.Len) (ir.Value, bool) {
			r, ok := m.region(of(l, func(v *ir.Len) ir.Region { return v.Of }))
			return &ir.Len{Of: r}, ok
		})
	case *ir.ToNUL:
		return mergedValue(vs, func(l []*ir.ToNUL) (ir.Value, bool) {
			r, ok := m.region(of(l, func(v *ir.ToNUL) ir.Region { return v.Of }))
			return &ir.ToNUL{Of: r}, ok
		})
	case *ir.Func:
		return mergedValue(vs, m.function)
	case *ir.Bits:
		return mergedValue(vs, func(l []*ir.Bits) (ir.Value, bool) {
			r, ok1 := m.region(of(l, func(v *ir.Bits) ir.Region { return v.From }))
			at, ok2 := values2(l, m.value, func(v *ir.Bits) ir.Value { return v.At })
			n, ok3 := values2(l, m.value, func(v *ir.Bits) ir.Value { return v.Count })
			return &ir.Bits{From: r, At: at, Count: n}, ok1 && ok2 && ok3
		})
	case *ir.TextIs:
		return mergedValue(vs, func(l []*ir.TextIs) (ir.Value, bool) {
			t, ok := m.text(of(l, func(v *ir.TextIs) ir.Text { return v.T }))
			return &ir.TextIs{T: t, S: l[0].S}, ok && alike(of(l, func(v *ir.TextIs) string { return v.S }))
		})
	}
	return nil, false
}

func mergedValue[T any](vs []ir.Value, do func([]T) (ir.Value, bool)) (ir.Value, bool) {
	l, ok := each[ir.Value, T](vs)
	if !ok {
		return nil, false
	}
	return do(l)
}

func (m *merging) constants(l []*ir.Const) (ir.Value, bool) {
	if !alike(of(l, func(k *ir.Const) ir.Type { return k.T })) {
		return nil, false
	}
	values := of(l, func(k *ir.Const) int64 { return int64(k.V) })
	if alike(values) {
		return l[0], true
	}
	if slices.Max(values) > 1<<20 || slices.Min(values) < 0 {
		return nil, false
	}
	a, ok := amountOf(m.sizes, values)
	return &varied{l[0], a}, ok
}

// place merges places in a region, nil being its beginning.
func (m *merging) place(vs []ir.Value) (ir.Value, bool) {
	if vs[0] == nil && alike(vs) {
		return nil, true
	}
	var t ir.Type
	for _, v := range vs {
		if v != nil {
			t = v.Type()
		}
	}
	vs = of(vs, func(v ir.Value) ir.Value {
		if v == nil {
			return &ir.Const{T: t}
		}
		return v
	})
	return m.value(vs)
}

func (m *merging) function(l []*ir.Func) (ir.Value, bool) {
	out := &ir.Func{T: l[0].T, Name: l[0].Name}
	if !alike(of(l, func(v *ir.Func) string { return v.Name })) ||
		!alike(of(l, func(v *ir.Func) ir.Type { return v.T })) {
		return nil, false
	}
	for i := range l[0].Args {
		a, ok := m.value(of(l, func(v *ir.Func) ir.Value { return v.Args[i] }))
		if !ok {
			return nil, false
		}
		out.Args = append(out.Args, a)
	}
	return out, true
}

// word merges loads of a word, unchanged or extended to 64 bits.
func (m *merging) word(vs []ir.Value) (ir.Value, bool) {
	loads, signed := make([]*ir.Load, len(vs)), make([]bool, len(vs))
	for i, v := range vs {
		loads[i], signed[i] = loadOfWord(v, m.sizes[i].word)
		if loads[i] == nil {
			return nil, false
		}
		if m.sizes[i].word == 8 { // all of its bits are present
			signed[i] = signed[0]
		}
	}
	from, ok1 := m.region(of(loads, func(l *ir.Load) ir.Region { return l.From }))
	at, ok2 := m.place(of(loads, func(l *ir.Load) ir.Value { return l.At }))
	if !ok1 || !ok2 || !alike(signed) {
		return nil, false
	}
	switch at := at.(type) {
	case nil:
	case *varied: // in the other environments it may be negative
		if m.arm {
			return nil, false
		}
	case *ir.Const:
		if at.V >= 1<<30 {
			return nil, false
		}
	default:
		return nil, false
	}
	w := &wordLoad{&ir.Const{T: ir.Type{Size: 8, Signed: signed[0]}}, from, at}
	if types := of(vs, ir.Value.Type); alike(types) {
		return convert(types[0], w), true
	}
	return w, !slices.ContainsFunc(vs, isCut)
}

// loadOfWord returns the load in v if v is a word or the low bits of one. signed reports whether v
// is a signed number.
func loadOfWord(v ir.Value, size int64) (l *ir.Load, signed bool) {
	if c, ok := v.(*ir.Convert); ok && int64(c.T.Size) <= size && c.T.Size < 8 {
		if l, ok := c.X.(*ir.Load); ok && int64(l.T.Size) == size {
			return l, false
		}
		return nil, false
	}
	if c, ok := v.(*ir.Convert); ok && c.T.Size == 8 {
		v = c.X
		if c, ok := v.(*ir.Convert); ok && size == 4 && c.T == ir.I32 {
			l, _ := loadOfWord(c.X, size)
			return l, true
		}
	}
	l, ok := v.(*ir.Load)
	if !ok || int64(l.T.Size) != size {
		return nil, false
	}
	return l, l.T.Signed
}

// isCut reports whether v may have fewer bits than the word in it.
func isCut(v ir.Value) bool {
	_, ok := v.(*ir.Convert)
	return ok && v.Type().Size < 8
}

// maxEither limits the size of values that may be written twice.
const maxEither = 12

// either merges values of two kinds. Values of one kind are in one environment, or in all
// environments of a word size. Values of the other kind are in the rest.
func (m *merging) either(vs []ir.Value) (ir.Value, bool) {
	if !m.whole || !alike(of(vs, ir.Value.Type)) ||
		slices.ContainsFunc(vs, func(v ir.Value) bool { return larger(v, maxEither) }) {
		return nil, false
	}
	for i, e := range m.forms {
		if v, ok := m.parted(vs, split{variant: e.Variant}, func(j int) bool { return i == j }); ok {
			return v, true
		}
	}
	return m.parted(vs, split{word: m.sizes[0].word}, func(j int) bool { return m.sizes[j].word == m.sizes[0].word })
}

func (m *merging) parted(vs []ir.Value, s split, in func(int) bool) (ir.Value, bool) {
	ms := [2]merging{{data: m.data, arm: true}, {data: m.data, arm: true}}
	var parts [2][]ir.Value
	for i, v := range vs {
		k := 1
		if in(i) {
			k = 0
		}
		ms[k].forms, ms[k].sizes, parts[k] = append(ms[k].forms, m.forms[i]), append(ms[k].sizes, m.sizes[i]),
			append(parts[k], v)
	}
	a, ok := ms[0].exact(parts[0])
	if !ok {
		return nil, false
	}
	b, ok := ms[1].exact(parts[1])
	return &either{a, s, b}, ok
}

// larger reports whether v has more than n nodes. It stops counting there, because either calls it
// at every level of a deep value.
func larger(v any, n int) bool {
	var count func(any)
	count = func(v any) {
		if n--; n >= 0 {
			ir.Parts(v, count)
		}
	}
	count(v)
	return n < 0
}

// region merges regions.
func (m *merging) region(rs []ir.Region) (ir.Region, bool) {
	switch first := rs[0].(type) {
	case *ir.FieldBytes:
		for _, r := range rs {
			f, ok := r.(*ir.FieldBytes)
			if !ok || !reflect.DeepEqual(f.Field, first.Field) {
				return nil, false
			}
		}
		return &ir.FieldBytes{Field: m.data}, true
	case *ir.Str, *ir.LocalBytes:
		return first, alike(rs)
	case *ir.Slice:
		l, ok := each[ir.Region, *ir.Slice](rs)
		if !ok {
			return nil, false
		}
		r, ok1 := m.region(of(l, func(s *ir.Slice) ir.Region { return s.Of }))
		at, ok2 := m.place(of(l, func(s *ir.Slice) ir.Value { return s.At }))
		n, ok3 := m.maybe(of(l, func(s *ir.Slice) ir.Value { return s.Len }))
		return &ir.Slice{Of: r, At: at, Len: n}, ok1 && ok2 && ok3
	case *ir.CondBytes:
		l, ok := each[ir.Region, *ir.CondBytes](rs)
		if !ok {
			return nil, false
		}
		c, ok1 := m.exact(of(l, func(s *ir.CondBytes) ir.Value { return s.If }))
		a, ok2 := m.region(of(l, func(s *ir.CondBytes) ir.Region { return s.Then }))
		b, ok3 := m.region(of(l, func(s *ir.CondBytes) ir.Region { return s.Else }))
		return &ir.CondBytes{If: c, Then: a, Else: b}, ok1 && ok2 && ok3
	}
	return nil, false
}

// text merges texts.
func (m *merging) text(ts []ir.Text) (ir.Text, bool) {
	switch ts[0].(type) {
	case *ir.FactText:
		return ts[0], alike(ts)
	case *ir.CString:
		l, ok := each[ir.Text, *ir.CString](ts)
		if !ok {
			return nil, false
		}
		r, ok := m.region(of(l, func(t *ir.CString) ir.Region { return t.Of }))
		return &ir.CString{Of: r}, ok
	case *ir.CondText:
		l, ok := each[ir.Text, *ir.CondText](ts)
		if !ok {
			return nil, false
		}
		c, ok1 := m.exact(of(l, func(t *ir.CondText) ir.Value { return t.If }))
		a, ok2 := m.text(of(l, func(t *ir.CondText) ir.Text { return t.Then }))
		b, ok3 := m.text(of(l, func(t *ir.CondText) ir.Text { return t.Else }))
		return &ir.CondText{If: c, Then: a, Else: b}, ok1 && ok2 && ok3
	case *ir.Program:
		l, ok := each[ir.Text, *ir.Program](ts)
		if !ok {
			return nil, false
		}
		body, ok := m.stmts(of(l, func(t *ir.Program) []ir.Stmt { return t.Body }))
		return &ir.Program{Body: body}, ok
	case *ir.Call:
		l, ok := each[ir.Text, *ir.Call](ts)
		if !ok {
			return nil, false
		}
		return m.callOf(l)
	}
	return nil, false
}

func (m *merging) callOf(l []*ir.Call) (ir.Text, bool) {
	out := &ir.Call{Name: l[0].Name}
	if !alike(of(l, func(c *ir.Call) string { return c.Name })) ||
		!alike(of(l, func(c *ir.Call) int { return len(c.Args) })) {
		return nil, false
	}
	for i, first := range l[0].Args {
		args := of(l, func(c *ir.Call) ir.Arg { return c.Args[i] })
		var a ir.Arg
		ok := false
		switch first.(type) {
		case ir.Value:
			if vs, same := each[ir.Arg, ir.Value](args); same {
				a, ok = m.value(vs)
			}
		case ir.Region:
			if rs, same := each[ir.Arg, ir.Region](args); same {
				a, ok = m.region(rs)
			}
		case ir.Text:
			if ts, same := each[ir.Arg, ir.Text](args); same {
				a, ok = m.text(ts)
			}
		default:
			a, ok = first, alike(args)
		}
		if !ok {
			return nil, false
		}
		out.Args = append(out.Args, a)
	}
	return out, true
}
