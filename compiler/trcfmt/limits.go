package trcfmt

import "github.com/tracec/tracec/compiler/ir"

// Bounds of the cost of one event. If all loops together could exceed loopCost, they count their
// cost in a shared slot.
const (
	maxText  = 16 << 20 // characters outside of loops, as an upper estimate
	loopCost = 16 << 20 // characters in loops
	turnCost = 16       // for a turn without its output
)

// Estimated lengths of texts from the recording.
const (
	dynamicText = 1024
	otherText   = 256
)

// bound makes nested loops, and loops that may print very much, share a budget.
func (l *lowerer) bound(body []ir.Stmt) {
	nested, cost := false, int64(0)
	eachLoop(body, func(s *ir.Loop) {
		eachLoop(s.Body, func(*ir.Loop) { nested = true })
		cost += int64(s.Limit) * (turnCost + volume(s.Body))
	})
	if !nested && cost <= loopCost {
		return
	}
	slot := l.locals.value()
	eachLoop(body, func(s *ir.Loop) { l.budgeted(s, slot) })
}

func (l *lowerer) budgeted(s *ir.Loop, slot int) {
	eachLoop(s.Body, func(inner *ir.Loop) { l.budgeted(inner, slot) })
	cost := konstU(uint64(turnCost + volume(s.Body)))
	s.Cond = ir.WithBudget(s.Cond, slot, loopCost)
	s.Body = append([]ir.Stmt{&ir.Let{Slot: slot, V: l.add(l.local(slot), cost)}}, s.Body...)
}

// eachLoop visits the loops of body, but not nested loops.
func eachLoop(body []ir.Stmt, visit func(*ir.Loop)) {
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Loop:
			visit(s)
		case *ir.If:
			eachLoop(s.Then, visit)
			eachLoop(s.Else, visit)
		case *ir.Switch:
			for _, c := range s.Cases {
				eachLoop(c.Body, visit)
			}
			eachLoop(s.Default, visit)
		}
	}
}

// volume estimates the maximum number of characters that statements print, outside of loops.
func volume(body []ir.Stmt) int64 {
	n := int64(0)
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Lit:
			n += int64(len(s.S))
		case *ir.PutInt:
			n += int64(max(s.Spec.Width, 22))
		case *ir.PutText:
			n += max(int64(s.Spec.Width), textVolume(s.T))
		case *ir.If:
			n += max(volume(s.Then), volume(s.Else))
		case *ir.Switch:
			most := volume(s.Default)
			for _, c := range s.Cases {
				most = max(most, volume(c.Body))
			}
			n += most
		}
		n = min(n, 1<<40)
	}
	return n
}

func textVolume(t ir.Text) int64 {
	switch t := t.(type) {
	case *ir.CString:
		if s, ok := t.Of.(*ir.Slice); ok {
			if n, ok := s.Len.(*ir.Const); ok {
				return int64(n.V)
			}
		}
		return dynamicText
	case *ir.Call:
		if last, ok := t.Args[len(t.Args)-1].(*ir.Const); ok && t.Name == "Binary" {
			return int64(last.V)
		}
	}
	return otherText
}
