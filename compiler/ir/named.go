package ir

import "fmt"

// FieldNames returns unique names for the fields of an event in the record. If two fields have one
// name, the second gets "x 2". If both also begin at one offset, as a dynamic array and its word do
// in some kernels, the second is the first again and gets "".
func (ev *Event) FieldNames() []string {
	type place struct {
		name   string
		offset int
	}
	names := make([]string, len(ev.Fields))
	known, taken := map[place]bool{}, map[string]bool{}
	for i, f := range ev.Fields {
		if at := (place{f.Name, f.Offset}); !known[at] {
			known[at] = true
			names[i] = Distinct(f.Name, taken)
		}
	}
	return names
}

// A Leaf is a value that Decode yields and that has no members. It is a field of the event, or of
// its structures and lists.
type Leaf struct {
	*Field
	Path     string // the names of the fields around it and its own, joined by dots: id.x
	Number   int    // its place in AllValues
	Repeated bool   // it is in a list: a record may have several
}

// Leaves returns the values of an event without members, in the order of AllValues.
func (ev *Event) Leaves() []Leaf {
	n := 0
	return leaves(nil, ev.Values(), "", false, &n)
}

// Leaves returns f itself, or the values without members in it. Their numbers count from f.
func (f *Field) Leaves() []Leaf {
	n := 0
	return leaves(nil, []*Field{f}, "", false, &n)
}

func leaves(list []Leaf, fields []*Field, prefix string, repeated bool, n *int) []Leaf {
	for _, f := range fields {
		path := prefix
		if f.Name != "" && prefix != "" {
			path += "."
		}
		path += f.Name
		if f.Fields == nil && f.Kind != Struct {
			list = append(list, Leaf{f, path, *n, repeated})
		}
		*n++
		list = leaves(list, f.Fields, path, repeated || f.Kind == List, n)
	}
	return list
}

// Distinct returns a name that is not taken and takes it: the name, "x 2", "x 3" and so on.
func Distinct(name string, taken map[string]bool) string {
	own := name
	for n := 2; taken[own]; n++ {
		own = fmt.Sprintf("%s %d", name, n)
	}
	taken[own] = true
	return own
}

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
// field only. Its names must come from a table, as in __print_symbolic, __print_flags and texts
// around them.
func Named(t Text) *Field {
	of, table := dependsOn(t)
	if !table || of == nil || of.Kind != Int {
		return nil
	}
	return of
}

// Continues reports whether a statement that follows the name of a value of f adds to the name: it
// prints text which depends on f only. "prev_state=%s%s" of sched_switch prints "R" and "+".
func Continues(s Stmt, f *Field) bool {
	switch s := s.(type) {
	case *PutText:
		if !s.Spec.Plain() {
			return false
		}
	case *If:
	default:
		return false
	}
	of, _ := dependsOn(s)
	return of == f
}

// dependsOn returns the one field that the output of a text or statement depends on, and whether it
// takes names from a table. It returns nil if the output depends on anything else, on parts of the
// field, or does more than print.
func dependsOn(n any) (of *Field, table bool) {
	ok := true
	var visit func(n any)
	visit = func(n any) {
		switch n := n.(type) {
		case *Call:
			ok = ok && (n.Name == "Symbolic" || n.Name == "Flags")
			table = table || len(Tables(n)) > 0
		case *FieldBytes:
			ok = ok && (of == nil || of == n.Field)
			of = n.Field
		case *Local, *LocalBytes, *Fact, *FactText, *Func, *Len, *ToNUL, *Bits, *TextIs, *Slice,
			*Let, *LetBytes, *Loop, *Keep, *Require, *Exit:
			ok = false
		case *Load:
			_, whole := n.From.(*FieldBytes)
			ok = ok && whole && n.At == nil
		}
		Parts(n, visit)
	}
	visit(n)
	if !ok || of == nil || !loadsWhole(n, of) {
		return nil, false
	}
	return of, table
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
