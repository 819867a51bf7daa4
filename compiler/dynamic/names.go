package dynamic

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// names are the names of the values of a field: of an enumeration, or what the text of the event prints for it.
type names struct {
	table render.Table
	sep   string // between flags
	kind  nameKind
}

type nameKind uint8

const (
	symbolic nameKind = iota // one row
	flags                    // the rows whose bits are set
	joined                   // an enumeration of uftrace
)

func (n *names) append(dst []byte, v uint64) []byte {
	switch n.kind {
	case flags:
		return render.Flags(dst, nil, v, n.sep, n.table)
	case joined:
		return render.UftraceEnum(dst, nil, v, n.table)
	}
	return render.Symbolic(dst, nil, v, n.table)
}

func tableOf(t *ir.Table) render.Table {
	out := make(render.Table, len(t.Rows))
	for i, r := range t.Rows {
		out[i] = render.Sym{Value: r.Value, Text: r.Text}
	}
	return out
}

func enumNames(e *ir.Enum) *names {
	if e == nil {
		return nil
	}
	return &names{table: tableOf(e.Table), kind: joined}
}

// fieldNames finds the fields whose values the text prints by a table, such as __print_symbolic(REC->state, …). Of several tables of a field the
// first counts.
func fieldNames(ev *ir.Event) map[*ir.Field]*names {
	found := map[*ir.Field]*names{}
	seen := map[any]bool{}
	var visit func(any)
	visit = func(n any) {
		if seen[n] {
			return
		}
		seen[n] = true
		if call, ok := n.(*ir.Call); ok && (call.Name == "Symbolic" || call.Name == "Flags") && len(call.Args) > 0 {
			if f := plainField(call.Args[0]); f != nil && found[f] == nil {
				found[f] = callNames(call)
			}
		}
		ir.Parts(n, visit)
	}
	for _, s := range ev.Text {
		visit(s)
	}
	return found
}

func callNames(call *ir.Call) *names {
	n := &names{}
	if call.Name == "Flags" {
		n.kind = flags
	}
	for _, a := range call.Args[1:] {
		switch a := a.(type) {
		case ir.StrArg:
			n.sep = string(a)
		case *ir.Table:
			n.table = tableOf(a)
		}
	}
	return n
}

// plainField returns the field that is all of a value, nil for any other.
func plainField(a any) *ir.Field {
	switch v := a.(type) {
	case *ir.Convert:
		return plainField(v.X)
	case *ir.Load:
		if f, ok := v.From.(*ir.FieldBytes); ok && v.At == nil && f.Field.Kind == ir.Int {
			return f.Field
		}
	}
	return nil
}
