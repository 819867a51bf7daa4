package compiler

import (
	"math/bits"

	"github.com/tracec/tracec/compiler/ir"
)

// foldValue returns a value equal to v, of the same type.
func foldValue(v ir.Value) ir.Value {
	switch v := v.(type) {
	case *ir.Load:
		l := &ir.Load{T: v.T, From: foldRegion(v.From)}
		if v.At != nil {
			l.At = foldValue(v.At)
			if k, ok := l.At.(*ir.Const); ok && k.V == 0 {
				l.At = nil
			}
		}
		return l
	case *ir.Unary:
		x := foldValue(v.X)
		if k, ok := x.(*ir.Const); ok {
			return &ir.Const{T: v.Type(), V: ir.Eval1(v.Op, k.T, k.V)}
		}
		return &ir.Unary{Op: v.Op, X: x}
	case *ir.Binary:
		return foldBinary(v.Op, foldValue(v.X), foldValue(v.Y))
	case *ir.Cond:
		cond := foldValue(v.If)
		if k, ok := cond.(*ir.Const); ok {
			if k.V != 0 {
				return foldValue(v.Then)
			}
			return foldValue(v.Else)
		}
		return &ir.Cond{If: cond, Then: foldValue(v.Then), Else: foldValue(v.Else)}
	case *ir.Convert:
		return foldConvert(v.T, foldValue(v.X))
	case *ir.Len:
		of := foldRegion(v.Of)
		if s, ok := of.(*ir.Str); ok {
			return constant(ir.I32, uint64(len(s.S)))
		}
		return &ir.Len{Of: of}
	case *ir.ToNUL:
		of := foldRegion(v.Of)
		if s, ok := of.(*ir.Str); ok {
			return constant(ir.U64, uint64(len(cut(s.S))))
		}
		return &ir.ToNUL{Of: of}
	case *ir.Func:
		args := make([]ir.Value, len(v.Args))
		for i, a := range v.Args {
			args[i] = foldValue(a)
		}
		return &ir.Func{T: v.T, Name: v.Name, Args: args}
	case *ir.Bits:
		return foldBits(foldRegion(v.From), foldValue(v.At), foldValue(v.Count))
	case *ir.TextIs:
		return foldTextIs(foldText(v.T), v.S)
	}
	return v
}

func constant(t ir.Type, v uint64) ir.Value { return &ir.Const{T: t, V: t.Extend(v)} }

// foldBits turns a bit field within one byte, such as a flag of a template, into a load.
func foldBits(from ir.Region, at, count ir.Value) ir.Value {
	ka, ok1 := at.(*ir.Const)
	kc, ok2 := count.(*ir.Const)
	if ok2 && int64(kc.V) <= 0 {
		return constant(ir.U64, 0)
	}
	if !ok1 || !ok2 {
		return &ir.Bits{From: from, At: at, Count: count}
	}
	first := uint64(max(int64(ka.V), 0))
	free := 8 - first%8 // number of bits from the first to the end of its byte
	if kc.V > free {
		return &ir.Bits{From: from, At: at, Count: count}
	}
	b := ir.Value(&ir.Load{T: ir.U8, From: from, At: constant(ir.U64, first/8)})
	b = foldConvert(ir.U64, foldValue(b))
	b = foldBinary(ir.OpShr, b, constant(ir.U64, free-kc.V))
	if free == 8 {
		return b // the shift has cleared all other bits
	}
	return foldBinary(ir.OpAnd, b, constant(ir.U64, 1<<kc.V-1))
}

// foldTextIs compares the folded text t with s if t is constant.
func foldTextIs(t ir.Text, s string) ir.Value {
	constText := func(text string) ir.Value {
		if text == s {
			return constant(ir.I32, 1)
		}
		return constant(ir.I32, 0)
	}
	switch t := t.(type) {
	case *ir.CString:
		if str, ok := t.Of.(*ir.Str); ok {
			return constText(cut(str.S))
		}
	case *ir.Program:
		if len(t.Body) == 0 {
			return constText("")
		}
		if lit, ok := t.Body[0].(*ir.Lit); ok && len(t.Body) == 1 {
			return constText(lit.S)
		}
	}
	return &ir.TextIs{T: t, S: s}
}

