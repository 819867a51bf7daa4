package ftrace

import "github.com/tracec/tracec/compiler/ir"

// weight counts the nodes of a rendering program as a tree: a part shared in memory counts as often as
// a back end would emit it, so that `x = x + x;` forty times over is seen for what it costs. The count
// saturates a little above maxNodes.
func weight(stmts []ir.Stmt) int {
	w := weigher{}
	return w.stmts(stmts)
}

type weigher map[any]int

func (w weigher) sum(parts ...int) int {
	n := 1
	for _, p := range parts {
		n = min(n+p, maxNodes+1)
	}
	return n
}

func (w weigher) stmts(body []ir.Stmt) int {
	n := 0
	for _, s := range body {
		n = w.sum(n, w.stmt(s))
	}
	return n
}

func (w weigher) stmt(s ir.Stmt) int {
	switch s := s.(type) {
	case *ir.PutInt:
		return w.sum(w.value(s.V), w.value(s.Spec.WidthArg), w.value(s.Spec.PrecArg))
	case *ir.PutText:
		return w.sum(w.text(s.T), w.value(s.Spec.WidthArg), w.value(s.Spec.PrecArg))
	case *ir.If:
		return w.sum(w.value(s.Cond), w.stmts(s.Then), w.stmts(s.Else))
	}
	return 1
}

func (w weigher) value(v ir.Value) int {
	if v == nil {
		return 0
	}
	if n, ok := w[v]; ok {
		return n
	}
	n := 1
	switch v := v.(type) {
	case *ir.Load:
		n = w.sum(w.region(v.From), w.value(v.At))
	case *ir.Unary:
		n = w.sum(w.value(v.X))
	case *ir.Binary:
		n = w.sum(w.value(v.X), w.value(v.Y))
	case *ir.Cond:
		n = w.sum(w.value(v.If), w.value(v.Then), w.value(v.Else))
	case *ir.Convert:
		n = w.sum(w.value(v.X))
	case *ir.Len:
		n = w.sum(w.region(v.Of))
	case *ir.Func:
		for _, a := range v.Args {
			n = w.sum(n, w.value(a))
		}
	}
	w[v] = n
	return n
}

func (w weigher) region(r ir.Region) int {
	if n, ok := w[r]; ok {
		return n
	}
	n := 1
	switch r := r.(type) {
	case *ir.Slice:
		n = w.sum(w.region(r.Of), w.value(r.At), w.value(r.Len))
	case *ir.CondBytes:
		n = w.sum(w.value(r.If), w.region(r.Then), w.region(r.Else))
	}
	w[r] = n
	return n
}

func (w weigher) text(t ir.Text) int {
	if n, ok := w[t]; ok {
		return n
	}
	n := 1
	switch t := t.(type) {
	case *ir.CString:
		n = w.sum(w.region(t.Of))
	case *ir.CondText:
		n = w.sum(w.value(t.If), w.text(t.Then), w.text(t.Else))
	case *ir.Program:
		n = w.stmts(t.Body)
	case *ir.Call:
		n = w.call(t)
	}
	w[t] = n
	return n
}

func (w weigher) call(c *ir.Call) int {
	n := 1
	for _, a := range c.Args {
		switch a := a.(type) {
		case ir.Value:
			n = w.sum(n, w.value(a))
		case ir.Region:
			n = w.sum(n, w.region(a))
		case ir.Text:
			n = w.sum(n, w.text(a))
		}
	}
	return n
}
