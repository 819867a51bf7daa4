package ir

import "math"

// BoundLoops lowers the limits of nested loops in body, so that Check accepts them. If d nested
// loops would turn too often, their limits become the d-th root of the allowed number. A single
// loop keeps its limit, and so does a nest that is small enough.
func BoundLoops(body []Stmt) {
	loops(body, func(outer *Loop) {
		if turns, depth := nest(outer); turns > maxTurns {
			// The small addition makes the root of a power exact.
			lower(outer, int(math.Pow(maxTurns, 1/float64(depth))+1e-9))
		}
	})
}

// loops visits the loops of body that are not nested in another.
func loops(body []Stmt, visit func(*Loop)) {
	for _, s := range body {
		switch s := s.(type) {
		case *Loop:
			visit(s)
		case *If:
			loops(s.Then, visit)
			loops(s.Else, visit)
		case *Switch:
			for _, c := range s.Cases {
				loops(c.Body, visit)
			}
			loops(s.Default, visit)
		case *PutText:
			loopsOfText(s.T, visit)
		}
	}
}

func loopsOfText(t Text, visit func(*Loop)) {
	switch t := t.(type) {
	case *Program:
		loops(t.Body, visit)
	case *CondText:
		loopsOfText(t.Then, visit)
		loopsOfText(t.Else, visit)
	case *Call:
		for _, a := range t.Args {
			if text, ok := a.(Text); ok {
				loopsOfText(text, visit)
			}
		}
	}
}

// nest returns upper bounds for the total number of turns of the deepest loops of l, and for their
// depth.
func nest(l *Loop) (turns float64, depth int) {
	turns, depth = 1, 0
	loops(l.Body, func(inner *Loop) {
		t, d := nest(inner)
		turns, depth = max(turns, t), max(depth, d)
	})
	return turns * float64(l.Limit), depth + 1
}

func lower(l *Loop, limit int) {
	l.Limit = min(l.Limit, max(limit, 1))
	loops(l.Body, func(inner *Loop) { lower(inner, limit) })
}
