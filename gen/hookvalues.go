package gen

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// keep sets a field of the struct of a hook.
func (w *writer) keep(s *ir.Keep) {
	if w.keeps == nil { // text is wanted
		return
	}
	f := w.keeps[s.Datum]
	var v *jen.Statement
	switch d := w.event.Values[s.Datum]; {
	case f.bytes && d.Text:
		v = renderFn("CString").Call(w.region(s.Of))
	case f.bytes:
		v = w.region(s.Of)
	case f.float && f.typ.Size == 4:
		v = jen.Qual("math", "Float32frombits").Call(w.value(&ir.Convert{T: ir.U32, X: s.V}))
	case f.float:
		v = jen.Qual("math", "Float64frombits").Call(w.value(&ir.Convert{T: ir.U64, X: s.V}))
	default:
		v = w.value(convert(f.typ, s.V))
	}
	if f.enum != nil {
		v = jen.Id(f.enum.goName).Call(v)
	}
	member := func() *jen.Statement { return jen.Id("h").Dot(f.goName) }
	if f.repeated {
		w.emit(member().Op("=").Append(member(), v))
		return
	}
	w.emit(member().Op("=").Add(v))
	if f.optional {
		w.emit(jen.Id("h").Dot("Has" + f.goName).Op("=").True())
	}
}

func convert(t ir.Type, v ir.Value) ir.Value {
	if v.Type() == t {
		return v
	}
	return &ir.Convert{T: t, X: v}
}

// variants finds environments for which the same code serves: entry i is the first environment with the same program
// as i, after what part does to it.
func (h *hook) variants(part func(*event) []ir.Stmt) (same [4]int) {
	var dumps [4]string
	for i, e := range h.events {
		ev := *e.Event
		ev.Text, ev.Decode, ev.Name, ev.HasText = part(e), nil, "", true
		var b strings.Builder
		_ = ev.Dump(&b) // a Builder does not fail
		dumps[i] = b.String()
		for same[i] = 0; dumps[same[i]] != dumps[i]; same[i]++ {
		}
	}
	return same
}

// byEnv writes the choice by environment, one call for those that share their code.
func (h *hook) byEnv(g *jen.Group, same [4]int, call func(int) jen.Code) {
	g.Switch(jen.Id("x").Dot("Env").Call()).BlockFunc(func(g *jen.Group) {
		for i := range h.events {
			var cases []jen.Code
			for j := range h.events {
				if same[j] == i {
					cases = append(cases, jen.Qual(aixPath, hookEnvs[j].constant))
				}
			}
			if len(cases) > 0 {
				g.Case(cases...).Block(call(i))
			}
		}
	})
}
