package gen

import (
	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// What only descriptions need that read their event from front to back (ir/stream.go).

// facts names the constants of render; a test compares the numbers.
var facts = map[ir.FactID]string{
	ir.FactPID: "FactPID", ir.FactTID: "FactTID", ir.FactCPUID: "FactCPUID", ir.FactPriority: "FactPriority",
	ir.FactSVC: "FactSVC", ir.FactExecPath: "FactExecPath", ir.FactTotalCPUs: "FactTotalCPUs",
	ir.FactTracedCPUs: "FactTracedCPUs", ir.FactReportedCPUs: "FactReportedCPUs", ir.FactLargeData: "FactLargeData",
	ir.FactBuffering: "FactBuffering", ir.FactIPAddress: "FactIPAddress", ir.FactLogIndex: "FactLogIndex",
	ir.FactLogIndex0: "FactLogIndex0", ir.FactLogFile: "FactLogFile", ir.FactTraceID: "FactTraceID",
	ir.FactTraceEnv: "FactTraceEnv", ir.FactLine: "FactLine", ir.FactRelativeLine: "FactRelativeLine",
}

func fact(id ir.FactID) *jen.Statement { return renderFn(facts[id]) }

var exits = map[ir.ExitReason]string{
	ir.Break: "ExitBreak", ir.Skip: "ExitSkip", ir.Stop: "ExitStop", ir.Error: "ExitError", ir.Short: "ExitShort",
}

// leave is the statements that end the program: what was appended stays.
func leave(reason ir.ExitReason, at jen.Code) []jen.Code {
	return []jen.Code{
		jen.Id("env").Dot("Exit").Call(renderFn(exits[reason]), at),
		jen.Return(dst()),
	}
}

func (w *writer) exit(s *ir.Exit) {
	at := jen.Code(jen.Lit(0))
	if s.At != nil {
		at = w.as64(s.At, true)
	}
	for _, c := range leave(s.Reason, at) {
		w.emit(c)
	}
	w.dead = true
}

// require writes the check that the record is long enough.
func (w *writer) require(s *ir.Require) {
	if n, ok := w.constant(s.Bytes); ok {
		if int64(n) <= 0 {
			return
		}
		have := jen.Len(w.region(s.Of))
		if int64(n) > 1<<30 { // an int may be too small
			have = jen.Int64().Call(have)
		}
		w.emit(jen.If(have.Op("<").Add(bare(ir.I64, n))).Block(leave(ir.Short, bare(ir.I64, n))...))
		return
	}
	n := w.temp("n")
	w.emit(jen.If(
		jen.Id(n).Op(":=").Add(w.as64(s.Bytes, true)),
		jen.Int64().Call(jen.Len(w.region(s.Of))).Op("<").Id(n),
	).Block(leave(ir.Short, jen.Id(n))...))
}

// textIs is a Go condition: a comparison. Text that is not in the record is rendered behind dst and dropped again; the
// function around is one for the sake of Go's syntax.
func (w *writer) textIs(v *ir.TextIs) *jen.Statement {
	if t, ok := v.T.(*ir.CString); ok {
		return jen.String().Call(w.cstring(t)).Op("==").Lit(v.S)
	}
	from, same := w.temp("n"), w.temp("is")
	body, _ := w.ending(func() {
		w.emit(jen.Id(from).Op(":=").Len(dst()))
		w.text(v.T)
		w.emit(jen.Id(same).Op(":=").String().Call(dst().Index(jen.Id(from), jen.Empty())).Op("==").Lit(v.S))
		w.set(dst().Index(jen.Empty(), jen.Id(from)))
		w.emit(jen.Return(jen.Id(same)))
	})
	return jen.Func().Params().Bool().Block(body...).Call()
}
