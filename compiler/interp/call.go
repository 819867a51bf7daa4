package interp

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// operands are the compiled arguments of a call, by kind, in their order. The parameter letters
// define how the kinds interleave.
type operands struct {
	params string
	v      []valueFn
	r      []regionFn
	s      []string
	t      []*render.Table
}

// call compiles a call of a render function. There is one adapter for each signature, so that
// nothing is looked up or converted at run time.
func (c *builder) call(call *ir.Call) textFn {
	before := c.texts
	a := c.operands(call)
	c.texts = before // after the call its scratch texts are free again
	fn := c.adapt(textFuncs[call.Name], &a)
	switch {
	case fn == nil:
		c.fail("no adapter for render.%s with parameters %q", call.Name, a.params)
	case call.Name == "Symbolic":
		return symbolic(fn, a.v[0], *a.t[0])
	case call.Name == "BtLabels":
		return labels(fn, a.v[0], a.s[0], *a.t[0])
	}
	return fn
}

// adapt finds the adapter for fn's signature.
func (c *builder) adapt(fn any, a *operands) textFn {
	if f := numbers(fn, a); f != nil {
		return f
	}
	if f := fewArguments(fn, a, c.big); f != nil {
		return f
	}
	if f := hooked(fn, a); f != nil {
		return f
	}
	return manyArguments(fn, a, c.big)
}

func (c *builder) operands(call *ir.Call) operands {
	a := operands{params: ir.TextFuncs[call.Name].Params}
	for _, arg := range call.Args {
		switch arg := arg.(type) {
		case ir.Value:
			a.v = append(a.v, c.value(arg))
		case ir.Region:
			a.r = append(a.r, c.region(arg))
		case ir.Text:
			a.r = append(a.r, c.rendered(arg))
		case ir.StrArg:
			a.s = append(a.s, string(arg))
		case *ir.Table:
			t := c.table(arg)
			a.t = append(a.t, &t)
		default:
			c.fail("%s: argument %T", call.Name, arg)
		}
	}
	return a
}

// rendered compiles a text that a function takes as bytes. It has its own scratch buffer, because
// the texts of the other arguments and of the enclosing calls are alive at the same time.
func (c *builder) rendered(t ir.Text) regionFn {
	if s, ok := t.(*ir.CString); ok {
		return c.cstring(s.Of)
	}
	i := c.texts
	c.texts++
	c.maxTexts = max(c.maxTexts, c.texts)
	fn := c.text(t)
	return func(m *Machine) []byte {
		b := fn(m, m.texts[i][:0])
		m.texts[i] = b
		return b
	}
}

// table converts t once for all its uses.
func (c *builder) table(t *ir.Table) render.Table {
	out, ok := c.tables[t]
	if !ok {
		out = make(render.Table, len(t.Rows))
		for i, r := range t.Rows {
			out[i] = render.Sym{Value: r.Value, Text: r.Text}
		}
		c.tables[t] = out
	}
	return out
}

// smallTable bounds the values that symbolic looks up by index.
const smallTable = 256

// symbolic is Symbolic over the rows of t with an index for small values, such as states, reasons
// and vectors. fn is the call itself, for all other values.
func symbolic(fn textFn, v valueFn, t render.Table) textFn {
	var names []string
	for _, r := range t {
		if r.Value >= smallTable {
			continue
		}
		for uint64(len(names)) <= r.Value {
			names = append(names, "")
		}
		if names[r.Value] == "" && first(t, r.Value) == r.Text {
			names[r.Value] = r.Text
		}
	}
	if len(names) == 0 {
		return fn
	}
	return func(m *Machine, dst []byte) []byte {
		if i := v(m); i < uint64(len(names)) && names[i] != "" {
			return append(dst, names[i]...)
		}
		return fn(m, dst)
	}
}

// maxLabels limits the approximate size in bytes of the texts that labels stores.
const maxLabels = 1 << 14

// labels is BtLabels with stored texts for small values. fn is the call itself, for all other
// values.
func labels(fn textFn, v valueFn, form string, t render.Table) textFn {
	var texts []string
	for size := 0; len(texts) < smallTable && len(t) <= smallTable && size < maxLabels; {
		text := string(render.BtLabels(nil, nil, uint64(len(texts)), form, t))
		texts, size = append(texts, text), size+len(text)
	}
	return func(m *Machine, dst []byte) []byte {
		if i := v(m); i < uint64(len(texts)) {
			return append(dst, texts[i]...)
		}
		return fn(m, dst)
	}
}

// first returns the text of the first row with value v.
func first(t render.Table, v uint64) string {
	for _, r := range t {
		if r.Value == v {
			return r.Text
		}
	}
	return ""
}
