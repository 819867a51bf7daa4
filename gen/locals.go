package gen

import (
	"slices"
	"strconv"

	"github.com/tracec/tracec/gen/internal/expr"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// locals are the local variables of a function.
type locals struct {
	slots map[int]*slot
	bufs  map[int]*slot
	ints  map[*ir.Field]string // buffers for the bytes of integer fields
	vars  int                  // numbers given to temporaries
	longs bool                 // there is a copy of env
	dst   bool                 // dst is declared, though values are generated: some text is compared
}

// slot is a local variable.
type slot struct {
	name string
	typ  ir.Type
	read bool
	set  bool
	// first is the assignment that declares the variable, and code is its value. first is nil if
	// the body of the function itself has no such assignment, or if the variable is read before.
	first, code *jen.Statement
}

// temp returns a fresh name.
func (l *locals) temp(prefix string) string {
	l.vars++
	return prefix + strconv.Itoa(l.vars)
}

// declarations declares the variables that the body uses.
func (l *locals) declarations() []jen.Code {
	var out []jen.Code
	declare := func(slots map[int]*slot, typ func(*slot) jen.Code) {
		for _, n := range sortedKeys(slots) {
			s := slots[n]
			if s.first != nil && s.read {
				*s.first = *jen.Id(s.name).Op(":=").Add(s.code)
				continue
			}
			out = append(out, jen.Var().Id(s.name).Add(typ(s)))
			if !s.read { // Go rejects variables that are only set
				out = append(out, jen.Id("_").Op("=").Id(s.name))
			}
		}
	}
	declare(l.slots, func(s *slot) jen.Code { return typeCode(s.typ) })
	declare(l.bufs, func(*slot) jen.Code { return jen.Index().Byte() })
	names := make([]string, 0, len(l.ints))
	for _, n := range l.ints {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		out = append(out, jen.Var().Id(n).Index(expr.Number(8)).Byte())
	}
	if l.dst {
		out = append(out, jen.Var().Id("scratch").Index(expr.Number(64)).Byte(),
			dst().Op(":=").Id("scratch").Index(jen.Empty(), expr.Number(0)))
	}
	if l.longs {
		out = append(out, jen.Var().Id("longs").Qual(expr.RenderPath, "Env"))
	}
	return out
}

// ofInt returns the name of the buffer for an integer field.
func (l *locals) ofInt(f *field) string {
	if l.ints == nil {
		l.ints = make(map[*ir.Field]string)
	}
	if l.ints[f.Field] == "" {
		name := "x" + strconv.Itoa(f.Offset)
		for _, taken := range l.ints {
			if taken == name { // damaged descriptions have two fields at one place
				name += "_" + strconv.Itoa(len(l.ints))
				break
			}
		}
		l.ints[f.Field] = name
	}
	return l.ints[f.Field]
}

func sortedKeys[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (l *locals) slot(n int, t ir.Type) *slot {
	if l.slots == nil {
		l.slots = make(map[int]*slot)
	}
	if l.slots[n] == nil {
		l.slots[n] = &slot{name: "v" + strconv.Itoa(n), typ: t}
	}
	return l.slots[n]
}

func (l *locals) buffer(n int) *slot {
	if l.bufs == nil {
		l.bufs = make(map[int]*slot)
	}
	if l.bufs[n] == nil {
		l.bufs[n] = &slot{name: "b" + strconv.Itoa(n)}
	}
	return l.bufs[n]
}
