package gen

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/name"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// enum is an enumeration with its Go side: a type, and a constant for each row.
type enum struct {
	*ir.Enum
	goName    string
	stem      string // constants begin with it
	doc       string // the meaning of its values
	typ       ir.Type
	key       string // distinguishes tables
	constants []constantRow
	table     string // the variable with the texts of the values, without the stem
}

// planEnums finds the enumerations of a package and names them. If two have the same name but
// different rows, for example in two libraries, they are two enumerations. An enumeration without a
// name belongs to one value.
func (p *payloadPkg) planEnums() {
	byKey := map[string]*enum{}
	for _, y := range p.events {
		if y.values == nil {
			continue
		}
		for _, form := range y.values.forms {
			for _, d := range form.AllValues() {
				f := y.values.of[d]
				if d.Enum == nil || f.enum != nil || f.bytes || f.float {
					continue
				}
				if d.Enum.Type != "" {
					f.enum = &enum{Enum: d.Enum}
					continue
				}
				if f.saysItself(d.Enum) {
					continue
				}
				key := y.enumKey(f, d.Enum)
				if byKey[key] == nil {
					byKey[key] = y.newEnum(f, d.Enum, key)
					p.enums = append(p.enums, byKey[key])
				}
				f.enum = byKey[key]
			}
		}
	}
	slices.SortFunc(p.enums, func(a, b *enum) int { return cmp.Compare(a.key, b.key) })
	p.nameEnums()
}

// saysItself reports whether the only text of a value is its own name. Such a value is a bit that
// means yes or no.
func (f *valueField) saysItself(e *ir.Enum) bool {
	return e.Name == "" && len(e.Table.Rows) == 1 && strings.EqualFold(name.Exported(e.Table.Rows[0].Text), f.goName)
}

// code returns the Go type.
func (e *enum) code() *jen.Statement {
	if e.Type == "" {
		return jen.Id(e.goName)
	}
	return jen.Qual(splitType(e.Type))
}

// splitType splits an Enum.Type into the import path and the name.
func splitType(t string) (importPath, name string) {
	dot := strings.LastIndexByte(t, '.')
	return t[:dot], t[dot+1:]
}

// enumKey returns the same key for all values of one type. Values recorded in fewer bytes have
// another type.
func (y *payload) enumKey(f *valueField, e *ir.Enum) string {
	if e.Name == "" {
		return y.goName + "\x00" + f.path()
	}
	key := fmt.Sprintf("%s\x00%d%t", e.Name, f.typ.Size, f.typ.Signed)
	for _, r := range e.Table.Rows {
		key = string(appendRow([]byte(key), r))
	}
	return key
}

// newEnum begins the type of a value. If the enumeration has no name, the names come from the event
// and the value.
func (y *payload) newEnum(f *valueField, e *ir.Enum, key string) *enum {
	x := &enum{Enum: e, key: key, typ: f.typ}
	subject := f.source // $D1 of a hook
	if y.Variants == nil {
		subject = f.path()
	}
	subject = page.Plain(subject + " of " + y.values.label)
	switch {
	case e.Name == "" && e.Func == "FlagNames":
		x.stem = y.valueStem(f)
		x.goName, x.doc = x.stem+"Bits", "has the flags of "+subject+"."
	case e.Name == "":
		x.stem = y.valueStem(f)
		x.goName, x.doc = x.stem+"Value", "is "+subject+"."
	default:
		x.goName, x.doc = "Enum"+name.Exported(e.Name),
			"is the enumeration "+page.Plain(e.Name)+". Values may be sums of several constants."
	}
	return x
}

// valueStem returns the first part of the names of a type of values and of its constants: the event
// and the value. The event alone is enough if both have one name. It is also enough for a value
// without a label, if there is only one such value.
func (y *payload) valueStem(f *valueField) string {
	unlabelled := map[string]bool{}
	for _, form := range y.values.forms {
		for _, d := range form.Values() {
			if d.Enum != nil && d.Enum.Name == "" && d.Enum.Type == "" && isDataWord().MatchString(d.Name) {
				unlabelled[d.Name] = true
			}
		}
	}
	if f.goName == y.goName || unlabelled[f.name] && len(unlabelled) == 1 {
		return y.goName
	}
	return y.goName + f.goName
}

