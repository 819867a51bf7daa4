package ftrace

import (
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
	"github.com/tracec/tracec/runtime/render"
)

// builtins are functions of compilers and of header macros that are left in a print fmt.
func builtins() map[string]builder {
	return map[string]builder{
		"__builtin_expect":             argumentItself,
		"__builtin_constant_p":         constantP,
		"__builtin_choose_expr":        chooseExpr,
		"__builtin_types_compatible_p": typesCompatible,
		"__builtin_bswap16":            function("Swab16", typeShortU),
		"__builtin_bswap32":            function("Swab32", typeUint),
		"__builtin_bswap64":            function("Swab64", typeU64),
		"__fswab16":                    function("Swab16", typeShortU),
		"__fswab32":                    function("Swab32", typeUint),
		"__fswab64":                    function("Swab64", typeU64),
		"__swab16":                     function("Swab16", typeShortU),
		"__swab32":                     function("Swab32", typeUint),
		"__swab64":                     function("Swab64", typeU64),
		"__builtin_ffs":                function("Ffs", typeInt),
		"__builtin_ffsl":               function("Ffs", typeInt),
		"__builtin_ffsll":              function("Ffs", typeInt),
		"ffs":                          function("Ffs", typeInt),
		"fls":                          function("Fls", typeInt),
		"fls64":                        function("Fls", typeInt),
		"__builtin_ctz":                function("Ctz", typeInt),
		"__builtin_ctzl":               function("Ctz", typeInt),
		"__builtin_ctzll":              function("Ctz", typeInt),
		"__ffs":                        function("Ctz", typeInt),
		"__builtin_clz":                function("Clz32", typeInt),
		"__builtin_clzll":              function("Clz64", typeInt),
		"__builtin_popcount":           function("Popcount", typeInt),
		"__builtin_popcountll":         function("Popcount", typeInt),
		"hweight32":                    function("Popcount", typeUint),
		"__order_base_2":               function("OrderBase2", typeInt),
		"__ilog2_u32":                  function("Ilog2", typeInt),
		"__ilog2_u64":                  function("Ilog2", typeInt),
		"__le16_to_cpup":               fromBytes(2, false),
		"__le32_to_cpup":               fromBytes(4, false),
		"__le64_to_cpup":               fromBytes(8, false),
		"__be16_to_cpup":               fromBytes(2, true),
		"__be32_to_cpup":               fromBytes(4, true),
		"__be64_to_cpup":               fromBytes(8, true),
		"native_make_pte":              argumentItself,
		"native_make_pmd":              argumentItself,
		"native_make_pud":              argumentItself,
		"native_make_pgd":              argumentItself,
		"native_pte_val":               argumentItself,
		"native_pmd_val":               argumentItself,
		"native_pud_val":               argumentItself,
		"native_pgd_val":               argumentItself,
		"pte_val":                      argumentItself,
		"pmd_val":                      argumentItself,
		"pud_val":                      argumentItself,
		"pgd_val":                      argumentItself,
		"__pte":                        argumentItself,
		"__pmd":                        argumentItself,
		"__pud":                        argumentItself,
		"__pgd":                        argumentItself,
		"ERR_PTR":                      errorPointer,
		"ktime_to_ns":                  nanoseconds,
		"ktime_to_us":                  divided(ir.OpDiv, 1000, typeS64, typeS64),
		"ktime_to_ms":                  divided(ir.OpDiv, 1000_000, typeS64, typeS64),
		"drm_rect_width":               extent("x1", "x2"),
		"drm_rect_height":              extent("y1", "y2"),
	}
}

var typeShortU = intType(2, false)

func argumentItself(l *lowerer, e *grammar.Call) (operand, bool) {
	if len(e.Args) == 0 {
		return operand{}, false
	}
	return l.expr(e.Args[0]), true
}

// errorPointer lowers ERR_PTR: an error number as a pointer, which %pe prints by name.
func errorPointer(l *lowerer, e *grammar.Call) (operand, bool) {
	v, ok := l.onlyInt(e)
	if !ok {
		return operand{}, false
	}
	word := int8(l.target.WordSize)
	return operand{t: pointerTo(typeVoid), v: l.toType(l.toType(v, ir.Type{Size: word, Signed: true}),
		ir.Type{Size: word})}, true
}

func constantP(l *lowerer, e *grammar.Call) (operand, bool) {
	if len(e.Args) != 1 {
		return operand{}, false
	}
	_, ok := l.quiet(e.Args[0]).constant()
	return l.konst(typeInt, b2u(ok)), true
}

