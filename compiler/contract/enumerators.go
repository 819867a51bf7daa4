package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
)

// names holds the names of values in the text of an event: by field and name, the values in order.
type names map[string]map[string][]uint64

// enumerators returns the names of values that were added, removed or have other values.
func enumerators(a, b *ir.Event) (list []Change) {
	old, new := namesOf(a), namesOf(b)
	for _, field := range sortedKeys(old, new) {
		was, is := old[field], new[field]
		for _, name := range sortedKeys(was, is) {
			x, y := was[name], is[name]
			switch {
			case len(y) == 0:
				list = append(list, Change{EnumRemoved, field, enumerator(name, x), ""})
			case len(x) == 0:
				list = append(list, Change{EnumAdded, field, "", enumerator(name, y)})
			case !slices.Equal(x, y):
				list = append(list, Change{EnumChanged, field, enumerator(name, x), enumerator(name, y)})
			}
		}
	}
	return list
}

func enumerator(name string, values []uint64) string {
	text := make([]string, len(values))
	for i, v := range values {
		text[i] = fmt.Sprintf("%#x", v)
	}
	return name + "=" + strings.Join(text, ",")
}

func sortedKeys[V any](a, b map[string]V) []string {
	var list []string
	for _, m := range []map[string]V{a, b} {
		for k := range m {
			list = append(list, k)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// namesOf collects the tables of an event by the field that their call depends on.
func namesOf(ev *ir.Event) names {
	all := names{}
	for _, v := range variants(ev) {
		for _, s := range v.Text {
			all.visit(s)
		}
		for _, l := range v.Leaves() {
			if l.Enum != nil {
				all.add(l.Path, l.Enum.Table, l.Enum.HasRanges())
			}
		}
	}
	return all
}

// visit visits a node and all parts of it.
func (all names) visit(n any) {
	for _, t := range ir.Tables(n) {
		all.add(strings.Join(fieldsIn(n), ","), t, false)
	}
	ir.Parts(n, all.visit)
}

// add adds the rows of a table. In a table with ranges, a row without text begins a range.
func (all names) add(field string, t *ir.Table, ranges bool) {
	if t == nil {
		return
	}
	if all[field] == nil {
		all[field] = map[string][]uint64{}
	}
	for i, r := range t.Rows {
		values := all[field][r.Text]
		if r.Text == "" || slices.Contains(values, r.Value) {
			continue
		}
		if ranges && i > 0 && t.Rows[i-1].Text == "" {
			values = append(values, t.Rows[i-1].Value)
		}
		all[field][r.Text] = append(values, r.Value)
	}
}

// fieldsIn returns the names of the fields that a node depends on, in the order of reading.
func fieldsIn(n any) (list []string) {
	var visit func(n any)
	visit = func(n any) {
		if f, ok := n.(*ir.FieldBytes); ok && !slices.Contains(list, f.Field.Name) {
			list = append(list, f.Field.Name)
		}
		ir.Parts(n, visit)
	}
	visit(n)
	return list
}
