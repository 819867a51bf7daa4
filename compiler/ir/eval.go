package ir

// Eval1 applies the operator of a [Unary] to x, a value of type t. It returns the result as
// Type.Extend does.
func Eval1(op Op, t Type, x uint64) uint64 {
	switch op {
	case OpNeg:
		return t.Extend(-x)
	case OpCompl:
		return t.Extend(^x)
	case OpNot:
		return truth(x == 0)
	}
	return 0
}

// Eval2 evaluates a [Binary]: x op y, both of type t except for the count of a shift.
func Eval2(op Op, t Type, x, y uint64) uint64 {
	switch op {
	case OpAdd:
		return t.Extend(x + y)
	case OpSub:
		return t.Extend(x - y)
	case OpMul:
		return t.Extend(x * y)
	case OpDiv, OpRem:
		return divide(op, t, x, y)
	case OpAnd:
		return x & y
	case OpOr:
		return x | y
	case OpXor:
		return t.Extend(x ^ y)
	case OpShl:
		return t.Extend(x << (y & uint64(8*t.Size-1)))
	case OpShr:
		y &= uint64(8*t.Size - 1)
		if t.Signed {
			return uint64(int64(x) >> y)
		}
		return x >> y
	case OpLogAnd:
		return truth(x != 0 && y != 0)
	case OpLogOr:
		return truth(x != 0 || y != 0)
	}
	return compare(op, t, x, y)
}

// divide never traps. By zero it yields 0. The most negative number by -1 yields itself (remainder
// 0).
func divide(op Op, t Type, x, y uint64) uint64 {
	switch {
	case y == 0:
		return 0
	case t.Signed && int64(y) == -1:
		if op == OpRem {
			return 0
		}
		return t.Extend(-x)
	case t.Signed && op == OpDiv:
		return uint64(int64(x) / int64(y))
	case t.Signed:
		return uint64(int64(x) % int64(y))
	case op == OpDiv:
		return x / y
	}
	return x % y
}

func compare(op Op, t Type, x, y uint64) uint64 {
	less := x < y
	if t.Signed {
		less = int64(x) < int64(y)
	}
	switch op {
	case OpEq:
		return truth(x == y)
	case OpNe:
		return truth(x != y)
	case OpLt:
		return truth(less)
	case OpLe:
		return truth(less || x == y)
	case OpGt:
		return truth(!less && x != y)
	case OpGe:
		return truth(!less)
	}
	return 0
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
