package compiler

import "github.com/tracec/tracec/compiler/ir"

// Count is the number of times that a value is kept for one record: at least Min and at most Max,
// where 2 means more than once.
type Count struct{ Min, Max uint8 }

// Presence counts how often body keeps each of values, over all paths that do not end because of a
// short record. If once is set, it treats every loop as a block that runs at most once. It does not
// count other values.
func Presence(body []ir.Stmt, values []*ir.Field, once bool) []Count {
	p := presence{once: once, index: make(map[*ir.Field]int, len(values))}
	for i, f := range values {
		p.index[f] = i
	}
	if at, alive := p.block(body, make([]Count, len(values))); alive {
		p.end(at)
	}
	if p.total == nil {
		p.total = make([]Count, len(values)) // every path ends as Short
	}
	return p.total
}

type presence struct {
	once  bool
	index map[*ir.Field]int // of the values
	total []Count           // of the paths that have ended; nil without any
}

func (p *presence) end(at []Count) { p.total = join(p.total, at) }

// join returns the counts where two paths meet. A nil path does not exist.
func join(a, b []Count) []Count {
	if a == nil {
		return append([]Count(nil), b...)
	}
	if b == nil {
		return a
	}
	for i := range a {
		a[i] = Count{min(a[i].Min, b[i].Min), max(a[i].Max, b[i].Max)}
	}
	return a
}

// block continues the counts in at, which it may change, through body. alive is false if no path
// reaches the end of body.
func (p *presence) block(body []ir.Stmt, at []Count) (out []Count, alive bool) {
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Keep:
			if i, ok := p.index[s.Field]; ok {
				at[i] = Count{min(at[i].Min+1, 2), min(at[i].Max+1, 2)}
			}
		case *ir.If:
			at = p.arms(at, s.Then, s.Else)
		case *ir.Switch:
			arms := [][]ir.Stmt{s.Default}
			for _, c := range s.Cases {
				arms = append(arms, c.Body)
			}
			at = p.arms(at, arms...)
		case *ir.Loop:
			at = p.loop(at, s.Body)
		case *ir.Exit:
			if s.Reason != ir.Short {
				p.end(at)
			}
			return nil, false
		}
		if at == nil {
			return nil, false
		}
	}
	return at, true
}

// arms counts through a choice. It returns nil if no arm reaches its end.
func (p *presence) arms(at []Count, arms ...[]ir.Stmt) []Count {
	var out []Count
	for _, body := range arms {
		if end, alive := p.block(body, append([]Count(nil), at...)); alive {
			out = join(out, end)
		}
	}
	return out
}

func (p *presence) loop(at []Count, body []ir.Stmt) []Count {
	if p.once {
		return p.arms(at, body, nil)
	}
	for f := range kept(body) {
		if i, ok := p.index[f]; ok {
			at[i].Max = 2
		}
	}
	return p.arms(at, body, nil)
}

// kept finds the values that body keeps.
func kept(body []ir.Stmt) map[*ir.Field]bool {
	found := map[*ir.Field]bool{}
	var visit func(any)
	visit = func(n any) {
		if k, ok := n.(*ir.Keep); ok {
			found[k.Field] = true
		}
		if _, ok := n.(ir.Stmt); ok {
			ir.Parts(n, visit)
		}
	}
	for _, s := range body {
		visit(s)
	}
	return found
}
