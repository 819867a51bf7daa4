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

// enums finds the enumerations of a package and names them. The same name with other rows, such as those of two
// libraries, is another enumeration.
func (p *callPkg) enums() {
	byKey := map[string]*enum{}
	for _, s := range p.sides {
		if s.payload == nil {
			continue
		}
		for i, d := range s.payload.event.Values {
			if d.Enum == nil {
				continue
			}
			key := d.Enum.Name + "\x00"
			for _, r := range d.Enum.Table.Rows {
				key = string(appendRow([]byte(key), r))
			}
			if byKey[key] == nil {
				byKey[key] = &enum{Enum: d.Enum, key: key}
				p.enumList = append(p.enumList, byKey[key])
			}
			f := s.payload.fields[i]
			f.enum, f.typ = byKey[key], ir.I32 // the upper half is what the register held
		}
	}
	slices.SortFunc(p.enumList, func(a, b *enum) int { return cmp.Compare(a.key, b.key) })
	p.nameEnums()
}

// nameEnums gives enumerations and their rows identifiers that nothing else in the package has.
func (p *callPkg) nameEnums() {
	taken := map[string]bool{}
	for _, s := range p.sides {
		taken[s.goName] = true
		if s.payload != nil {
			taken[s.payload.goName] = true
		}
	}
	pick := func(name, key string) string {
		if taken[name] {
			name += "X" + fingerprint(key, 4)
		}
		for taken[name] {
			name += "X"
		}
		taken[name] = true
		return name
	}
	seen := map[string]int{}
	for _, e := range p.enumList {
		seen["Enum"+goName(e.Name)]++
	}
	for _, e := range p.enumList {
		name := "Enum" + goName(e.Name)
		if seen[name] > 1 {
			name += "X" + fingerprint(e.key, 4)
		}
		e.goName = pick(name, e.key)
	}
	for _, e := range p.enumList {
		for i, r := range e.Table.Rows {
			e.constants = append(e.constants, pick(e.goName+goName(r.Text), e.key+r.Text+strconv.Itoa(i)))
		}
	}
}

// enumTypes writes the types and constants.
func (p *callPkg) enumTypes(out *piece) {
	for _, e := range p.enumList {
		out.Line()
		comments(out.Group, e.goName+" is the enumeration "+plain(e.Name)+". Values may be sums of several constants.")
		out.Type().Id(e.goName).Int32()
		out.Line()
		comments(out.Group, "The constants of "+e.goName+".")
		out.Const().DefsFunc(func(g *jen.Group) {
			for i := len(e.Table.Rows) - 1; i >= 0; i-- { // the rows descend
				r := e.Table.Rows[i]
				g.Id(e.constants[i]).Id(e.goName).Op("=").Add(bare(ir.I32, ir.I32.Extend(r.Value))).Comment(quoted(r.Text))
			}
		})
		out.Line()
		comments(out.Group, "String is the value as uftrace prints it.")
		out.Func().Params(jen.Id("v").Id(e.goName)).Id("String").Params().String().Block(
			jen.Return(jen.String().Call(renderFn("UftraceEnum").Call(jen.Nil(), jen.Nil(), jen.Uint64().Call(jen.Id("v")), jen.Id(out.table(e.Table))))))
	}
}
