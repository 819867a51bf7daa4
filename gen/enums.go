package gen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// enum is an enumeration with its Go side: a type, and a constant for each row.
type enum struct {
	*ir.Enum
	goName    string
	typ       ir.Type
	key       string // tells tables apart
	constants []constantRow
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
			key := fmt.Sprintf("%s\x00%d", d.Enum.Name, d.Type.Size) // one that is recorded in fewer bytes is another type
			for _, r := range d.Enum.Table.Rows {
				key = string(appendRow([]byte(key), r))
			}
			if byKey[key] == nil {
				byKey[key] = &enum{Enum: d.Enum, key: key, typ: d.Type}
				p.enums = append(p.enums, byKey[key])
			}
			f := y.values.fields[i]
			f.enum = byKey[key]
		}
	}
	slices.SortFunc(p.enums, func(a, b *enum) int { return cmp.Compare(a.key, b.key) })
	p.nameEnums()
}

// nameEnums gives enumerations, their rows and events identifiers that nothing else in the package has.
func (p *payloadPkg) nameEnums() {
	taken := map[string]bool{}
	for _, y := range p.events {
		taken[y.goName] = true
		taken[y.typ] = true
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
			row := ir.Row{Value: e.typ.Extend(r.Value), Text: r.Text}
			e.constants = append(e.constants, constantRow{pick(e.goName+goName(r.Text), e.key+r.Text+strconv.Itoa(i)), row})
		}
		slices.Reverse(e.constants) // the rows descend
	}
	for _, y := range p.events {
		p.names = append(p.names, nameEvent(y.goName, y.typ, payloadLabel(y.Event), pick))
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
		out.Type().Id(e.goName).Add(typeCode(e.typ))
		declareConstants(out, e.goName, e.typ, e.constants)
		out.Line()
		comments(out.Group, "String returns the name of the value, names of its flags, or the number.")
		out.Func().Params(jen.Id("v").Id(e.goName)).Id("String").Params().String().Block(
			jen.Return(jen.String().Call(renderFn(e.Func).Call(jen.Nil(), jen.Nil(), jen.Uint64().Call(jen.Id("v")), jen.Id(out.table(e.Table))))))
	}
}

// constantRow is a row of a table as a constant.
type constantRow struct {
	goName string
	ir.Row
}

// declareConstants writes the constants of a type.
func declareConstants(out *piece, typ string, t ir.Type, rows []constantRow) {
	out.Line()
	comments(out.Group, "The constants of "+typ+".")
	out.Const().DefsFunc(func(g *jen.Group) {
		for _, r := range rows {
			g.Id(r.goName).Id(typ).Op("=").Add(bare(t, r.Value)).Comment(quoted(r.Text))
		}
	})
}
