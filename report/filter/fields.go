package filter

import "slices"

// Fields returns the names of the fields that the filter asks for, each once, but for COMM, CPU and TIMESTAMP, which
// every event has.
func (f *Filter) Fields() []string {
	var names []string
	visit(f.cond, func(name string) {
		if name != "COMM" && name != "CPU" && name != "TIMESTAMP" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	return names
}

// visit calls do for all fields of an expression, which may be nil.
func visit(n node, do func(name string)) {
	switch n := n.(type) {
	case field:
		do(n.name)
	case *unary:
		visit(n.x, do)
	case *binary:
		visit(n.x, do)
		visit(n.y, do)
	case *match:
		visit(n.x, do)
	}
}
