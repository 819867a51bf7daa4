package gen

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/expr"
)

// typeCode is the Go type of t.
func typeCode(t ir.Type) *jen.Statement {
	return jen.Id(expr.TypeName(t))
}

// bare returns a constant of type t, for places where Go infers this type.
func bare(t ir.Type, v uint64) *jen.Statement {
	if t.Signed {
		if n := int64(v); n < 0 {
			return jen.Id(strconv.FormatInt(n, 10))
		}
		return jen.Id(strconv.FormatInt(int64(v), 10))
	}
	if v > 0xffff {
		return expr.Hex(v)
	}
	return jen.Id(strconv.FormatUint(v, 10))
}

// constant is the known value of an expression.
type constant struct {
	v  uint64
	ok bool
}

// constant evaluates v if it does not depend on the record. Go evaluates constant expressions
// exactly and reports errors (overflow, division by zero). So generated code must not contain such
// expressions.
func (w *writer) constant(v ir.Value) (uint64, bool) {
	if c, ok := v.(*ir.Const); ok {
		return c.V, true
	}
	if c, known := w.consts[v]; known {
		return c.v, c.ok
	}
	var c constant
	switch v := v.(type) {
	case *ir.Unary:
		if x, ok := w.constant(v.X); ok {
			c = constant{ir.Eval1(v.Op, v.X.Type(), x), true}
		}
	case *ir.Binary:
		x, ok1 := w.constant(v.X)
		y, ok2 := w.constant(v.Y)
		if ok1 && ok2 {
			c = constant{ir.Eval2(v.Op, v.X.Type(), x, y), true}
		}
	case *ir.Cond:
		if cond, ok := w.constant(v.If); ok {
			arm := v.Else
			if cond != 0 {
				arm = v.Then
			}
			c.v, c.ok = w.constant(arm)
		}
	case *ir.Convert:
		if x, ok := w.constant(v.X); ok {
			c = constant{v.T.Extend(x), true}
		}
	}
	w.consts[v] = c
	return c.v, c.ok
}

// value returns the code of v in its own Go type. A constant is written with its type.
func (w *writer) value(v ir.Value) *jen.Statement {
	if c, ok := w.constant(v); ok {
		return typeCode(v.Type()).Call(bare(v.Type(), c))
	}
	return w.dynamic(v)
}

// operand returns the code of v, for places where the other operand determines the type of a
// constant.
func (w *writer) operand(v ir.Value) *jen.Statement {
	if c, ok := w.constant(v); ok {
		return bare(v.Type(), c)
	}
	return w.dynamic(v)
}

// as64 returns the code of v as uint64 or int64, extended by its own type.
func (w *writer) as64(v ir.Value, signed bool) jen.Code {
	to := ir.Type{Size: 8, Signed: signed}
	if c, ok := w.constant(v); ok {
		return bare(to, c)
	}
	if v.Type() == to {
		return w.dynamic(v)
	}
	return typeCode(to).Call(w.dynamic(v))
}

// dynamic returns the code of a value that depends on the record.
func (w *writer) dynamic(v ir.Value) *jen.Statement {
	switch v := v.(type) {
	case *ir.Load:
		return w.load(v)
	case *ir.Local:
		s := w.slot(v.Slot, v.T)
		s.read = true
		return jen.Id(s.name)
	case *ir.Unary:
		switch v.Op {
		case ir.OpNeg:
			return jen.Op("-").Add(w.tight(v.X))
		case ir.OpCompl:
			return jen.Op("^").Add(w.tight(v.X))
		}
		return expr.Gencode("Truth").Call(w.cond(v))
	case *ir.Binary:
		return w.binary(v)
	case *ir.Cond:
		if c, ok := w.constant(v.If); ok {
			if c != 0 {
				return w.value(v.Then)
			}
			return w.value(v.Else)
		}
		then, ok1 := w.constant(v.Then)
		els, ok2 := w.constant(v.Else)
		if ok1 && ok2 && then == 1 && els == 0 && v.Type() == ir.I32 {
			return expr.Gencode("Truth").Call(w.cond(v.If))
		}
		return expr.Gencode("Pick").Call(w.cond(v.If), w.value(v.Then), w.value(v.Else))
	case *ir.Convert:
		if v.X.Type() == v.T {
			return w.dynamic(v.X)
		}
		return typeCode(v.T).Call(w.dynamic(v.X))
	case *ir.Len:
		return jen.Int32().Call(jen.Len(w.region(v.Of)))
	case *ir.ToNUL:
		return expr.Render("ToNUL").Call(w.region(v.Of))
	case *ir.Func:
		args := []jen.Code{jen.Lit(0), jen.Lit(0)}
		for i, a := range v.Args {
			args[i] = w.as64(a, false)
		}
		call := expr.Render(v.Name).Call(args...)
		return w.as(v.T, call)
	case *ir.Fact:
		return w.as(v.T, jen.Id("env").Dot("Fact").Call(fact(v.ID)))
	case *ir.Bits:
		return expr.Render("Bits").Call(w.region(v.From), w.as64(v.At, true), w.as64(v.Count, true))
	case *ir.TextIs:
		return expr.Gencode("Truth").Call(w.textIs(v))
	}
	return w.varying(v)
}

