package gen

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
)

// hookField is one field of the struct of a hook: a value that its template consumes, in all environments.
type hookField struct {
	goName   string
	name     string // in the template
	source   string // what reads it
	typ      ir.Type
	bytes    bool
	float    bool
	optional bool
	repeated bool
	certain  bool // every record sets it, so that it need not be emptied
	enum     *enum
}

// plan merges the values of the four environments into the fields of one struct. A value that has another width in
// another environment, such as XW, is as wide as its widest.
func (h *hook) plan() error {
	byName := map[string]*hookField{}
	seen := map[*hookField]int{}
	for _, e := range h.events {
		for _, d := range e.Values {
			f := byName[d.Name]
			if f == nil {
				f = &hookField{
					name: d.Name, source: d.Source, typ: d.Type, bytes: d.Type == ir.Type{}, float: d.Float,
				}
				byName[d.Name] = f
				h.fields = append(h.fields, f)
			}
			seen[f]++
			if f.bytes != (d.Type == ir.Type{}) || f.float != d.Float {
				return fmt.Errorf("gen: hook %s: %q is a number in one environment and none in another", hookID(h.id), d.Name)
			}
			if d.Type.Size > f.typ.Size {
				f.typ = d.Type
			}
			f.optional = f.optional || d.Optional
			f.repeated = f.repeated || d.Repeated
		}
	}
	for _, f := range h.fields {
		f.optional = !f.repeated && (f.optional || seen[f] < len(h.events))
		f.certain = !f.repeated && !f.optional
	}
	for _, e := range h.events {
		fields := h.fieldsOf(e)
		for i, n := range compiler.Presence(e.Decode, len(e.Values), false) {
			fields[i].certain = fields[i].certain && n.Min > 0
		}
	}
	return h.nameFields()
}

// nameFields gives the values their fields. Where Go cannot tell two names apart, both get a suffix that depends on
// nothing but their own, so that it stays after an edit elsewhere.
func (h *hook) nameFields() error {
	for _, f := range h.fields {
		f.goName = goName(f.name)
	}
	for range 2 {
		clash := h.clashes()
		for i, f := range h.fields {
			if clash[i] && hookReserved[f.goName] {
				f.goName += "Field"
			} else if clash[i] {
				f.goName = goName(f.name) + "X" + fingerprint(f.name, 4)
			}
		}
	}
	if i := slices.Index(h.clashes(), true); i >= 0 {
		f := h.fields[i]
		return fmt.Errorf("gen: hook %s: %q and another value both become the Go name %s: give it another label, or a macro of its own: {{ $name = code }}",
			hookID(h.id), f.name, f.goName)
	}
	return nil
}

// clashes finds the values that share one of their identifiers with another or with a method.
func (h *hook) clashes() []bool {
	count := map[string]int{}
	each := func(f *hookField, do func(string)) {
		do(f.goName)
		if f.optional {
			do("Has" + f.goName)
		}
	}
	for _, f := range h.fields {
		each(f, func(n string) { count[n]++ })
	}
	clash := make([]bool, len(h.fields))
	for i, f := range h.fields {
		each(f, func(n string) { clash[i] = clash[i] || count[n] > 1 || hookReserved[n] })
	}
	return clash
}

// code is the Go type.
func (f *hookField) code() *jen.Statement {
	s := &jen.Statement{}
	if f.repeated {
		s.Index()
	}
	switch {
	case f.enum != nil:
		return s.Id(f.enum.goName)
	case f.bytes:
		return s.Index().Byte()
	case f.float && f.typ.Size == 4:
		return s.Float32()
	case f.float:
		return s.Float64()
	}
	return s.Add(typeCode(f.typ))
}

// structs writes the types.
func (p *hookPkg) structs(out *piece) {
	out.apart = "X" // the texts have tables, too
	for _, h := range p.hooks {
		out.Line()
		doc := fmt.Sprintf("%s holds the values of hook %s, %s.", h.goName, hookID(h.id), plain(h.label))
		if h.label == "" {
			doc = fmt.Sprintf("%s holds the values of hook %s.", h.goName, hookID(h.id))
		}
		comments(out.Group, doc)
		out.Type().Id(h.goName).StructFunc(func(g *jen.Group) {
			for _, f := range h.fields {
				g.Id(f.goName).Add(f.code()).Comment(quoted(f.source))
			}
			for _, f := range h.fields {
				if f.optional {
					g.Id("Has" + f.goName).Bool()
				}
			}
		})
		h.decode(out)
		out.ended()
	}
}

