package ftrace

import (
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// The functions with which a statement expression writes into the current line
// (kernel/trace/trace_seq.c). trace_seq_buffer_ptr, called before them, returns the start of the
// text.

func seqBuffer(l *lowerer, _ *grammar.Call) (operand, bool) {
	if l.out == nil {
		return operand{}, false
	}
	return l.seqText(), true
}

// seqText returns the output of the statement expression, from its start.
func (l *lowerer) seqText() operand {
	if l.seq == nil {
		l.seq = &ir.Program{}
	}
	return textOperand(l.seq)
}

func isSeqBuffer(e grammar.Expr) bool {
	m, ok := e.(*grammar.Member)
	return ok && m.Name == "buffer" && isIdent(m.X, "p")
}

func seqPrintf(l *lowerer, e *grammar.Call) (operand, bool) {
	if l.out == nil || len(e.Args) < 2 {
		return operand{}, false
	}
	text, ok := l.expr(e.Args[1]).literal()
	if !ok {
		return operand{}, false
	}
	p := &format{l: l, args: e.Args[2:], seq: true}
	*l.out = append(*l.out, p.run(e.Position(), text)...)
	return l.konst(typeInt, 0), true
}

func seqPuts(l *lowerer, e *grammar.Call) (operand, bool) {
	if l.out == nil || len(e.Args) != 2 {
		return operand{}, false
	}
	t := l.asText(l.expr(e.Args[1]))
	*l.out = append(*l.out, &ir.PutText{T: t, Spec: plainText})
	return l.konst(typeInt, 0), true
}

func seqPutc(l *lowerer, e *grammar.Call) (operand, bool) {
	if l.out == nil || len(e.Args) != 2 {
		return operand{}, false
	}
	v, ok := l.intArg(e.Args[1])
	if !ok {
		return operand{}, false
	}
	if c, ok := v.(*ir.Const); !ok || c.V&0xff != 0 {
		*l.out = append(*l.out, &ir.PutInt{V: l.toType(v, ir.U8), Spec: ir.Spec{Verb: 'c', Prec: -1}})
	}
	return l.konst(typeInt, 0), true
}
