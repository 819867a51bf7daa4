package gen

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// enum is an enumeration with its Go side: a type, and a constant for each row.
type enum struct {
	*ir.Enum
	goName    string
	key       string // tells tables apart
	constants []string
}

// planEnums finds the enumerations of a package and names them. The same name with other rows, such as those of two
// libraries, is another enumeration.
func (p *payloadPkg) planEnums() {
	byKey := map[string]*enum{}
	for _, y := range p.events {
		if y.values == nil || y.Variants != nil {
			continue
		}
		for i, d := range y.Values {
			if d.Enum == nil {
				continue
			}
			key := d.Enum.Name + "\x00"
			for _, r := range d.Enum.Table.Rows {
				key = string(appendRow([]byte(key), r))
			}
			if byKey[key] == nil {
				byKey[key] = &enum{Enum: d.Enum, key: key}
				p.enums = append(p.enums, byKey[key])
			}
			f := y.values.fields[i]
			f.enum, f.typ = byKey[key], ir.I32 // the upper half is what the register held
		}
	}
	slices.SortFunc(p.enums, func(a, b *enum) int { return cmp.Compare(a.key, b.key) })
	p.nameEnums()
}

// nameEnums gives enumerations and their rows identifiers that nothing else in the package has.
func (p *payloadPkg) nameEnums() {
	taken := map[string]bool{}
	for _, y := range p.events {
		taken[y.goName] = true
		if y.values != nil {
			taken[y.values.goName] = true
		}
	}
	pick := picker(taken)
	seen := map[string]int{}
	for _, e := range p.enums {
		seen["Enum"+goName(e.Name)]++
	}
	for _, e := range p.enums {
		name := "Enum" + goName(e.Name)
		if seen[name] > 1 {
			name += "X" + fingerprint(e.key, 4)
		}
		e.goName = pick(name, e.key)
	}
	for _, e := range p.enums {
		for i, r := range e.Table.Rows {
			e.constants = append(e.constants, pick(e.goName+goName(r.Text), e.key+r.Text+strconv.Itoa(i)))
		}
	}
}

// picker returns a function that makes names unlike those that are taken, by a suffix that depends on a key.
func picker(taken map[string]bool) func(name, key string) string {
	return func(name, key string) string {
		if taken[name] || decoderReserved[name] {
			name += "X" + fingerprint(key, 4)
		}
		for taken[name] {
			name += "X"
		}
		taken[name] = true
		return name
	}
}

// enumTypes writes the types and constants.
func (p *payloadPkg) enumTypes(out *piece) {
	for _, e := range p.enums {
		out.Line()
		comments(out.Group, e.goName+" is the enumeration "+plain(e.Name)+". Values may be sums of several constants.")
		out.Type().Id(e.goName).Int32()
		e.declareConstants(out, ir.I32)
		out.Line()
		comments(out.Group, "String returns the value as the text of its event has it.")
		out.Func().Params(jen.Id("v").Id(e.goName)).Id("String").Params().String().Block(
			jen.Return(jen.String().Call(renderFn(e.Func).Call(jen.Nil(), jen.Nil(), jen.Uint64().Call(jen.Id("v")), jen.Id(out.table(e.Table))))))
	}
}

// declareConstants writes a constant for each row, the lowest first.
func (e *enum) declareConstants(out *piece, t ir.Type) {
	out.Line()
	comments(out.Group, "The constants of "+e.goName+".")
	out.Const().DefsFunc(func(g *jen.Group) {
		for i := len(e.Table.Rows) - 1; i >= 0; i-- { // the rows descend
			r := e.Table.Rows[i]
			g.Id(e.constants[i]).Id(e.goName).Op("=").Add(bare(t, t.Extend(r.Value))).Comment(quoted(r.Text))
		}
	})
}
