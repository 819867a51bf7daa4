package compiler

import "github.com/tracec/tracec/compiler/ir"

// checksFirst moves requirements of a known length forward, up to the last statement that may end
// the program in another way. It joins adjacent requirements. Requirements that count from the same
// local are joined if the local does not change between them.
func checksFirst(body []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	first := 0            // where the requirement of this stretch is, or would be
	var check *ir.Require // the requirement, or nil
	moving := movingChecks{}
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Require:
			n, ok := wholeRecord(s)
			switch {
			case !ok:
				out = moving.join(out, s)
			case check == nil:
				check = s
				out = append(out[:first], append([]ir.Stmt{s}, out[first:]...)...)
				moving.shift()
			default:
				if have, _ := wholeRecord(check); n > have {
					check = s
					out[first] = s
				}
			}
			continue
		case *ir.If:
			out = append(out, &ir.If{Cond: s.Cond, Then: checksFirst(s.Then), Else: checksFirst(s.Else)})
		case *ir.Switch:
			c := &ir.Switch{X: s.X, Default: checksFirst(s.Default)}
			for _, arm := range s.Cases {
				c.Cases = append(c.Cases, ir.SwitchCase{Values: arm.Values, Body: checksFirst(arm.Body)})
			}
			out = append(out, c)
		case *ir.Loop:
			out = append(out, &ir.Loop{Cond: s.Cond, Body: checksFirst(s.Body), Limit: s.Limit})
		default:
			out = append(out, s)
		}
		moving.after(s)
		if exits(s) {
			first, check = len(out), nil
		}
	}
	return out
}

// movingChecks maps each local to the index of the requirement that a later one may join.
type movingChecks map[int]int

// join appends s, or widens an earlier requirement to cover s as well.
func (m movingChecks) join(out []ir.Stmt, s *ir.Require) []ir.Stmt {
	slot, n, ok := fromLocal(s)
	if !ok {
		return append(out, s)
	}
	if at, found := m[slot]; found {
		before := out[at].(*ir.Require)
		if _, have, _ := fromLocal(before); n > have {
			out[at] = s
		}
		return out
	}
	m[slot] = len(out)
	return append(out, s)
}

// shift adjusts the indexes after a statement has been put in front.
func (m movingChecks) shift() {
	for slot := range m {
		m[slot]++
	}
}

// after removes the requirements that s may change or may leave unreached.
func (m movingChecks) after(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Keep, *ir.LetBytes:
	case *ir.Let:
		delete(m, s.Slot)
	default:
		clear(m)
	}
}

// fromLocal matches a requirement of (slot >> 3) + n bytes of a record: bytes after a pointer in
// bits.
func fromLocal(s *ir.Require) (slot int, n int64, ok bool) {
	fb, ok := s.Of.(*ir.FieldBytes)
	if !ok || fb.Field.Kind != ir.Tail {
		return 0, 0, false
	}
	add, ok := s.Bytes.(*ir.Binary)
	if !ok || add.Op != ir.OpAdd || add.Type() != ir.I64 {
		return 0, 0, false
	}
	shift, ok1 := add.X.(*ir.Binary)
	k, ok2 := add.Y.(*ir.Const)
	if !ok1 || !ok2 || shift.Op != ir.OpShr || int64(k.V) < 0 {
		return 0, 0, false
	}
	local, ok1 := shift.X.(*ir.Local)
	three, ok2 := shift.Y.(*ir.Const)
	if !ok1 || !ok2 || three.V != 3 {
		return 0, 0, false
	}
	return local.Slot, int64(k.V), true
}

// wholeRecord returns the length that s requires of a record, when that is a constant.
func wholeRecord(s *ir.Require) (int64, bool) {
	fb, ok1 := s.Of.(*ir.FieldBytes)
	n, ok2 := s.Bytes.(*ir.Const)
	if !ok1 || !ok2 || fb.Field.Kind != ir.Tail {
		return 0, false
	}
	return int64(n.V), true
}

// exits reports whether s may end the program for another reason than a short record.
func exits(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Exit:
		return true
	case *ir.If:
		return anyExits(s.Then) || anyExits(s.Else)
	case *ir.Switch:
		for _, arm := range s.Cases {
			if anyExits(arm.Body) {
				return true
			}
		}
		return anyExits(s.Default)
	case *ir.Loop:
		return anyExits(s.Body)
	}
	return false
}

func anyExits(body []ir.Stmt) bool {
	for _, s := range body {
		if exits(s) {
			return true
		}
	}
	return false
}