// as converts code, a uint64, to t.
func (w *writer) as(t ir.Type, code *jen.Statement) *jen.Statement {
	if t == ir.U64 {
		return code
	}
	return typeCode(t).Call(code)
}

// tight returns operand, in parentheses if it needs them next to an operator.
func (w *writer) tight(v ir.Value) *jen.Statement {
	if _, ok := w.constant(v); !ok && w.loose(v) {
		return jen.Parens(w.dynamic(v))
	}
	return w.operand(v)
}

// loose reports whether dynamic writes v with an operator outside of all parentheses.
func (w *writer) loose(v ir.Value) bool {
	switch v := v.(type) {
	case *ir.Unary:
		return v.Op != ir.OpNot
	case *ir.Binary:
		switch v.Op {
		case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpAnd, ir.OpOr, ir.OpXor, ir.OpShl, ir.OpShr:
			return true
		case ir.OpDiv, ir.OpRem:
			c, ok := w.constant(v.Y)
			return ok && c != 0
		}
	case *ir.Convert:
		return v.X.Type() == v.T && w.loose(v.X)
	case *ir.Cond:
		if c, ok := w.constant(v.If); ok {
			if c != 0 {
				return w.loose(v.Then)
			}
			return w.loose(v.Else)
		}
	}
	return false
}

// binary writes an operator. Operators that Go spells differently have a function in bind.
func (w *writer) binary(v *ir.Binary) *jen.Statement {
	switch v.Op {
	case ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpGt, ir.OpGe, ir.OpLogAnd, ir.OpLogOr:
		return expr.Gencode("Truth").Call(w.cond(v))
	case ir.OpShl, ir.OpShr:
		x := w.tight(v.X)
		if _, ok := w.constant(v.X); ok {
			x = w.value(v.X) // the operand has no type otherwise
		}
		return x.Op(string(v.Op)).Add(w.count(v))
	case ir.OpDiv, ir.OpRem:
		if c, ok := w.constant(v.Y); !ok || c == 0 {
			name := "Div"
			if v.Op == ir.OpRem {
				name = "Rem"
			}
			return expr.Gencode(name).Call(w.value(v.X), w.value(v.Y))
		}
	}
	return w.tight(v.X).Op(string(v.Op)).Add(w.tight(v.Y))
}

// count returns the code of a shift count, modulo the width of the shifted value.
func (w *writer) count(v *ir.Binary) *jen.Statement {
	mask := uint64(8*v.X.Type().Size - 1)
	if c, ok := w.constant(v.Y); ok {
		return bare(ir.U64, c&mask)
	}
	return jen.Parens(w.tight(v.Y).Op("&").Add(bare(ir.U64, mask)))
}

// cond returns v != 0 as a Go condition.
func (w *writer) cond(v ir.Value) *jen.Statement {
	if c, ok := w.constant(v); ok {
		return jen.Lit(c != 0)
	}
	switch v := v.(type) {
	case *ir.Unary:
		if v.Op == ir.OpNot {
			return w.not(v.X)
		}
	case *ir.Binary:
		switch v.Op {
		case ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpGt, ir.OpGe:
			if f, n, ok := ir.MakesSure(v); ok && w.event.stream && f.Offset == 0 {
				return jen.Len(jen.Id("data")).Op(">=").Lit(int(n))
			}
			if a, ok := makesSure(v); ok {
				return jen.Len(jen.Id("data")).Op(">=").Add(w.amountCode(a))
			}
			return w.tight(v.X).Op(string(v.Op)).Add(w.tight(v.Y))
		case ir.OpLogAnd, ir.OpLogOr:
			return w.tightCond(v.X).Op(string(v.Op)).Add(w.tightCond(v.Y))
		}
	case *ir.TextIs:
		return w.textIs(v)
	case *ir.Convert:
		if v.T.Size >= v.X.Type().Size { // keeps every bit
			return w.cond(v.X)
		}
	}
	return w.tight(v).Op("!=").Lit(0)
}

// not returns v == 0 as a Go condition.
func (w *writer) not(v ir.Value) *jen.Statement {
	if c, ok := w.constant(v); ok {
		return jen.Lit(c == 0)
	}
	if twice, ok := v.(*ir.Unary); ok && twice.Op == ir.OpNot {
		return w.cond(twice.X)
	}
	return jen.Op("!").Parens(w.cond(v))
}

// tightCond returns cond, in parentheses if it needs them next to && or ||.
func (w *writer) tightCond(v ir.Value) *jen.Statement {
	if _, ok := w.constant(v); ok {
		return w.cond(v)
	}
	if u, ok := v.(*ir.Unary); ok && u.Op == ir.OpNot {
		return w.cond(v)
	}
	return jen.Parens(w.cond(v))
}
