package ftrace

import (
	"slices"
	"strings"
	"sync"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// A builder lowers a call. ok is false if the arguments do not suit the function.
type builder func(l *lowerer, e *grammar.Call) (o operand, ok bool)

// builders are the functions that a print fmt may call: the trace macros
// (include/trace/stages/stage3_trace_output.h), and leftovers of compiler builtins and inline
// functions. The map is built when the first print fmt is compiled.
var builders struct {
	once   sync.Once
	byName map[string]builder
}

// builderOf returns the builder of a function, or nil.
func builderOf(name string) builder {
	builders.once.Do(listBuilders)
	return builders.byName[name]
}

func listBuilders() {
	all := map[string]builder{
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
		"__print_ns_to_secs":          divided(ir.OpDiv, 1_000_000_000, typeU64, typeU64),
		"__print_ns_without_secs":     divided(ir.OpRem, 1_000_000_000, typeU64, typeUint),
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
	for name, b := range builtins() {
		all[name] = b
	}
	for name, b := range kernelFuncs() {
		all[name] = b
	}
	builders.byName = all
}

func (l *lowerer) call(e *grammar.Call) operand {
	id, ok := e.Fun.(*grammar.Ident)
	if !ok {
		return l.cannot(e, "a function in kernel memory")
	}
	if b := builderOf(id.Name); b != nil {
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
			continue // the trace_seq into which the kernel's helper prints
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

// fieldArg returns the field named by the first argument of __get_str and similar macros.
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

// stacktrace lowers the stack of a synthetic event: a heading and a line for each caller
// (print_synth_event).
func stacktrace(l *lowerer, e *grammar.Call) (operand, bool) {
	o, ok := regionCall(l, e, "StackTrace")
	if ok {
		o.text = &ir.Program{Body: []ir.Stmt{&ir.Lit{S: "STACK:\n"}, &ir.PutText{T: o.text, Spec: plainText}}}
	}
	return o, ok
}

func regionCall(l *lowerer, e *grammar.Call, name string) (operand, bool) {
	f, ok := l.fieldArg(e)
	if !ok {
		return operand{}, false
	}
	return textOperand(&ir.Call{Name: name, Args: []ir.Arg{&ir.FieldBytes{Field: f}}}), true
}

// divided returns a function for the quotient, or the remainder, of its argument, taken as an in,
// and a constant.
func divided(op ir.Op, by uint64, in, result *ctype) builder {
	return func(l *lowerer, e *grammar.Call) (operand, bool) {
		v, ok := l.onlyInt(e)
		if !ok {
			return operand{}, false
		}
		t := in.value(l.target)
		q := l.binaryValue(op, l.toType(v, t), &ir.Const{T: t, V: by})
		return l.convert(l.ofValue(q), result), true
	}
}
