package uftrace

import (
	"cmp"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/uftrace"
)

// Enums are the enumerations of a module, or of the recorder, by name: tables with their rows in
// descending order, as UftraceEnum of runtime/render expects them.
type Enums map[string]*ir.Table

// Find returns the first table of that name, or nil if no list has one. uftrace looks in the module
// first, then in the recorder's lists (uftrace.md 2.4).
func Find(name string, lists ...Enums) *ir.Table {
	for _, l := range lists {
		if t := l[name]; t != nil {
			return t
		}
	}
	return nil
}

// ParseEnums reads declarations such as `enum color { RED, GREEN = 2, };enum kind {…}` or, in .dbg
// files, `kind {food,tool=5,book}`. It omits a declaration with a mistake: a value then shows as a
// number. If two have the same name, the first counts.
func ParseEnums(text string) Enums {
	enums := make(Enums)
	list, _ := grammar.ParseEnums("", text)
	for _, e := range list {
		if _, taken := enums[e.Name]; !taken {
			enums[e.Name] = table(e)
		}
	}
	return enums
}

// Add parses the declarations that values name. It parses no others, because a program may declare
// a million enumerations and use only a few as values. decls are declarations by name.
func (e Enums) Add(decls map[string]string, values []Value) {
	for _, v := range values {
		if v.Format != 'e' || e[v.TypeName] != nil || decls[v.TypeName] == "" {
			continue
		}
		if t := ParseEnums(decls[v.TypeName])[v.TypeName]; t != nil {
			e[v.TypeName] = t
		}
	}
}

// table sorts the rows in the order of lookup.
func table(e *grammar.Enum) *ir.Table {
	t := new(ir.Table)
	for _, c := range e.Constants {
		t.Rows = append(t.Rows, ir.Row{Value: uint64(c.Value), Text: c.Name})
	}
	slices.Reverse(t.Rows) // of names with the same number the last one counts (observed on 0.13)
	slices.SortStableFunc(t.Rows, func(a, b ir.Row) int { return cmp.Compare(int64(b.Value), int64(a.Value)) })
	return t
}
