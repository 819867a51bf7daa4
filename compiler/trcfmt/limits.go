package trcfmt

import (
	"math"

	"github.com/tracec/tracec/compiler/ir"
)

// Bounds of what one event may cost: the most that a template can print, an estimate, and the turns of its loops.
const (
	maxText  = 64 << 20
	loopText = 16 << 20 // in one loop
	maxTurns = 1 << 20  // of a loop within loops, all in all; also the bound of ir.Check
)

// Estimates of texts whose length the recording knows.
const (
	dynamicText = 1024 // what a counted string prints it also consumes
	otherText   = 256
)

// limit bounds the turns of a loop and of the loops within it: all of one nest alike, and fewer when they print much.
func limit(outermost *ir.Loop) {
	depth := 1 + loopDepth(outermost.Body)
	most := int(math.Pow(maxTurns, 1/float64(depth)))
	limitNest(outermost, max(most, 1))
	text := volume(outermost.Body)
	for text > 0 && text*int64(outermost.Limit) > loopText && outermost.Limit > 1 {
		outermost.Limit = max(1, int(loopText/text))
	}
}

func limitNest(s *ir.Loop, most int) {
	s.Limit = min(s.Limit, most)
	eachLoop(s.Body, func(inner *ir.Loop) { limitNest(inner, most) })
}

// loopDepth is how deep loops nest in body.
func loopDepth(body []ir.Stmt) int {
	depth := 0
	eachLoop(body, func(inner *ir.Loop) { depth = max(depth, 1+loopDepth(inner.Body)) })
	return depth
}

// eachLoop visits the loops of body, but not those within them.
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

// volume estimates how many characters statements print at most.
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
		case *ir.Loop:
			n += min(volume(s.Body), maxText) * int64(s.Limit)
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