// isDataWord finds the names of values without a label: the hook data and data words of AIX.
var isDataWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(HD|D[0-9]+)$`) })

// nameEnums gives enumerations, their rows, structures in events and events identifiers that are
// unique in the package.
func (p *payloadPkg) nameEnums() {
	taken := map[string]bool{}
	for _, y := range p.events {
		taken[y.goName] = true
		taken[y.typ] = true
	}
	pick := picker(taken)
	for _, y := range p.events {
		if y.values != nil {
			for _, f := range y.values.structs() {
				f.typeName = pick(f.typeName, payloadLabel(y.Event)+f.path())
			}
		}
	}
	seen := map[string]int{}
	for _, e := range p.enums {
		seen[e.goName]++
	}
	for _, e := range p.enums {
		if seen[e.goName] > 1 {
			e.goName += "X" + name.Fingerprint(e.key, 4)
		}
		e.goName = pick(e.goName, e.key)
		e.table = pick(name.Lower(e.goName, "Names"), e.key)
	}
	for _, e := range p.enums {
		if e.OfC() {
			e.enumerators(pick)
		} else {
			e.textConstants(pick)
		}
	}
	for _, y := range p.events {
		p.names = append(p.names, nameEvent(y.goName, y.typ, payloadLabel(y.Event), pick))
	}
}

// enumerators are the constants of an enumeration of C.
func (e *enum) enumerators(pick func(name, key string) string) {
	for i, r := range e.Table.Rows {
		row := ir.Row{Value: e.typ.Extend(r.Value), Text: r.Text}
		constant := pick(e.goName+name.Exported(r.Text), e.key+r.Text+strconv.Itoa(i))
		e.constants = append(e.constants, constantRow{goName: constant, Row: row})
	}
	slices.Reverse(e.constants) // the rows descend
}

// textConstants returns the names that a text gives to values. It returns only names of possible
// values. Each value has one name. If the enumeration has ranges, every label has a constant
// instead.
func (e *enum) textConstants(pick func(name, key string) string) {
	seen, taken := map[constantRow]bool{}, map[string]bool{}
	before := uint64(0) // of a row without text: the mask of the next row, or the begin of its range
	add := func(row constantRow, suffix string) {
		value := row
		if !e.HasRanges() {
			value.Text = "" // the first text counts
		}
		if e.typ.Extend(row.Value) != row.Value || seen[value] {
			return
		}
		seen[value] = true
		name := constantName(e.stem, row.Row) + suffix
		if taken[name] {
			name += "X" + strconv.FormatUint(row.Value, 16)
		}
		taken[name] = true
		row.goName = pick(name, fmt.Sprint(e.key, row.Value, row.mask))
		e.constants = append(e.constants, row)
	}
	for i, r := range e.Table.Rows {
		switch {
		case r.Text == "":
			before = r.Value
			continue
		case e.HasRanges() && i > 0 && e.Table.Rows[i-1].Text == "":
			add(constantRow{Row: ir.Row{Value: before, Text: r.Text}}, "First")
			add(constantRow{Row: r}, "Last")
		default:
			add(constantRow{Row: r, bits: e.Func == "FlagNames" && r.Value > 9, mask: e.mask(before)}, "")
		}
		before = 0
	}
}

// mask returns the mask of a flag. The mask 0 stands for all bits: only the whole value counts.
func (e *enum) mask(n uint64) uint64 {
	if all := e.typ.Extend(math.MaxUint64); n&all == all {
		return 0
	}
	return n
}

// maxConstantName limits the names of constants, which consist of whole words of a text.
const maxConstantName = 40

// constantName returns the name for a row: its text, or its value if the text has no letters or
// digits.
func constantName(stem string, r ir.Row) string {
	words := strings.FieldsFunc(r.Text, func(c rune) bool { return !name.IsAlnum(c) })
	if len(words) == 0 {
		return stem + "X" + strconv.FormatUint(r.Value, 16)
	}
	constant := stem
	for i, w := range words {
		next := constant + name.Exported("v " + w)[1:] // a digit may begin it
		if i > 0 && len(next) > maxConstantName {
			break
		}
		constant = next
	}
	return constant
}

// enumTypes writes the types and constants.
func (p *payloadPkg) enumTypes(out *page.Page) {
	for _, e := range p.enums {
		out.Line()
		comments(out.Group, e.goName+" "+e.doc)
		out.Type().Id(e.goName).Add(typeCode(e.typ))
		if len(e.constants) > 0 {
			declareConstants(out, e.goName, e.typ, e.constants)
		}
		out.Line()
		comments(out.Group, e.stringDoc())
		out.Func().Params(jen.Id("v").Id(e.goName)).Id("String").Params().String().Block(
			jen.Return(jen.String().Call(expr.Render(e.Func).Call(jen.Nil(), jen.Nil(), jen.Uint64().Call(jen.Id("v")),
				jen.Id(declareTable(out, e.table, e.Table))))))
	}
}

// stringDoc describes the result of String.
func (e *enum) stringDoc() string {
	switch {
	case e.OfC():
		return "String returns the name of the value, names of its flags, or the number."
	case e.Func == "FlagNames":
		return "String returns the texts of the flags, and the other bits in hexadecimal."
	}
	return "String returns the text of the value, or the number."
}

// constantRow is a row of a table as a constant.
type constantRow struct {
	goName string
	ir.Row
	bits bool   // it is a flag
	mask uint64 // of a flag: bits of the value that count; 0 if the text has no mask
}

// comment is the text, and the mask.
func (r constantRow) comment() string {
	if r.mask == 0 {
		return page.Quoted(r.Text)
	}
	return fmt.Sprintf("%s, of the bits %#x", page.Quoted(r.Text), r.mask)
}

// declareConstants writes the constants of a type.
func declareConstants(out *page.Page, typ string, t ir.Type, rows []constantRow) {
	out.Line()
	comments(out.Group, "The constants of "+typ+".")
	out.Const().DefsFunc(func(g *jen.Group) {
		for _, r := range rows {
			v := bare(t, r.Value)
			if r.bits {
				v = expr.Hex(r.Value)
			}
			g.Id(r.goName).Id(typ).Op("=").Add(v).Comment(r.comment())
		}
	})
}
