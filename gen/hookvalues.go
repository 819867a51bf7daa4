package gen

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler"
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

// valuesOnly is a rendering program without what it prints: what decides which values there are stays.
func valuesOnly(body []ir.Stmt) []ir.Stmt {
	ev := &ir.Event{HasText: true, Text: withoutText(body)}
	compiler.Fold(ev)
	return ev.Text
}

func withoutText(body []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Lit, *ir.PutInt:
		case *ir.PutText:
			out = append(out, stmtsOfText(s.T)...)
		case *ir.If:
			out = append(out, &ir.If{Cond: s.Cond, Then: withoutText(s.Then), Else: withoutText(s.Else)})
		case *ir.Switch:
			out = append(out, switchWithoutText(s)...)
		case *ir.Loop:
			out = append(out, &ir.Loop{Cond: s.Cond, Body: withoutText(s.Body), Limit: s.Limit})
		default:
			out = append(out, s)
		}
	}
	return out
}

// stmtsOfText are the statements in a text that do more than print.
func stmtsOfText(t ir.Text) []ir.Stmt {
	switch t := t.(type) {
	case *ir.Program:
		return withoutText(t.Body)
	case *ir.CondText:
		return []ir.Stmt{&ir.If{Cond: t.If, Then: stmtsOfText(t.Then), Else: stmtsOfText(t.Else)}}
	case *ir.Call:
		var out []ir.Stmt
		for _, a := range t.Args {
			if text, ok := a.(ir.Text); ok {
				out = append(out, stmtsOfText(text)...)
			}
		}
		return out
	}
	return nil
}

// switchWithoutText drops a switch of which nothing is left.
func switchWithoutText(s *ir.Switch) []ir.Stmt {
	out := &ir.Switch{X: s.X, Default: withoutText(s.Default)}
	left := len(out.Default) > 0
	for _, c := range s.Cases {
		body := withoutText(c.Body)
		left = left || len(body) > 0
		out.Cases = append(out.Cases, ir.SwitchCase{Values: c.Values, Body: body})
	}
	if !left {
		return nil
	}
	return []ir.Stmt{out}
}

// variants finds environments for which the same code serves: entry i is the first environment with the same program
// as i, after what part does to it.
func (h *hook) variants(part func(*event) []ir.Stmt) (same [4]int) {
	var dumps [4]string
	for i, e := range h.events {
		ev := *e.Event
		ev.Text, ev.Name, ev.HasText = part(e), "", true
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
