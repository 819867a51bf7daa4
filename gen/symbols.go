package gen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tracec/tracec/gen/internal/name"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// symbols is the type of an integer field whose values have names in the text of its event, by
// __print_symbolic or __print_flags and the code around them.
type symbols struct {
	goName    string
	doc       string // the meaning of its values
	typ       ir.Type
	field     *ir.Field
	text      ir.Text // of a value of field
	key       string  // distinguishes texts
	constants []constantRow
}

// nameSymbols finds the fields whose values have names, and gives them types. Fields of one name
// share a type if all events of a group give their values the same names.
func (p *pkg) nameSymbols(pick func(name, key string) string) {
	found := map[*field]*symbols{}
	keys := map[string]map[string]bool{} // by group and field
	for _, e := range p.events {
		for _, t := range ir.Texts(e.Text) {
			f, ok := e.named(t)
			if !ok || found[f] != nil {
				continue
			}
			s := &symbols{typ: ir.Type{Size: int8(f.Size), Signed: f.Signed}, field: f.Field, text: t}
			s.key = s.textKey()
			found[f] = s
			place := e.Group + "\x00" + f.goName
			if keys[place] == nil {
				keys[place] = map[string]bool{}
			}
			keys[place][s.key] = true
		}
	}
	types := map[string]*symbols{}
	for _, e := range p.events {
		for _, f := range e.members {
			s := found[f]
			if s == nil {
				continue
			}
			owner, doc := e.Group, f.Name+" of "+e.Group
			if len(keys[e.Group+"\x00"+f.goName]) > 1 {
				owner, doc = e.Name, f.Name+" of "+eventLabel(e.Group, e.Name)
			}
			place := owner + "\x00" + f.goName + "\x00" + s.key
			if types[place] == nil {
				s.doc = doc
				s.goName = pick(name.Exported(owner)+f.goName, place)
				s.nameConstants(pick)
				types[place] = s
				p.symbols = append(p.symbols, s)
			}
			f.symbols = types[place]
			if e.symbolic == nil {
				e.symbolic = map[ir.Text]*field{}
			}
			e.symbolic[s.text] = f
		}
	}
}

// outside returns the type of the runtime that has the names of the values of f, or "": see
// ir.Enum.Type.
func (f *field) outside() string {
	if f.Enum == nil || f.symbols != nil || f.goType().packed {
		return ""
	}
	return f.Enum.Type
}

// importOutside imports the types of the runtime that fields have.
func (p *pkg) importOutside(out *page.Page) {
	for _, e := range p.events {
		for _, f := range e.members {
			if typ := f.outside(); typ != "" {
				importPath, _ := splitType(typ)
				out.Import(importPath)
			}
		}
	}
}

// named returns the field whose values a text names, if it is in a struct.
func (e *event) named(t ir.Text) (*field, bool) {
	of := ir.Named(t)
	if of == nil || of.Common {
		return nil, false
	}
	f := e.byField[of]
	return f, f.member && !f.goType().packed
}

// textKey returns the program of the text, and the type.
func (s *symbols) textKey() string {
	var b strings.Builder
	ev := ir.Event{HasText: true, Text: []ir.Stmt{&ir.PutText{T: s.text}}}
	_ = ev.Dump(&b) // a Builder never fails
	return b.String() + s.typ.String()
}

// nameConstants names the rows of all tables that have possible values.
func (s *symbols) nameConstants(pick func(name, key string) string) {
	seen, taken := map[uint64]bool{}, map[string]bool{}
	var visit func(n any)
	visit = func(n any) {
		for _, t := range ir.Tables(n) {
			for i, r := range t.Rows {
				if s.typ.Extend(r.Value) == r.Value && !seen[r.Value] && r.Text != "" {
					seen[r.Value] = true
					base := s.goName + name.Exported(r.Text)
					constant := base
					for n := 2; taken[constant]; n++ { // T and t become one name: the order of the table numbers them
						constant = base + strconv.Itoa(n)
					}
					taken[constant] = true
					s.constants = append(s.constants,
						constantRow{goName: pick(constant, s.goName+r.Text+strconv.Itoa(i)), Row: r})
				}
			}
		}
		ir.Parts(n, visit)
	}
	visit(s.text)
}

// symbolTypes writes the types, their constants and String.
func (p *pkg) symbolTypes(out *page.Page) {
	for _, s := range p.symbols {
		out.Line()
		comments(out.Group, fmt.Sprintf("%s is a value of %s.", s.goName, page.Plain(s.doc)))
		out.Type().Id(s.goName).Add(typeCode(s.typ))
		if len(s.constants) > 0 {
			declareConstants(out, s.goName, s.typ, s.constants)
		}
		s.stringMethod(out, p.target)
		out.EndEvent()
	}
}

// stringMethod writes String, and the method that appends the text of the value.
func (s *symbols) stringMethod(out *page.Page, target ir.Target) {
	f := &field{Field: s.field, member: true, self: true}
	e := &event{Event: &ir.Event{}, byField: map[*ir.Field]*field{s.field: f}}
	w := newWriter(out, e, target)
	body := w.textBody([]ir.Stmt{&ir.PutText{T: s.text, Spec: ir.Spec{Prec: -1}}})
	out.Line()
	comments(out.Group, "String returns the value as the text of its event has it.")
	value := jen.Id("v").Id(s.goName)
	out.Func().Params(value).Id("String").Params().String().
		Block(jen.Return(jen.String().Call(jen.Id("v").Dot("appendText").Call(jen.Nil(), jen.Nil()))))
	out.Line()
	out.Func().Params(value.Clone()).Id("appendText").Params(dst().Index().Byte(), envParam()).Index().Byte().
		Block(append(w.declarations(), body...)...)
}
