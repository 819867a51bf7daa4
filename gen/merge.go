package gen

import (
	"reflect"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
)

// merging merges the programs of several environments into one.
type merging struct {
	forms []*form
	sizes []envSizes
	data  *ir.Field // the record of the first environment
	whole bool      // the environments are of all kinds: a value may then be one of two
	arm   bool      // for one of two groups; evaluated in all environments
}

// group is environments with one body of code.
type group struct {
	forms []*form
	body  []ir.Stmt // of several environments
}

// groups finds the environments that can share code for the program that part returns. These are
// all environments, or the environments of one word size. Otherwise each has its own code.
func (v *values) groups(part func(*form) []ir.Stmt) []group {
	if len(v.forms) > 1 {
		if body, ok := v.merge(v.forms, part); ok {
			return []group{{v.forms, body}}
		}
	}
	var out []group
	for at := 0; at < len(v.forms); {
		end := at + 1
		for end < len(v.forms) && v.forms[end].target.WordSize == v.forms[at].target.WordSize {
			end++
		}
		same := v.forms[at:end]
		if body, ok := v.merge(same, part); ok && len(same) > 1 {
			out = append(out, group{same, body})
		} else {
			for _, e := range same {
				out = append(out, group{forms: []*form{e}})
			}
		}
		at = end
	}
	return out
}

func (v *values) merge(forms []*form, part func(*form) []ir.Stmt) ([]ir.Stmt, bool) {
	m := &merging{forms: forms, data: forms[0].Fields[0], whole: len(forms) == 4}
	bodies := make([][]ir.Stmt, len(forms))
	for i, e := range forms {
		if !e.target.BigEndian || e.Start == 0 { // a container whose entries do not know their sizes
			return nil, false
		}
		m.sizes, bodies[i] = append(m.sizes, sizesOf(e)), part(e)
	}
	return m.stmts(bodies)
}

// each returns the nodes of all environments if all have the type of the first.
func each[N any, T any](nodes []N) ([]T, bool) {
	out := make([]T, len(nodes))
	for i, n := range nodes {
		t, ok := any(n).(T)
		if !ok {
			return nil, false
		}
		out[i] = t
	}
	return out, true
}

// of collects a part of all nodes.
func of[T, P any](nodes []T, part func(T) P) []P {
	out := make([]P, len(nodes))
	for i, n := range nodes {
		out[i] = part(n)
	}
	return out
}

// alike reports whether all are equal.
func alike[T any](list []T) bool {
	for _, x := range list[1:] {
		if !reflect.DeepEqual(list[0], x) {
			return false
		}
	}
	return true
}

// stmts merges blocks. A check of the length that the head of some environments covers is missing
// there.
func (m *merging) stmts(bodies [][]ir.Stmt) ([]ir.Stmt, bool) {
	out := []ir.Stmt{}
	at := make([]int, len(bodies))
	for {
		next, left := make([]ir.Stmt, len(bodies)), 0
		for i, b := range bodies {
			if at[i] < len(b) {
				next[i], left = b[at[i]], left+1
			}
		}
		if left == 0 {
			return out, true
		}
		if checks, ok := m.checks(next); ok {
			for i := range next {
				if next[i] != nil && isRequire(next[i]) {
					at[i]++
				}
			}
			out = append(out, checks)
			continue
		}
		s, ok := m.stmt(next)
		if left < len(bodies) || !ok {
			return nil, false
		}
		for i := range at {
			at[i]++
		}
		out = append(out, s)
	}
}

func isRequire(s ir.Stmt) bool { _, ok := s.(*ir.Require); return ok }

// checks merges length checks if any of next is one. In environments without one, the head is long
// enough.
func (m *merging) checks(next []ir.Stmt) (ir.Stmt, bool) {
	var first *ir.Require
	var sizes []envSizes
	var values []int64
	for i, s := range next {
		r, ok := s.(*ir.Require)
		if !ok {
			continue
		}
		if first == nil {
			first = r
		}
		k, ok := r.Bytes.(*ir.Const)
		if !ok || !isWhole(r.Of) {
			return nil, false
		}
		sizes, values = append(sizes, m.sizes[i]), append(values, int64(k.V))
	}
	if first == nil {
		return nil, false
	}
	a, ok := amountOf(sizes, values)
	if alike(values) {
		a, ok = amount{more: values[0]}, true
	}
	if !ok {
		return nil, false
	}
	a.values = make([]int64, len(next))
	for i, s := range m.sizes {
		a.values[i] = a.word*s.word + a.head*s.head + a.start*s.start + a.more
		if !isRequire(next[i]) && a.values[i] > s.head {
			return nil, false
		}
	}
	if alike(a.values) {
		return &ir.Require{Of: first.Of, Bytes: first.Bytes}, true
	}
	return &ir.Require{Of: first.Of, Bytes: &varied{&ir.Const{T: ir.I64}, a}}, true
}

// isWhole reports whether r is all of the record.
func isWhole(r ir.Region) bool {
	of, ok := r.(*ir.FieldBytes)
	return ok && of.Field.Kind == ir.Tail
}

