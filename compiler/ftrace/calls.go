package ftrace

import (
	"slices"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// builder lowers a call; ok is false when the arguments are not what the function takes.
type builder func(l *lowerer, e *grammar.Call) (o operand, ok bool)

// builders are the functions a print fmt may call: the trace macros (include/trace/stages/stage3_trace_output.h),
// leftovers of compiler builtins and of inline functions.
var builders map[string]builder

func init() {
	builders = map[string]builder{
		"__get_str": dynamicString, "__get_rel_str": dynamicString,
		"__get_dynamic_array": dynamicArray, "__get_rel_dynamic_array": dynamicArray,
		"__get_dynamic_array_len": dynamicLength, "__get_rel_dynamic_array_len": dynamicLength,
		"__get_sockaddr": dynamicArray, "__get_rel_sockaddr": dynamicArray, "__get_sockaddr_rel": dynamicArray,
		"__get_bitmask": bitmask, "__get_rel_bitmask": bitmask,
		"__get_cpumask": bitmask, "__get_rel_cpumask": bitmask,
		"__get_stacktrace": stacktrace, "__get_rel_stacktrace": stacktrace,
		"__get_buf": func(*lowerer, *grammar.Call) (operand, bool) { return literalOperand(""), true },

		"__print_symbolic": symbolic, "__print_symbolic_u64": symbolic,
		"__print_flags": flags, "__print_flags_u64": flags,
		"__print_hex": hex("Hex"), "__print_hex_str": hex("HexStr"),
		"__print_array": array, "__print_dynamic_array": dynamicPrint,
		"__print_hex_dump":            hexDump,
		"__print_ns_to_secs":          divided(ir.OpDiv, 1_000_000_000, typeU64),
		"__print_ns_without_secs":     divided(ir.OpRem, 1_000_000_000, typeUint),
		"trace_print_symbols_seq":     tableCall("Symbolic", 0),
		"trace_print_flags_seq":       tableCall("Flags", 0),
		"ftrace_print_symbols_seq":    tableCall("Symbolic", 0),
		"ftrace_print_flags_seq":      tableCall("Flags", 0),
		"trace_print_hex_seq":         seqHex,
		"ftrace_print_hex_seq":        seqHex,
		"trace_print_symbols_seq_u64": tableCall("Symbolic", 8),
		"trace_print_flags_seq_u64":   tableCall("Flags", 8),
		"trace_seq_printf":            seqPrintf,
		"trace_seq_puts":              seqPuts,
		"trace_seq_putc":              seqPutc,
		"trace_seq_buffer_ptr":        seqBuffer,
	}
	for name, b := range builtins {
		builders[name] = b
	}
	for name, b := range kernelFuncs {
		builders[name] = b
	}
}

func (l *lowerer) call(e *grammar.Call) operand {
	id, ok := e.Fun.(*grammar.Ident)
	if !ok {
		return l.cannot(e, "a function in kernel memory")
	}
	if b := builders[id.Name]; b != nil {
		if o, ok := b(l, e); ok {
			return o
		}
		if !slices.ContainsFunc(e.Args, func(a grammar.Expr) bool { return l.quiet(a).isUnknown() }) {
			l.note(e.Position(), "arguments", "%s: arguments that %s does not take", grammar.Format(e), id.Name)
		}
	} else {
		l.note(e.Position(), "unknown-function", "%s is a function that only the kernel has", id.Name)
	}
	return l.unknownCall(id.Name, e.Args)
}

// unknownCall shows a call with its arguments evaluated: name(1, 2).
func (l *lowerer) unknownCall(name string, args []grammar.Expr) operand {
	stmts := []ir.Stmt{&ir.Lit{S: name + "("}}
	first := true
	for _, a := range args {
		if id, ok := a.(*grammar.Ident); ok && id.Name == "p" && l.vars["p"] == nil {
			continue // the trace_seq that the kernel's helper prints into
		}
		if c, ok := a.(*grammar.Call); ok && isIdent(c.Fun, "__get_buf") {
			continue // a scratch buffer
		}
		if !first {
			stmts = append(stmts, &ir.Lit{S: ", "})
		}
		first = false
		stmts = append(stmts, l.show(l.argument(a))...)
	}
	return operand{t: charPointer(), unknown: append(stmts, &ir.Lit{S: ")"})}
}

// argument lowers an argument of an unknown function; bare names are often fields.
func (l *lowerer) argument(a grammar.Expr) operand {
	if id, ok := a.(*grammar.Ident); ok && l.vars[id.Name] == nil {
		if f, ok := l.fieldNamed(id.Name); ok {
			return l.lvalue(operand{region: &ir.FieldBytes{Field: f.ir}}, f.t)
		}
	}
	return l.expr(a)
}

func isIdent(e grammar.Expr, name string) bool {
	id, ok := e.(*grammar.Ident)
	return ok && id.Name == name
}

// fieldArg is the field that the first argument of __get_str and its kin names.
func (l *lowerer) fieldArg(e *grammar.Call) (*ir.Field, bool) {
	if len(e.Args) != 1 {
		return nil, false
	}
	name := ""
	switch a := e.Args[0].(type) {
	case *grammar.Ident:
		name = a.Name
	case *grammar.Member:
		name = a.Name
	case *grammar.Index: // an array of strings of a probe: arg1[0]
		name = grammar.Format(a)
		name = strings.TrimPrefix(name, "REC->")
	}
	f, ok := l.dynamics[name]
	if !ok {
		f, ok = l.fields[name]
	}
	return f.ir, ok
}

func dynamicString(l *lowerer, e *grammar.Call) (operand, bool) {
	f, ok := l.fieldArg(e)
	if !ok {
		return operand{}, false
	}
	return operand{t: charPointer(), region: &ir.FieldBytes{Field: f}}, true
}

func dynamicArray(l *lowerer, e *grammar.Call) (operand, bool) {
	f, ok := l.fieldArg(e)
	if !ok {
		return operand{}, false
	}
	return operand{t: pointerTo(typeVoid), region: &ir.FieldBytes{Field: f}}, true
}

func dynamicLength(l *lowerer, e *grammar.Call) (operand, bool) {
	f, ok := l.fieldArg(e)
	if !ok {
		return operand{}, false
	}
	return l.ofValue(&ir.Len{Of: &ir.FieldBytes{Field: f}}), true
}

func bitmask(l *lowerer, e *grammar.Call) (operand, bool) { return regionCall(l, e, "Bitmask") }

func stacktrace(l *lowerer, e *grammar.Call) (operand, bool) { return regionCall(l, e, "StackTrace") }

func regionCall(l *lowerer, e *grammar.Call, name string) (operand, bool) {
	f, ok := l.fieldArg(e)
	if !ok {
		return operand{}, false
	}
	return textOperand(&ir.Call{Name: name, Args: []ir.Arg{&ir.FieldBytes{Field: f}}}), true
}

// word is e as an unsigned long: the type of the value and of the table of __print_symbolic.
func (l *lowerer) word(o operand, size int) (ir.Value, bool) {
	if o = l.number(o); o.v == nil {
		return nil, false
	}
	return l.toType(o.v, ir.Type{Size: int8(size)}), true
}

func tableSize(l *lowerer, e *grammar.Call) int {
	if id, ok := e.Fun.(*grammar.Ident); ok && strings.HasSuffix(id.Name, "_u64") {
		return 8
	}
	return l.target.WordSize
}

func symbolic(l *lowerer, e *grammar.Call) (operand, bool) {
	if len(e.Args) == 0 {
		return operand{}, false
	}
	size := tableSize(l, e)
	o := l.expr(e.Args[0])
	v, ok := l.word(o, size)
	if !ok {
		return l.number(o), true // without a value to look up, what it is called
	}
	t := l.table(e.Args[1:], size)
	return textOperand(&ir.Call{Name: "Symbolic", Args: []ir.Arg{v, t}}), true
}

func flags(l *lowerer, e *grammar.Call) (operand, bool) {
	if len(e.Args) < 2 {
		return operand{}, false
	}
	size := tableSize(l, e)
	o := l.expr(e.Args[0])
	v, ok := l.word(o, size)
	delim, lit := l.expr(e.Args[1]).literal()
	switch {
	case !ok:
		return l.number(o), true
	case !lit:
		return operand{}, false
	}
	t := l.table(e.Args[2:], size)
	return textOperand(&ir.Call{Name: "Flags", Args: []ir.Arg{v, ir.StrArg(delim), t}}), true
}

// table lowers rows written as { value, "text" }; rows nested in one more pair of braces too. A row without
// text ends the table, as in the kernel; one whose value nobody knows is left out.
func (l *lowerer) table(rows []grammar.Expr, size int) *ir.Table {
	t := &ir.Table{}
	for _, r := range rows {
		o := l.expr(r)
		if !l.addRow(t, o, r, size) {
			break
		}
	}
	return t
}

func (l *lowerer) addRow(t *ir.Table, o operand, at grammar.Expr, size int) bool {
	if o.list == nil || len(o.list) == 0 {
		return true
	}
	if o.list[0].list != nil {
		for _, row := range o.list {
			if !l.addRow(t, row, at, size) {
				return false
			}
		}
		return true
	}
	if len(o.list) < 2 {
		return true
	}
	text, ok := o.list[1].literal()
	if !ok {
		return false
	}
	v, ok := l.word(o.list[0], size)
	if !ok {
		return true
	}
	if c, ok := v.(*ir.Const); ok {
		t.Rows = append(t.Rows, ir.Row{Value: c.V, Text: text})
		return true
	}
	l.note(at.Position(), "table", "the row %q has no constant value", text)
	return true
}

// tableCall lowers the functions behind the macros, as they stand in a statement expression:
// (p, value, table) and (p, delimiter, value, table).
func tableCall(name string, size int) builder {
	return func(l *lowerer, e *grammar.Call) (operand, bool) {
		size := size
		if size == 0 {
			size = l.target.WordSize
		}
		args, delim := e.Args, ""
		if name == "Flags" && len(args) > 1 {
			d, ok := l.expr(args[1]).literal()
			if !ok {
				return operand{}, false
			}
			args, delim = args[1:], d
		}
		if len(args) < 3 { // newer kernels add the number of rows
			return operand{}, false
		}
		v, ok := l.word(l.expr(args[1]), size)
		if !ok {
			return operand{}, false
		}
		t := &ir.Table{}
		l.addRow(t, l.expr(args[2]), e, size)
		if name == "Flags" {
			return textOperand(&ir.Call{Name: name, Args: []ir.Arg{v, ir.StrArg(delim), t}}), true
		}
		return textOperand(&ir.Call{Name: name, Args: []ir.Arg{v, t}}), true
	}
}

// regionArg is e as bytes of the record.
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

// seqHex is (p, buf, len[, concatenate]).
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

// hexDump is (prefix, prefix type, row size, group size, buffer, length, ascii).
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

func divided(op ir.Op, by uint64, result *ctype) builder {
	return func(l *lowerer, e *grammar.Call) (operand, bool) {
		if len(e.Args) != 1 {
			return operand{}, false
		}
		v, ok := l.intArg(e.Args[0])
		if !ok {
			return operand{}, false
		}
		q := l.binaryValue(op, l.toType(v, ir.U64), &ir.Const{T: ir.U64, V: by})
		return l.convert(l.ofValue(q), result), true
	}
}
