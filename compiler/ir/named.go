package ir

// Texts returns the texts that statements print, including branches, each once.
func Texts(body []Stmt) (list []Text) {
	var visit func(n any)
	visit = func(n any) {
		if put, ok := n.(*PutText); ok {
			list = append(list, put.T)
			return
		}
		if _, ok := n.(Stmt); ok {
			Parts(n, visit)
		}
	}
	for _, s := range body {
		visit(s)
	}
	return list
}

// Named returns the integer field whose value a text names, or nil. The text must depend on this
// field only, and must take names from a table, as __print_symbolic, __print_flags and texts around
// them do.
func Named(t Text) *Field {
	var of *Field
	table, ok := false, true
	var visit func(n any)
	visit = func(n any) {
		switch n := n.(type) {
		case *Call:
			ok = ok && (n.Name == "Symbolic" || n.Name == "Flags")
			table = table || len(Tables(n)) > 0
		case *FieldBytes:
			ok = ok && (of == nil || of == n.Field)
			of = n.Field
		case *Local, *LocalBytes, *Fact, *FactText, *Program, *Func, *Len, *ToNUL, *Bits, *TextIs, *Slice:
			ok = false
		case *Load:
			_, whole := n.From.(*FieldBytes)
			ok = ok && whole && n.At == nil
		}
		Parts(n, visit)
	}
	visit(t)
	if !ok || !table || of == nil || of.Kind != Int || !loadsWhole(t, of) {
		return nil
	}
	return of
}

// Tables returns the tables of names that a call uses.
func Tables(n any) (list []*Table) {
	if call, ok := n.(*Call); ok {
		for _, a := range call.Args {
			if t, ok := a.(*Table); ok {
				list = append(list, t)
			}
		}
	}
	return list
}

// loadsWhole reports whether all loads read the integer itself.
func loadsWhole(n any, f *Field) bool {
	ok := true
	Parts(n, func(part any) {
		if l, is := part.(*Load); is {
			ok = ok && int(l.T.Size) == f.Size
		} else {
			ok = ok && loadsWhole(part, f)
		}
	})
	return ok
}
