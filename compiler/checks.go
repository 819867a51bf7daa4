package compiler

import "github.com/tracec/tracec/compiler/ir"

// checksFirst moves requirements of a known length forward, as far as nothing between ends the program in another
// way, and joins those that meet.
func checksFirst(body []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	first := 0            // where the requirement of this stretch stands, or would
	var check *ir.Require // it; nil when there is none
	var bytes int64       // of it
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Require:
			n, ok := wholeRecord(s)
			switch {
			case !ok:
				out = append(out, s)
			case check == nil:
				check, bytes = s, n
				out = append(out[:first], append([]ir.Stmt{s}, out[first:]...)...)
			case n > bytes:
				check, bytes = s, n
				out[first] = s
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
		if exits(s) {
			first, check, bytes = len(out), nil, 0
		}
	}
	return out
}

// wholeRecord is the length that s requires of a record, when that is a constant.
func wholeRecord(s *ir.Require) (int64, bool) {
	fb, ok1 := s.Of.(*ir.FieldBytes)
	n, ok2 := s.Bytes.(*ir.Const)
	if !ok1 || !ok2 || fb.Field.Kind != ir.Tail {
		return 0, false
	}
	return int64(n.V), true
}

// exits reports whether s may end the program otherwise than because the record is short.
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