func chooseExpr(l *lowerer, e *grammar.Call) (operand, bool) {
	if len(e.Args) != 3 {
		return operand{}, false
	}
	c, ok := l.expr(e.Args[0]).constant()
	switch {
	case !ok:
		return operand{}, false
	case c != 0:
		return l.expr(e.Args[1]), true
	}
	return l.expr(e.Args[2]), true
}

func typesCompatible(l *lowerer, e *grammar.Call) (operand, bool) {
	if len(e.Args) != 2 {
		return operand{}, false
	}
	a, b := l.typeOfExpr(e.Args[0]), l.typeOfExpr(e.Args[1])
	same := a.kind == b.kind && a.size == b.size && a.signed == b.signed && a.name == b.name
	return l.konst(typeInt, b2u(same)), true
}

// evaluate maps builtins to integer functions of runtime/render. With a constant argument, the
// compiler calls the function that would otherwise run later.
var evaluate = map[string]func(a, b uint64) uint64{
	"Swab16": render.Swab16, "Swab32": render.Swab32, "Swab64": render.Swab64,
	"Ffs": render.Ffs, "Fls": render.Fls, "Ctz": render.Ctz, "Clz32": render.Clz32, "Clz64": render.Clz64,
	"Popcount": render.Popcount, "OrderBase2": render.OrderBase2, "Ilog2": render.Ilog2,
}

// function lowers a call of an integer function of runtime/render. It evaluates a call with a
// constant.
func function(name string, result *ctype) builder {
	return func(l *lowerer, e *grammar.Call) (operand, bool) {
		v, ok := l.onlyInt(e)
		if !ok {
			return operand{}, false
		}
		if c, ok := v.(*ir.Const); ok {
			return l.konst(result, evaluate[name](c.V, 0)), true
		}
		return operand{t: result, v: &ir.Func{T: result.value(l.target), Name: name, Args: []ir.Value{v}}}, true
	}
}

// fromBytes reads an integer with a fixed byte order after a pointer.
func fromBytes(size int, big bool) builder {
	return func(l *lowerer, e *grammar.Call) (operand, bool) {
		if len(e.Args) != 1 {
			return operand{}, false
		}
		o := l.decay(l.expr(e.Args[0]))
		if o.region == nil || o.v != nil {
			return operand{}, false
		}
		t := intType(size, false)
		v := l.load(o, t)
		v.region, v.at = nil, nil
		if big == l.target.BigEndian {
			return v, true
		}
		name := map[int]string{2: "Swab16", 4: "Swab32", 8: "Swab64"}[size]
		return operand{t: t, v: &ir.Func{T: t.value(l.target), Name: name, Args: []ir.Value{v.v}}}, true
	}
}

// nanoseconds lowers ktime_to_ns. A ktime_t counts nanoseconds. Before 4.10 it is a union with a
// member tv64, and only 32-bit kernels keep the function in the text (the others have a macro). On
// these kernels, until 3.16, the high half counts seconds and the low half nanoseconds
// (include/linux/ktime.h, CONFIG_KTIME_SCALAR).
func nanoseconds(l *lowerer, e *grammar.Call) (operand, bool) {
	if len(e.Args) != 1 {
		return operand{}, false
	}
	o := l.expr(e.Args[0])
	if len(o.list) != 1 || o.names[0] != "tv64" {
		return o, true
	}
	if o = l.number(o.list[0]); o.v == nil {
		return operand{}, false
	}
	v := l.toType(o.v, ir.I64)
	s := l.binaryValue(ir.OpMul, l.binaryValue(ir.OpShr, v, &ir.Const{T: ir.I32, V: 32}), &ir.Const{T: ir.I64, V: 1e9})
	return l.ofValue(l.binaryValue(ir.OpAdd, s, l.toType(l.toType(v, ir.I32), ir.I64))), true
}

// extent returns the difference of two members of the struct after a pointer.
func extent(from, to string) builder {
	return func(l *lowerer, e *grammar.Call) (operand, bool) {
		if len(e.Args) != 1 {
			return operand{}, false
		}
		at := grammar.Node{Pos: e.Position()}
		end := l.number(l.member(&grammar.Member{Node: at, X: e.Args[0], Name: to, Arrow: true}))
		start := l.number(l.member(&grammar.Member{Node: at, X: e.Args[0], Name: from, Arrow: true}))
		if end.v == nil || start.v == nil {
			return operand{}, false
		}
		return l.apply(ir.OpSub, end, start), true
	}
}