// decode writes the methods that fill the struct.
func (h *hook) decode(out *piece) {
	out.Line()
	comments(out.Group, "Decode reads the values of a record. It returns false, and h is of no use, when the record ends before its",
		"template does. Bytes are parts of r.Data. env may be nil.")
	receiver := func() *jen.Statement { return jen.Id("h").Op("*").Id(h.goName) }
	same := h.variants(func(e *event) []ir.Stmt { return e.Decode })
	out.Func().Params(receiver()).Id("Decode").Params(recordParam(), entryParam(), envParam()).Bool().BlockFunc(func(g *jen.Group) {
		h.reset(g)
		h.byEnv(g, same, func(i int) jen.Code {
			return jen.Return(jen.Id("h").Dot("decode"+hookEnvs[i].suffix).Call(data(), jen.Id("env")))
		})
		g.Return(jen.False())
	})
	for i, e := range h.events {
		if same[i] != i {
			continue
		}
		body := decodeBody(out, e, h.target(i), h.fieldsOf(e))
		out.Line()
		out.Func().Params(receiver()).Id("decode"+hookEnvs[i].suffix).Params(jen.Id("data").Index().Byte(), envParam()).Bool().
			Block(body...)
	}
}

// target is the machine of an environment.
func (h *hook) target(env int) ir.Target {
	return ir.Target{BigEndian: true, WordSize: hookEnvs[env].word}
}

// decodeBody is the body of a function with a parameter data that fills the fields of h from it. It returns false when
// data is too short.
func decodeBody(out *piece, e *event, target ir.Target, fields []*hookField) []jen.Code {
	w := newStreamWriter(out, e, target)
	w.keeps = fields
	alone := startsWithCheck(e)
	if alone {
		w.sure = 0
	}
	body, ends := w.ending(func() { w.stmts(e.Decode) })
	if !ends {
		body = append(body, jen.Return(jen.True()))
	}
	if e.Size > 0 && !alone {
		body = slices.Insert(body, 0, jen.Code(jen.If(jen.Len(jen.Id("data")).Op("<").Lit(e.Size)).Block(jen.Return(jen.False()))))
	}
	return append(w.declarations(), body...)
}

// startsWithCheck reports whether the program's own check of the length comes first and covers that of the event.
func startsWithCheck(e *event) bool {
	if len(e.Decode) == 0 {
		return false
	}
	r, ok := e.Decode[0].(*ir.Require)
	if !ok {
		return false
	}
	n, ok := r.Bytes.(*ir.Const)
	of, whole := r.Of.(*ir.FieldBytes)
	return ok && whole && of.Field.Kind == ir.Tail && int64(n.V) >= int64(e.Size) && n.V < 1<<30
}

// reset empties what is not set by every record; slices keep their memory.
func (h *hook) reset(g *jen.Group) {
	for _, f := range h.fields {
		member := func() *jen.Statement { return jen.Id("h").Dot(f.goName) }
		switch {
		case f.certain:
		case f.repeated:
			g.Add(member()).Op("=").Add(member()).Index(jen.Empty(), jen.Lit(0))
		case f.bytes:
			g.Add(member()).Op("=").Nil()
		default:
			g.Add(member()).Op("=").Lit(0)
		}
		if f.optional {
			g.Id("h").Dot("Has" + f.goName).Op("=").False()
		}
	}
}

// fieldsOf are the fields that the values of e go to.
func (h *hook) fieldsOf(e *event) []*hookField {
	out := make([]*hookField, len(e.Values))
	for i, d := range e.Values {
		out[i] = h.fields[slices.IndexFunc(h.fields, func(f *hookField) bool { return f.name == d.Name })]
	}
	return out
}
