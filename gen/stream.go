package gen

import (
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/expr"
)

// Code for descriptions that read their event from front to back (ir/stream.go).

// facts are the names of the constants of render. A test compares the numbers.
var facts = map[ir.FactID]string{
	ir.FactPID: "FactPID", ir.FactTID: "FactTID", ir.FactCPUID: "FactCPUID", ir.FactPriority: "FactPriority",
	ir.FactSVC: "FactSVC", ir.FactExecPath: "FactExecPath", ir.FactTotalCPUs: "FactTotalCPUs",
	ir.FactTracedCPUs: "FactTracedCPUs", ir.FactReportedCPUs: "FactReportedCPUs", ir.FactLargeData: "FactLargeData",
	ir.FactBuffering: "FactBuffering", ir.FactIPAddress: "FactIPAddress", ir.FactLogIndex: "FactLogIndex",
	ir.FactLogIndex0: "FactLogIndex0", ir.FactLogFile: "FactLogFile", ir.FactTraceID: "FactTraceID",
	ir.FactTraceEnv: "FactTraceEnv", ir.FactLine: "FactLine", ir.FactRelativeLine: "FactRelativeLine",
}

func fact(id ir.FactID) *jen.Statement { return expr.Render(facts[id]) }

var exits = map[ir.ExitReason]string{
	ir.Break: "ExitBreak", ir.Skip: "ExitSkip", ir.Stop: "ExitStop", ir.Error: "ExitError", ir.Short: "ExitShort",
}

// leave returns the statements that end the program. Appended text stays. Values are complete
// unless the record is short.
func (w *writer) leave(reason ir.ExitReason, at jen.Code) []jen.Code {
	if w.keeps != nil {
		return []jen.Code{jen.Return(jen.Lit(reason != ir.Short))}
	}
	return []jen.Code{
		jen.Id("env").Dot("Exit").Call(expr.Render(exits[reason]), at),
		jen.Return(dst()),
	}
}

func (w *writer) exit(s *ir.Exit) {
	at := jen.Code(jen.Lit(0))
	if s.At != nil && w.keeps == nil { // a program that yields values does not report the place
		at = w.as64(s.At, true)
	}
	for _, c := range w.leave(s.Reason, at) {
		w.emit(c)
	}
	w.dead = true
}

// require writes the check that the record is long enough.
func (w *writer) require(s *ir.Require) {
	if v, ok := s.Bytes.(*varied); ok && isWhole(s.Of) {
		w.requireAmount(v.amount)
		return
	}
	if n, ok := w.constant(s.Bytes); ok {
		if int64(n) <= 0 {
			return
		}
		fb, whole := s.Of.(*ir.FieldBytes)
		whole = whole && w.event.stream && fb.Field.Kind == ir.Tail && n < 1<<30
		if whole && int(n) <= w.sure {
			return
		}
		have := jen.Len(w.region(s.Of))
		if int64(n) > 1<<30 { // an int may be too small
			have = jen.Int64().Call(have)
		}
		w.emit(jen.If(have.Op("<").Add(bare(ir.I64, n))).Block(w.leave(ir.Short, bare(ir.I64, n))...))
		if whole {
			w.isSure(int(n))
		}
		return
	}
	n := w.temp("n")
	w.emit(jen.If(
		jen.Id(n).Op(":=").Add(w.as64(s.Bytes, true)),
		jen.Int64().Call(jen.Len(w.region(s.Of))).Op("<").Id(n),
	).Block(w.leave(ir.Short, jen.Id(n))...))
}

// requireAmount writes the check of a length that depends on the environment. It checks the length
// of the record.
func (w *writer) requireAmount(a amount) {
	if w.merged.covers(a.values) {
		return
	}
	code := a.code()
	at := jen.Code(jen.Int64().Call(jen.Id(code)))
	w.usesAmount(a)
	w.emit(jen.If(jen.Len(jen.Id("data")).Op("<").Id(code)).Block(w.leave(ir.Short, at)...))
	for i, n := range a.values {
		w.merged.sure[i] = max(w.merged.sure[i], int(n))
	}
	w.sure = slices.Min(w.merged.sure)
}

// isSure notes that the record has n bytes.
func (w *writer) isSure(n int) {
	w.sure = max(w.sure, n)
	if w.merged != nil {
		for i := range w.merged.sure {
			w.merged.sure[i] = max(w.merged.sure[i], n)
		}
	}
}

// covers reports whether records certainly have as many bytes, by form. Places that only some
// environments have do not count.
func (m *merged) covers(ends []int64) bool {
	if len(ends) != len(m.sure) {
		return false
	}
	for i, n := range ends {
		if n > int64(m.sure[i]) {
			return false
		}
	}
	return true
}

