package filter

import "slices"

// Fields returns the names of the fields that the filter asks for, each once, but for COMM, CPU and TIMESTAMP, which
// every event has.
func (f *Filter) Fields() []string {
	var names []string
	visit(f.Cond, func(name string) {
		if name != "COMM" && name != "CPU" && name != "TIMESTAMP" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	return names
}

// visit calls do for all fields of an expression, which may be nil.
func visit(n Node, do func(name string)) {
	switch n := n.(type) {
	case Field:
		do(n.Name)
	case *Unary:
		visit(n.X, do)
	case *Binary:
		visit(n.X, do)
		visit(n.Y, do)
	case *Match:
		do(n.X.Name)
	}
}
