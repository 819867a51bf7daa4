package ftrace

import (
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// word returns o as an unsigned long, the type of the value and of the table of __print_symbolic.
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
		return l.number(o), true // the value cannot be looked up: show its number
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

// table lowers rows written as { value, "text" }. Rows may be nested in one more pair of braces. A
// row without text ends the table, as in the kernel. A row with an unknown value is dropped.
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
	if len(o.list) == 0 {
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

// tableCall lowers the functions that the macros call in a statement expression: (p, value, table)
// and (p, delimiter, value, table).
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
		rows := l.expr(args[2])
		if rows.isUnknown() { // the table of a module
			return operand{}, false
		}
		l.addRow(t, rows, e, size)
		if name == "Flags" {
			return textOperand(&ir.Call{Name: name, Args: []ir.Arg{v, ir.StrArg(delim), t}}), true
		}
		return textOperand(&ir.Call{Name: name, Args: []ir.Arg{v, t}}), true
	}
}
