package plugin

import "github.com/tracec/tracec/compiler/ir"

// findTable returns the first table of ev's print fmt for which want returns true, or nil. A plugin
// with its own table uses the kernel's table for values that its table lacks.
func findTable(ev *ir.Event, want func(*ir.Table) bool) *ir.Table {
	if !ev.HasText {
		return nil
	}
	return tableInStmts(ev.Text, want)
}

func tableInStmts(body []ir.Stmt, want func(*ir.Table) bool) *ir.Table {
	for _, s := range body {
		var t *ir.Table
		switch s := s.(type) {
		case *ir.PutText:
			t = tableInText(s.T, want)
		case *ir.If:
			if t = tableInStmts(s.Then, want); t == nil {
				t = tableInStmts(s.Else, want)
			}
		case *ir.Switch:
			for _, c := range s.Cases {
				if t = tableInStmts(c.Body, want); t != nil {
					return t
				}
			}
			t = tableInStmts(s.Default, want)
		case *ir.Loop:
			t = tableInStmts(s.Body, want)
		}
		if t != nil {
			return t
		}
	}
	return nil
}

func tableInText(text ir.Text, want func(*ir.Table) bool) *ir.Table {
	switch x := text.(type) {
	case *ir.CondText:
		if t := tableInText(x.Then, want); t != nil {
			return t
		}
		return tableInText(x.Else, want)
	case *ir.Program:
		return tableInStmts(x.Body, want)
	case *ir.Call:
		for _, a := range x.Args {
			switch a := a.(type) {
			case *ir.Table:
				if want(a) {
					return a
				}
			case ir.Text:
				if t := tableInText(a, want); t != nil {
					return t
				}
			}
		}
	}
	return nil
}

// lookup returns the text of v in t, which may be nil.
func lookup(t *ir.Table, v uint64) (string, bool) {
	if t == nil {
		return "", false
	}
	for i := range t.Rows {
		if t.Rows[i].Value == v {
			return t.Rows[i].Text, true
		}
	}
	return "", false
}