// foldConvert casts the folded value x to t.
func foldConvert(t ir.Type, x ir.Value) ir.Value {
	from := x.Type()
	if from == t {
		return x
	}
	switch x := x.(type) {
	case *ir.Const:
		return constant(t, x.V)
	case *ir.Load:
		// A load of the same size can extend as the cast does.
		if from.Size == t.Size {
			return &ir.Load{T: t, From: x.From, At: x.At}
		}
	case *ir.Convert:
		// A result that is not wider than the inner cast has only bits that this cast kept or took
		// from the same extension of x.
		if t.Size <= from.Size {
			return foldConvert(t, x.X)
		}
	}
	return &ir.Convert{T: t, X: x}
}

func foldBinary(op ir.Op, x, y ir.Value) ir.Value {
	kx, xKnown := x.(*ir.Const)
	ky, yKnown := y.(*ir.Const)
	if xKnown && yKnown {
		out := ir.NewBinary(op, x, y)
		return &ir.Const{T: out.Type(), V: ir.Eval2(op, kx.T, kx.V, ky.V)}
	}
	switch {
	case op == ir.OpLogAnd || op == ir.OpLogOr:
		return foldLogic(op, x, y)
	case yKnown && isIdentity(op, ky):
		return x
	case xKnown && kx.V == 0 && (op == ir.OpAdd || op == ir.OpOr || op == ir.OpXor):
		return y
	case yKnown:
		if v := foldBounded(op, x, ky); v != nil {
			return v
		}
	}
	return ir.NewBinary(op, x, y)
}

// foldBounded simplifies x op k with an upper bound of x, for instance a limit that a count cannot
// reach, or a mask that keeps all bits. It returns nil if the bound does not help.
func foldBounded(op ir.Op, x ir.Value, k *ir.Const) ir.Value {
	most, ok := atMost(x)
	if !ok || k.T.Signed && int64(k.V) < 0 {
		return nil
	}
	switch {
	case op == ir.OpLt && most < k.V, op == ir.OpLe && most <= k.V:
		return constant(ir.I32, 1)
	case op == ir.OpGe && most < k.V, op == ir.OpGt && most <= k.V:
		return constant(ir.I32, 0)
	case op == ir.OpAnd && bits.Len64(most) <= bits.TrailingZeros64(^k.V):
		return x
	}
	return nil
}

// atMost returns an upper bound of x; x is then never negative. ok is false if the bound is not
// below the maximum of the type of x.
func atMost(x ir.Value) (most uint64, ok bool) {
	switch x := x.(type) {
	case *ir.Convert:
		from := x.X.Type()
		if most, ok = atMost(x.X); ok {
			return most, x.T.Extend(most) == most && int64(most) >= 0
		}
		return 1<<(8*from.Size) - 1, !from.Signed && from.Size < x.T.Size
	case *ir.Binary:
		if k, isConst := x.Y.(*ir.Const); isConst && x.Op == ir.OpAnd && (!k.T.Signed || int64(k.V) >= 0) {
			return k.V, true
		}
		return 1, x.Type() == ir.I32 && isTruth(x.Op)
	case *ir.Bits:
		k, isConst := x.Count.(*ir.Const)
		if isConst && k.V < 64 {
			return 1<<k.V - 1, true
		}
	}
	return 0, false
}

func isTruth(op ir.Op) bool {
	switch op {
	case ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpGt, ir.OpGe, ir.OpLogAnd, ir.OpLogOr:
		return true
	}
	return false
}

// isIdentity reports whether op with k on its right leaves every left operand as it is.
func isIdentity(op ir.Op, k *ir.Const) bool {
	switch op {
	case ir.OpAdd, ir.OpSub, ir.OpOr, ir.OpXor, ir.OpShl, ir.OpShr:
		return k.V == 0
	case ir.OpMul, ir.OpDiv:
		return k.V == 1
	case ir.OpAnd:
		return k.V == k.T.Extend(^uint64(0))
	}
	return false
}

// foldLogic handles && and || with one known side; the result stays 0 or 1.
func foldLogic(op ir.Op, x, y ir.Value) ir.Value {
	k, other := x, y
	if _, ok := k.(*ir.Const); !ok {
		k, other = y, x
	}
	known, ok := k.(*ir.Const)
	switch {
	case !ok:
		return ir.NewBinary(op, x, y)
	case op == ir.OpLogAnd && known.V == 0:
		return constant(ir.I32, 0)
	case op == ir.OpLogOr && known.V != 0:
		return constant(ir.I32, 1)
	}
	return &ir.Binary{Op: ir.OpNe, X: other, Y: constant(other.Type(), 0)}
}
