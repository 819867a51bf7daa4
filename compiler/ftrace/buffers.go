package ftrace

import (
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// regionArg returns e as bytes of the record.
func (l *lowerer) regionArg(e grammar.Expr) (ir.Region, bool) {
	o := l.decay(l.argument(e))
	if o.region == nil {
		return nil, false
	}
	return o.bytes(), true
}

func (l *lowerer) intArg(e grammar.Expr) (ir.Value, bool) {
	o := l.number(l.expr(e))
	return o.v, o.v != nil
}

// onlyInt returns the integer argument of a call with one argument.
func (l *lowerer) onlyInt(e *grammar.Call) (ir.Value, bool) {
	if len(e.Args) != 1 {
		return nil, false
	}
	return l.intArg(e.Args[0])
}

func hex(name string) builder {
	return func(l *lowerer, e *grammar.Call) (operand, bool) {
		if len(e.Args) < 2 {
			return operand{}, false
		}
		return l.hexCall(name, e.Args[0], e.Args[1])
	}
}

func (l *lowerer) hexCall(name string, buf, length grammar.Expr) (operand, bool) {
	r, ok := l.regionArg(buf)
	n, okn := l.intArg(length)
	if !ok || !okn {
		return operand{}, false
	}
	l.opaque(r)
	return textOperand(&ir.Call{Name: name, Args: []ir.Arg{r, n}}), true
}

// seqHex lowers a call with the arguments (p, buf, len[, concatenate]).
func seqHex(l *lowerer, e *grammar.Call) (operand, bool) {
	if len(e.Args) < 3 {
		return operand{}, false
	}
	name := "Hex"
	if len(e.Args) > 3 {
		if c, ok := l.expr(e.Args[3]).constant(); ok && c != 0 {
			name = "HexStr"
		}
	}
	return l.hexCall(name, e.Args[1], e.Args[2])
}

func array(l *lowerer, e *grammar.Call) (operand, bool) {
	if len(e.Args) != 3 {
		return operand{}, false
	}
	r, ok := l.regionArg(e.Args[0])
	n, okn := l.intArg(e.Args[1])
	size, oks := l.intArg(e.Args[2])
	if !ok || !okn || !oks {
		return operand{}, false
	}
	return l.arrayCall(r, n, size), true
}

func (l *lowerer) arrayCall(r ir.Region, n, size ir.Value) operand {
	if f, ok := r.(*ir.FieldBytes); ok {
		if c, ok := size.(*ir.Const); ok {
			l.accessed(f.Field, int(c.V))
		} else {
			l.accessed(f.Field, 1)
		}
	} else {
		l.opaque(r)
	}
	return textOperand(&ir.Call{Name: "Array", Args: []ir.Arg{r, n, size}})
}

func dynamicPrint(l *lowerer, e *grammar.Call) (operand, bool) {
	if len(e.Args) != 2 {
		return operand{}, false
	}
	f, ok := l.fieldArg(&grammar.Call{Args: e.Args[:1]})
	size, oks := l.intArg(e.Args[1])
	if !ok || !oks {
		return operand{}, false
	}
	r := &ir.FieldBytes{Field: f}
	n := l.binaryValue(ir.OpDiv, l.toType(&ir.Len{Of: r}, ir.I64), l.toType(size, ir.I64))
	return l.arrayCall(r, n, size), true
}

// hexDump lowers a call with the arguments (prefix, prefix type, row size, group size, buffer,
// length, ascii).
func hexDump(l *lowerer, e *grammar.Call) (operand, bool) {
	if len(e.Args) != 7 {
		return operand{}, false
	}
	prefix, ok := l.expr(e.Args[0]).literal()
	r, okr := l.regionArg(e.Args[4])
	if !ok || !okr {
		return operand{}, false
	}
	l.opaque(r)
	args := []ir.Arg{ir.StrArg(prefix)}
	for _, i := range []int{1, 2, 3, 4, 5, 6} {
		if i == 4 {
			args = append(args, r)
			continue
		}
		v, ok := l.intArg(e.Args[i])
		if !ok {
			return operand{}, false
		}
		args = append(args, v)
	}
	return textOperand(&ir.Call{Name: "HexDump", Args: args}), true
}
