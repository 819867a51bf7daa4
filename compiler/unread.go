package compiler

import (
	"maps"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
)

// WithoutUnread drops the statements that set a local which is not read afterwards. The
// descriptions of events set such locals in case later statements read them. Values have no
// effects, so the result is equivalent. WithoutUnread makes new nodes where it changes something
// and never alters an old one.
func WithoutUnread(body []ir.Stmt) []ir.Stmt {
	return unread(body, locals{})
}

// variable is a slot or, if text is set, a buffer.
type variable struct {
	slot int
	text bool
}

// locals are the locals with values that are read later.
type locals map[variable]bool

// reads adds the locals that n and its parts read.
func (l locals) reads(n any) {
	switch n := n.(type) {
	case *ir.Local:
		l[variable{n.Slot, false}] = true
	case *ir.LocalBytes:
		l[variable{n.Slot, true}] = true
	}
	ir.Parts(n, l.reads)
}

// unread goes backward through body. live holds the locals that are read after body. On return it
// holds the locals that are read from the beginning of body on. unread returns the remaining
// statements.
func unread(body []ir.Stmt, live locals) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range slices.Backward(body) {
		if keep := unreadStmt(s, live); keep != nil {
			out = append(out, keep)
		}
	}
	slices.Reverse(out)
	return out
}

// unreadStmt is unread for one statement, nil when it is dropped.
func unreadStmt(s ir.Stmt, live locals) ir.Stmt {
	switch s := s.(type) {
	case *ir.Let:
		return set(s, variable{s.Slot, false}, live)
	case *ir.LetBytes:
		return set(s, variable{s.Slot, true}, live)
	case *ir.If:
		out := &ir.If{Cond: s.Cond}
		arms := live.arms(s.Then, s.Else)
		if out.Then, out.Else = arms[0], arms[1]; out.Then == nil && out.Else == nil {
			return nil
		}
		live.reads(s.Cond)
		return out
	case *ir.Switch:
		return unreadSwitch(s, live)
	case *ir.Loop:
		live.reads(s) // by the next turn
		return &ir.Loop{Cond: s.Cond, Body: unread(s.Body, maps.Clone(live)), Limit: s.Limit}
	case *ir.Exit: // nothing is read after an exit
		clear(live)
	}
	live.reads(s)
	return s
}

// set keeps a statement that sets x, if x is read.
func set(s ir.Stmt, x variable, live locals) ir.Stmt {
	if !live[x] {
		return nil
	}
	delete(live, x)
	live.reads(s)
	return s
}

// arms is unread for alternative blocks.
func (l locals) arms(bodies ...[]ir.Stmt) [][]ir.Stmt {
	after := maps.Clone(l)
	clear(l)
	for i, body := range bodies {
		live := maps.Clone(after)
		bodies[i] = unread(body, live)
		maps.Copy(l, live)
	}
	return bodies
}

func unreadSwitch(s *ir.Switch, live locals) ir.Stmt {
	bodies := [][]ir.Stmt{s.Default}
	for _, c := range s.Cases {
		bodies = append(bodies, c.Body)
	}
	arms := live.arms(bodies...)
	out, left := &ir.Switch{X: s.X, Default: arms[0]}, len(arms[0])
	for i, c := range s.Cases {
		out.Cases = append(out.Cases, ir.SwitchCase{Values: c.Values, Body: arms[i+1]})
		left += len(arms[i+1])
	}
	if left == 0 {
		return nil
	}
	live.reads(s.X)
	return out
}
