package gen

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/own"
	"github.com/tracec/tracec/gen/internal/page"
	"github.com/tracec/tracec/runtime/bind"
)

// file plans the generated file. There is only one: the code does not use unsafe, so it needs no
// variant without unsafe.
func (p *intoPkg) file(opts Options) *page.File {
	rename := p.structs.Rename(opts.Stem)
	var names []eventName
	for i, v := range p.variables(rename) {
		x := p.targets[i].Struct
		names = append(names, eventName{variable: v, typ: x.Name, label: page.Quoted(x.Event)})
	}
	return &page.File{
		Name: opts.Base + ".go", Package: opts.Package, Tag: p.structs.Constraint(p.targets), Rename: rename,
		Imports: func(f *jen.File) { p.structs.Imports(f, p.packages(), p.targets) },
		Parts: []func(*page.Page){
			handshake,
			func(out *page.Page) { (&api{system: p.system}).write(out, names) },
			p.dispatch,
			p.table,
		},
	}
}

// variables returns the names of the variables of the events.
func (p *intoPkg) variables(rename func(string) string) (names []string) {
	for _, t := range p.targets {
		names = append(names, rename(t.Struct.Name+"Event"))
	}
	return names
}

// dispatch writes the code that fills the structs.
func (p *intoPkg) dispatch(out *page.Page) {
	out.Line()
	comments(out.Group, out.Name("dispatch")+" decodes records into structs, which are the same every time. []byte are parts of a record.",
		"Other slices belong to it. Strings stay.")
	out.Type().Id(out.Name("dispatch")).StructFunc(func(g *jen.Group) {
		texts := false
		for i, e := range p.events {
			g.Id(scratchName(i)).Id(e.Struct.Name)
			texts = texts || slices.ContainsFunc(e.Fills, (*own.Fill).Strings)
		}
		if texts {
			g.Id("strings").Qual(expr.GencodePath, "Strings")
		}
	})
	var text []byte
	var uses decodeUses
	for i, e := range p.events {
		text = fmt.Appendf(text, "case %d:\nh := &d.%s\n", i, scratchName(i))
		text = e.appendCase(text, out, &uses)
	}
	p.writeDecode(out, uses, text)
	for _, e := range p.events {
		if e.reads() {
			p.decodeFunc(out, e)
			out.EndEvent()
		}
	}
}

// reads reports whether the values of the event are read by a function of its own.
func (e *intoEvent) reads() bool { return e.values != nil && e.FromPayload() }

// appendCase appends the statements that decode an event.
func (e *intoEvent) appendCase(text []byte, out *page.Page, uses *decodeUses) []byte {
	body := out.Statements(func(g *jen.Group) {
		if e.layout != nil && e.layout.size > 0 {
			g.Id("_").Op("=").Add(expr.Data()).Index(expr.Number(e.layout.size - 1)) // one check for all
		}
		for _, f := range e.Fills {
			var set []jen.Code
			switch {
			case f.From.Member != "":
				set, uses.record = f.SetRecord(), true
			case f.From.Field != nil:
				set = f.SetField()
			}
			for _, c := range set {
				g.Add(c)
			}
		}
	})
	if !e.reads() {
		return append(append(text, body...), "return h\n"...)
	}
	args := "h, data"
	if e.values.varies() {
		args += ", x, env"
		uses.entry, uses.env = true, true
	}
	text = fmt.Appendf(text, "if d.%s(%s) {\n", e.reader(), args)
	return append(append(text, body...), "return h\n}\n"...)
}

// reader is the name of the method that fills the struct.
func (e *intoEvent) reader() string { return "read" + e.Struct.Name }

