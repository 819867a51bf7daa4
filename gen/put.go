package gen

import (
	"bytes"
	"fmt"

	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/name"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// putInt writes an integer conversion. It uses the short functions of render if only digits are
// needed.
func (w *writer) putInt(s *ir.PutInt) {
	t, sp := s.V.Type(), s.Spec
	fixed := sp.WidthArg == nil && sp.PrecArg == nil && sp.Prec < 0 && !sp.Minus && !sp.Plus && !sp.Space && !sp.Sharp
	plain := fixed && sp.Width == 0
	switch {
	case sp.Verb == 'd' && t.Signed && plain:
		w.put(expr.Render("Dec"), w.as64(s.V, true))
	case sp.Verb == 'd' && t.Signed:
		w.put(expr.Render("Int"), w.as64(s.V, true), w.spec(sp))
	case sp.Verb == 'd' && plain:
		w.put(expr.Render("Udec"), w.as64(s.V, false))
	case sp.Verb == 'd':
		w.put(expr.Render("Uint"), w.as64(s.V, false), w.spec(sp))
	case sp.Verb == 'c':
		w.put(expr.Render("Char"), w.as64(s.V, false), w.spec(sp))
	case sp.Verb == 'x' && plain:
		w.put(expr.Render("HexLower"), w.bits(s.V))
	case sp.Verb == 'x' && fixed && sp.Zero:
		w.put(expr.Render("HexPad"), w.bits(s.V), expr.Number(sp.Width))
	case sp.Verb == 'X' && fixed && sp.Zero:
		w.put(expr.Render("HexPadUpper"), w.bits(s.V), expr.Number(sp.Width))
	default:
		w.put(expr.Render("Uint"), w.bits(s.V), w.spec(sp))
	}
}

// bits returns v as uint64 without its sign. The verbs x and o print the bits in v's width.
func (w *writer) bits(v ir.Value) jen.Code {
	t := v.Type()
	t.Signed = false
	return w.as64(&ir.Convert{T: t, X: v}, false)
}

// spec returns the code of a render.Spec.
func (w *writer) spec(s ir.Spec) jen.Code {
	code := expr.Render("Spec").ValuesFunc(func(g *jen.Group) {
		if s.Verb != 0 {
			g.Id("Verb").Op(":").LitRune(rune(s.Verb))
		}
		flag(g, "Minus", s.Minus)
		flag(g, "Plus", s.Plus)
		flag(g, "Space", s.Space)
		flag(g, "Sharp", s.Sharp)
		flag(g, "Zero", s.Zero)
		if s.Width != 0 {
			g.Id("Width").Op(":").Lit(s.Width)
		}
		g.Id("Prec").Op(":").Lit(s.Prec)
	})
	if s.WidthArg == nil && s.PrecArg == nil {
		return code
	}
	arg := func(v ir.Value) jen.Code {
		if v == nil {
			return jen.Lit(0)
		}
		return w.as64(v, true)
	}
	return code.Dot("With").Call(arg(s.WidthArg), arg(s.PrecArg), jen.Lit(s.WidthArg != nil), jen.Lit(s.PrecArg != nil))
}

// putText writes a text, with its padding if there is any.
func (w *writer) putText(s *ir.PutText) {
	sp := s.Spec
	if sp.Width == 0 && sp.Prec < 0 && sp.WidthArg == nil && sp.PrecArg == nil {
		w.text(s.T)
		return
	}
	start := w.temp("n")
	w.emit(jen.Id(start).Op(":=").Len(dst()))
	w.text(s.T)
	w.set(expr.Render("Pad").Call(dst(), jen.Id(start), w.spec(sp)))
}

// text writes statements that append t.
func (w *writer) text(t ir.Text) {
	if f := w.event.symbolic[t]; f != nil {
		w.put(w.ofStruct(f.goName).Dot("appendText"), jen.Id("env"))
		return
	}
	switch t := t.(type) {
	case *ir.CString:
		switch r := t.Of.(type) {
		case *ir.Str:
			w.lit(cString(r.S))
			return
		case *ir.CondBytes: // usually of constants
			w.branch(r.If, func() { w.text(&ir.CString{Of: r.Then}) }, func() { w.text(&ir.CString{Of: r.Else}) })
			return
		}
		w.set(jen.Append(dst(), w.cstring(t).Op("...")))
	case *ir.CondText:
		w.branch(t.If, func() { w.text(t.Then) }, func() { w.text(t.Else) })
	case *ir.Call:
		w.call(t)
	case *ir.Program:
		w.stmts(t.Body)
	case *ir.FactText:
		w.put(jen.Id("env").Dot("FactText"), fact(t.ID))
	}
}

func cString(s string) string {
	if i := bytes.IndexByte([]byte(s), 0); i >= 0 {
		return s[:i]
	}
	return s
}

func (w *writer) cstring(t *ir.CString) *jen.Statement {
	return expr.Render("CString").Call(w.region(t.Of))
}

// call writes the call of a render function. A text among the arguments is first rendered onto dst,
// and afterwards cut out again. This needs no other memory.
func (w *writer) call(t *ir.Call) {
	env := jen.Id("env")
	var args []jen.Code
	start, end := "", ""
	i := 0
	for _, p := range ir.TextFuncs[t.Name].Params {
		if p == 'o' { // of the region before it
			r, ok := t.Args[i-1].(ir.Region)
			args = append(args, w.order(r, ok))
			if ok && t.Name == "StackTrace" && w.ordered(r) {
				w.longs = true
				env = expr.Gencode("Longs").Call(jen.Op("&").Id("longs"), jen.Id("env"), expr.Number(w.target.WordSize))
			}
			continue
		}
		switch a := t.Args[i].(type) {
		case ir.Value:
			args = append(args, w.as64(a, false))
		case ir.Region:
			args = append(args, w.region(a))
		case *ir.CString:
			args = append(args, w.cstring(a))
		case ir.Text:
			from, to := w.temp("t"), w.temp("t")
			w.emit(jen.Id(from).Op(":=").Len(dst()))
			w.text(a)
			w.emit(jen.Id(to).Op(":=").Len(dst()))
			args = append(args, dst().Index(jen.Id(from), jen.Id(to)))
			if start == "" {
				start = from
			}
			end = to
		case *ir.Table:
			args = append(args, jen.Id(table(w.out, a)))
		case ir.StrArg:
			args = append(args, jen.Lit(string(a)))
		}
		i++
	}
	w.put(expr.Render(t.Name), append([]jen.Code{env}, args...)...)
	if start != "" {
		w.set(expr.Gencode("Cut").Call(dst(), jen.Id(start), jen.Id(end)))
	}
}

// table returns the name of the variable that holds t. Equal tables share a variable. It is named
// after its contents, so that the name does not depend on the other events.
func table(out *page.Page, t *ir.Table) string {
	var key []byte
	for _, r := range t.Rows {
		key = appendRow(key, r)
	}
	return declareTable(out, "table"+name.Fingerprint(string(key), 6), t)
}

// declareTable declares a table at the end of the file.
func declareTable(out *page.Page, name string, t *ir.Table) string {
	return out.Last(name, func(out *page.Page, name string) {
		text := fmt.Appendf(nil, "var %s = %s.Table{", name, out.Import(expr.RenderPath))
		for _, r := range t.Rows {
			text = fillRow(text, fmt.Sprintf("{Value: %#x, Text: %q}", r.Value, r.Text))
		}
		out.Formatted(append(text, "\n}\n"...))
	})
}

// bytesVar returns the name of the variable that holds s as bytes.
func bytesVar(out *page.Page, s string) string {
	return out.Last("bytes"+name.Fingerprint(s, 6), func(out *page.Page, name string) {
		out.Var().Id(name).Op("=").Index().Byte().Parens(jen.Lit(s))
	})
}

func appendRow(key []byte, r ir.Row) []byte {
	for i := range 8 {
		key = append(key, byte(r.Value>>(8*i)))
	}
	for n := len(r.Text); ; n >>= 7 { // the length separates rows
		key = append(key, byte(n))
		if n == 0 {
			return append(key, r.Text...)
		}
	}
}

// flag writes a field of a composite literal that is true.
func flag(g *jen.Group, name string, on bool) {
	if on {
		g.Id(name).Op(":").True()
	}
}