// stmt merges statements of one kind.
func (m *merging) stmt(next []ir.Stmt) (ir.Stmt, bool) {
	switch next[0].(type) {
	case *ir.Lit:
		return next[0], alike(next)
	case *ir.PutInt:
		return merged1(next, m.putInt)
	case *ir.PutText:
		return merged1(next, func(l []*ir.PutText) (ir.Stmt, bool) {
			t, ok := m.text(of(l, func(s *ir.PutText) ir.Text { return s.T }))
			return &ir.PutText{T: t, Spec: l[0].Spec}, ok && alike(of(l, func(s *ir.PutText) ir.Spec { return s.Spec }))
		})
	case *ir.Let:
		return merged1(next, func(l []*ir.Let) (ir.Stmt, bool) {
			v, ok := m.exact(of(l, func(s *ir.Let) ir.Value { return s.V }))
			return &ir.Let{Slot: l[0].Slot, V: v}, ok && alike(of(l, func(s *ir.Let) int { return s.Slot }))
		})
	case *ir.LetBytes:
		return merged1(next, func(l []*ir.LetBytes) (ir.Stmt, bool) {
			r, ok := m.region(of(l, func(s *ir.LetBytes) ir.Region { return s.V }))
			return &ir.LetBytes{Slot: l[0].Slot, V: r}, ok && alike(of(l, func(s *ir.LetBytes) int { return s.Slot }))
		})
	case *ir.Keep:
		return merged1(next, m.keep)
	case *ir.If:
		return merged1(next, m.branch)
	case *ir.Switch:
		return merged1(next, m.choice)
	case *ir.Loop:
		return merged1(next, func(l []*ir.Loop) (ir.Stmt, bool) {
			cond, ok1 := m.value(of(l, func(s *ir.Loop) ir.Value { return s.Cond }))
			body, ok2 := m.stmts(of(l, func(s *ir.Loop) []ir.Stmt { return s.Body }))
			return &ir.Loop{Cond: cond, Body: body, Limit: l[0].Limit},
				ok1 && ok2 && alike(of(l, func(s *ir.Loop) int { return s.Limit }))
		})
	case *ir.Require:
		return merged1(next, func(l []*ir.Require) (ir.Stmt, bool) {
			r, ok1 := m.region(of(l, func(s *ir.Require) ir.Region { return s.Of }))
			v, ok2 := m.value(of(l, func(s *ir.Require) ir.Value { return s.Bytes }))
			return &ir.Require{Of: r, Bytes: v}, ok1 && ok2
		})
	case *ir.Exit:
		return merged1(next, func(l []*ir.Exit) (ir.Stmt, bool) {
			at, ok := m.maybe(of(l, func(s *ir.Exit) ir.Value { return s.At }))
			return &ir.Exit{Reason: l[0].Reason, At: at},
				ok && alike(of(l, func(s *ir.Exit) ir.ExitReason { return s.Reason }))
		})
	}
	return nil, false
}

func merged1[T any](next []ir.Stmt, do func([]T) (ir.Stmt, bool)) (ir.Stmt, bool) {
	list, ok := each[ir.Stmt, T](next)
	if !ok {
		return nil, false
	}
	return do(list)
}

// putInt merges conversions. A conversion of the bits of a value needs the value's own width.
func (m *merging) putInt(l []*ir.PutInt) (ir.Stmt, bool) {
	v, ok := m.value(of(l, func(s *ir.PutInt) ir.Value { return s.V }))
	if !ok || !alike(of(l, func(s *ir.PutInt) ir.Spec { return s.Spec })) || l[0].Spec.WidthArg != nil ||
		l[0].Spec.PrecArg != nil {
		return nil, false
	}
	if _, is := v.(*wordLoad); is && v.Type().Signed && l[0].Spec.Verb != 'd' {
		return nil, false
	}
	return &ir.PutInt{V: v, Spec: l[0].Spec}, true
}

// keep merges the values that one field gets.
func (m *merging) keep(l []*ir.Keep) (ir.Stmt, bool) {
	same := of(l, func(s *ir.Keep) *ir.Field { return s.Field })
	if !alike(same) {
		return nil, false
	}
	k, ok := &ir.Keep{Field: same[0]}, true
	switch {
	case l[0].Of != nil:
		k.Of, ok = m.region(of(l, func(s *ir.Keep) ir.Region { return s.Of }))
	case l[0].V != nil:
		k.V, ok = m.value(of(l, func(s *ir.Keep) ir.Value { return s.V }))
	}
	return k, ok
}

func (m *merging) branch(l []*ir.If) (ir.Stmt, bool) {
	cond, ok1 := m.value(of(l, func(s *ir.If) ir.Value { return s.Cond }))
	then, ok2 := m.stmts(of(l, func(s *ir.If) []ir.Stmt { return s.Then }))
	els, ok3 := m.stmts(of(l, func(s *ir.If) []ir.Stmt { return s.Else }))
	return &ir.If{Cond: cond, Then: then, Else: els}, ok1 && ok2 && ok3
}

func (m *merging) choice(l []*ir.Switch) (ir.Stmt, bool) {
	x, ok := m.value(of(l, func(s *ir.Switch) ir.Value { return s.X }))
	if !ok || !alike(of(l, func(s *ir.Switch) int { return len(s.Cases) })) {
		return nil, false
	}
	out := &ir.Switch{X: x}
	for i, c := range l[0].Cases {
		body, ok := m.stmts(of(l, func(s *ir.Switch) []ir.Stmt { return s.Cases[i].Body }))
		if !ok || !alike(of(l, func(s *ir.Switch) []uint64 { return s.Cases[i].Values })) {
			return nil, false
		}
		out.Cases = append(out.Cases, ir.SwitchCase{Values: slices.Clone(c.Values), Body: body})
	}
	out.Default, ok = m.stmts(of(l, func(s *ir.Switch) []ir.Stmt { return s.Default }))
	return out, ok
}