// decodeFunc writes the method that fills a struct from data. If the environments of a record
// differ, it writes one method for each environment.
func (p *intoPkg) decodeFunc(out *page.Page, e *intoEvent) {
	name := e.reader()
	begin := func(suffix string) *jen.Statement {
		return out.Func().Params(jen.Id("d").Op("*").Id(out.Name("dispatch"))).Id(name + suffix)
	}
	params := []jen.Code{jen.Id("h").Op("*").Id(e.Struct.Name), expr.Data().Index().Byte()}
	out.Line()
	comments(out.Group, fmt.Sprintf("%s fills h with values of %s. It reports whether data was long enough.", name,
		page.Plain(payloadLabel(e.Event))))
	if !e.values.varies() {
		body := decodeBody(out, group{forms: e.values.forms}, p.system, e.values)
		begin("").Params(params...).Bool().BlockFunc(func(g *jen.Group) {
			e.reset(g)
			for _, c := range body {
				g.Add(c)
			}
		})
		return
	}
	e.values.inEnvironments(out, func(f *form) []ir.Stmt { return f.Decode }, environments{
		system: p.system,
		begin:  begin,
		params: params,
		result: jen.Bool(),
		first:  e.reset,
		body:   func(g group) []jen.Code { return decodeBody(out, g, p.system, e.values) },
		call: func(suffix string, more ...jen.Code) *jen.Statement {
			return jen.Id("d").Dot(name + suffix).Call(append([]jen.Code{jen.Id("h"), expr.Data()}, more...)...)
		},
		none: jen.False(),
	})
}

// reset empties the fields that some records do not set.
func (e *intoEvent) reset(g *jen.Group) {
	for _, v := range e.values.leaves() {
		for _, f := range v.into {
			if !v.certain {
				g.Add(f.Reset(v.repeated))
			}
		}
	}
}

// keepInto sets the fields of the user's struct that take the value.
func (w *writer) keepInto(v *valueField, s *ir.Keep) {
	for _, f := range v.into {
		switch {
		case f.Presence():
			w.emit(f.Found())
		case v.repeated:
			w.emit(f.Append(w.taken(v, f, s)))
		default:
			for _, c := range f.Set(w.taken(v, f, s)) {
				w.emit(c)
			}
		}
	}
}

// forgetInto empties the fields that take values of v, because a list or structure begins.
func (w *writer) forgetInto(v *valueField) {
	for _, f := range v.into {
		w.emit(f.Reset(v.repeated))
	}
	for _, m := range v.members {
		w.forgetInto(m)
	}
}

// taken returns the code of a value in the form that f takes: an integer of the type of f.From, a
// float of its size, bytes.
func (w *writer) taken(v *valueField, f *own.Fill, s *ir.Keep) *jen.Statement {
	switch f.From.Shape {
	case own.OfText:
		return w.keptText(s)
	case own.OfBlob:
		return w.region(s.Of)
	case own.OfFloat:
		t := ir.Type{Size: v.typ.Size}
		return jen.Qual("math", fmt.Sprintf("Float%dfrombits", 8*t.Size)).Call(w.value(&ir.Convert{T: t, X: s.V}))
	}
	if t, ok := f.Cut(); ok {
		return w.value(convert(t, convert(v.typ, s.V)))
	}
	code := w.value(convert(v.typ, s.V))
	if _, known := w.constant(s.V); known && f.AnyWidth() { // the Go compiler must not see a constant either
		code = expr.Gencode("Pick").Call(jen.True(), code, code.Clone())
	}
	return code
}

// table writes the layouts that are compared with recordings. For events with fields at offsets, it
// has the used fields. For other events it has all fields, because the decoder skips them.
func (p *intoPkg) table(out *page.Page) {
	text := tableHead(out)
	for _, e := range p.events {
		text = appendEvent(text, p.row(e), "", out)
	}
	out.Formatted(append(text, "}\n"...))
}

// row is the row of an event in the table.
func (p *intoPkg) row(e *intoEvent) bind.Event {
	if e.layout != nil {
		return e.layout.layout()
	}
	return (&payload{Event: e.Event, typ: e.Struct.Name, values: e.values}).layout(p.target, e.Takes)
}
