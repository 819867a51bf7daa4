package filter

// Fields returns the fields that the filter uses, including duplicates. It omits COMM, CPU and
// TIMESTAMP, which every event has.
func (f *Filter) Fields() (list []Field) {
	visit(f.Cond, func(n Field) {
		if n.Name != "COMM" && n.Name != "CPU" && n.Name != "TIMESTAMP" {
			list = append(list, n)
		}
	})
	return list
}

// Asks reports whether the filter uses a field.
func (f *Filter) Asks(name string) (found bool) {
	visit(f.Cond, func(n Field) { found = found || n.Name == name })
	return found
}

// visit calls do for all fields of an expression, which may be nil.
func visit(n Node, do func(Field)) {
	switch n := n.(type) {
	case Field:
		do(n)
	case *Unary:
		visit(n.X, do)
	case *Binary:
		visit(n.X, do)
		visit(n.Y, do)
	case *Match:
		do(n.X)
	}
}