// textIs returns a Go condition: a comparison. Text that is not in the record is appended to dst
// and cut off afterwards. Go's syntax needs a function around this.
func (w *writer) textIs(v *ir.TextIs) *jen.Statement {
	if t, ok := v.T.(*ir.CString); ok {
		return jen.String().Call(w.cstring(t)).Op("==").Lit(v.S)
	}
	w.dst = w.keeps != nil
	w.appends.funcs++
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

// knows notes the bytes that the record has when cond holds.
func (w *writer) knows(cond ir.Value) {
	if f, n, ok := ir.MakesSure(cond); ok && w.event.stream && f.Offset == 0 {
		w.isSure(int(n))
		return
	}
	if a, ok := makesSure(cond); ok {
		for i, n := range a.values {
			w.merged.sure[i] = max(w.merged.sure[i], int(n))
		}
		w.sure = slices.Min(w.merged.sure)
	}
}

// makesSure is [ir.MakesSure] for a length that depends on the environment.
func makesSure(cond ir.Value) (amount, bool) {
	b, ok := cond.(*ir.Binary)
	if !ok || b.Op != ir.OpGe {
		return amount{}, false
	}
	k, ok := b.Y.(*varied)
	if !ok {
		return amount{}, false
	}
	x := b.X
	if c, ok := x.(*ir.Convert); ok && c.T.Size >= 4 {
		x = c.X
	}
	l, ok := x.(*ir.Len)
	return k.amount, ok && isWhole(l.Of)
}

// sureSlice returns a slice of a stream whose bytes are known to be present, or nil.
func (w *writer) sureSlice(r *ir.Slice) *jen.Statement {
	if _, ok := r.Of.(*ir.FieldBytes); !ok || !w.event.stream || r.Len == nil {
		return nil
	}
	at, ok1 := uint64(0), true
	if r.At != nil {
		at, ok1 = w.constant(r.At)
	}
	n, ok2 := w.constant(r.Len)
	if k, varies := r.At.(*varied); varies && ok2 && n < 1<<30 && w.merged.covers(k.ends(int64(n))) {
		end := k.amount
		end.more += int64(n)
		return jen.Id("data").Index(w.amountCode(k.amount), w.amountCode(end))
	}
	sure := uint64(w.sure)
	if !ok1 || !ok2 || at > sure || n > sure-at {
		return nil
	}
	return jen.Id("data").Index(jen.Lit(int(at)), jen.Lit(int(at+n)))
}

// sureLoad returns a load from a stream whose bytes are known to be present, or nil. Go's compiler
// also sees that they are.
func (w *writer) sureLoad(v *ir.Load, at uint64) *jen.Statement {
	if _, ok := v.From.(*ir.FieldBytes); !ok || !w.event.stream {
		return nil
	}
	size := uint64(v.T.Size)
	if sure := uint64(w.sure); size > sure || at > sure-size {
		return nil
	}
	if size == 1 {
		return w.signed(v.T, jen.Id("data").Index(jen.Lit(int(at))))
	}
	order := "LittleEndian"
	if w.target.BigEndian {
		order = "BigEndian"
	}
	bytes := jen.Id("data").Index(jen.Lit(int(at)), jen.Lit(int(at+size)))
	return w.signed(v.T, jen.Qual(expr.BinaryPath, order).Dot("Uint"+strconv.Itoa(8*int(size))).Call(bytes))
}

// sureVaried is sureLoad at a place that depends on the environment.
func (w *writer) sureVaried(v *ir.Load) *jen.Statement {
	k, ok := v.At.(*varied)
	if !ok || !isWhole(v.From) || !w.merged.covers(k.ends(int64(v.T.Size))) {
		return nil
	}
	if v.T.Size == 1 {
		return w.signed(v.T, jen.Id("data").Index(w.amountCode(k.amount)))
	}
	if isSubhook(v.T, k.amount) {
		return w.signed(v.T, jen.Id("x").Dot("Subhook").Call(jen.Id("data")))
	}
	bytes := jen.Id("data").Index(w.amountCode(k.amount), jen.Empty())
	return w.signed(v.T, jen.Qual(expr.BinaryPath, "BigEndian").Dot("Uint"+strconv.Itoa(8*int(v.T.Size))).Call(bytes))
}

// ends returns the places after size bytes, by form.
func (a amount) ends(size int64) []int64 {
	out := make([]int64, len(a.values))
	for i, n := range a.values {
		out[i] = n + size
	}
	return out
}

// signed converts code, an unsigned integer of t's size.
func (w *writer) signed(t ir.Type, code *jen.Statement) *jen.Statement {
	if t.Signed {
		return typeCode(t).Call(code)
	}
	return code
}
