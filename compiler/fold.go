// Package compiler holds the passes over the IR that every language shares.
package compiler

import (
	"slices"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
)

// Fold simplifies the rendering of ev and the program that yields its values. It replaces constant
// expressions by constants and conditions with a known value by the selected arm. It removes casts
// without effect and nested programs, and joins adjacent literals. The text of ev stays the same,
// byte for byte.
//
// Fold makes new nodes where it changes something and never alters an old one, because other events
// may share them.
func Fold(ev *ir.Event) {
	if ev.HasText {
		ev.Text = foldStmts(ev.Text)
	}
	ev.Decode = foldStmts(ev.Decode)
}

func foldStmts(body []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt // nil when nothing is left: no else, no default
	for _, s := range body {
		out = appendStmt(out, s)
		if endsInExit(out) {
			break
		}
		out = joinName(out)
	}
	return out
}

// joinName joins the name of a value and the text after it that extends the name.
func joinName(out []ir.Stmt) []ir.Stmt {
	n := len(out) - 2
	if n < 0 {
		return out
	}
	first, ok := out[n].(*ir.PutText)
	if !ok || !first.Spec.Plain() {
		return out
	}
	f := ir.Named(first.T)
	if f == nil || !ir.Continues(out[n+1], f) {
		return out
	}
	body := []ir.Stmt{first, out[n+1]}
	if p, ok := first.T.(*ir.Program); ok {
		body = append(slices.Clone(p.Body), out[n+1])
	}
	return append(out[:n], &ir.PutText{T: &ir.Program{Body: body}, Spec: first.Spec})
}

func endsInExit(body []ir.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	_, ok := body[len(body)-1].(*ir.Exit)
	return ok
}

// appendStmt appends the folded s: zero, one or several statements.
func appendStmt(out []ir.Stmt, s ir.Stmt) []ir.Stmt {
	switch s := s.(type) {
	case *ir.Lit:
		return appendLit(out, s.S)
	case *ir.PutInt:
		return append(out, &ir.PutInt{V: foldValue(s.V), Spec: foldSpec(s.Spec)})
	case *ir.PutText:
		return appendText(out, foldText(s.T), foldSpec(s.Spec))
	case *ir.Let:
		return append(out, &ir.Let{Slot: s.Slot, V: foldValue(s.V)})
	case *ir.LetBytes:
		return append(out, &ir.LetBytes{Slot: s.Slot, V: foldRegion(s.V)})
	case *ir.If:
		return appendIf(out, foldValue(s.Cond), foldStmts(s.Then), foldStmts(s.Else))
	case *ir.Switch:
		return appendSwitch(out, s)
	case *ir.Loop:
		cond := foldValue(s.Cond)
		if k, ok := cond.(*ir.Const); ok && k.V == 0 {
			return out
		}
		return append(out, &ir.Loop{Cond: cond, Body: foldStmts(s.Body), Limit: s.Limit})
	case *ir.Require:
		return appendRequire(out, foldRegion(s.Of), foldValue(s.Bytes))
	case *ir.Keep:
		k := &ir.Keep{Field: s.Field}
		if s.Of != nil {
			k.Of = foldRegion(s.Of)
		}
		if s.V != nil {
			k.V = foldValue(s.V)
		}
		return append(out, k)
	case *ir.Exit:
		if s.At != nil {
			return append(out, &ir.Exit{Reason: s.Reason, At: foldValue(s.At)})
		}
	}
	return append(out, s)
}

func appendLit(out []ir.Stmt, s string) []ir.Stmt {
	if s == "" {
		return out
	}
	if len(out) > 0 {
		if last, ok := out[len(out)-1].(*ir.Lit); ok {
			out[len(out)-1] = &ir.Lit{S: last.S + s}
			return out
		}
	}
	return append(out, &ir.Lit{S: s})
}

// appendText appends the statement that prints t, folded. Without width and precision, the start of
// t does not matter, so that the parts of t become separate statements.
func appendText(out []ir.Stmt, t ir.Text, spec ir.Spec) []ir.Stmt {
	if !spec.Plain() {
		return append(out, &ir.PutText{T: t, Spec: spec})
	}
	switch t := t.(type) {
	case *ir.CString:
		if s, ok := t.Of.(*ir.Str); ok {
			return appendLit(out, cut(s.S))
		}
	case *ir.CondText:
		if _, known := t.If.(*ir.Const); !known && ir.Named(t) != nil {
			break // all of it is the name of a value: both arms belong to the name
		}
		return appendIf(out, t.If, appendText(nil, t.Then, spec), appendText(nil, t.Else, spec))
	case *ir.Program:
		if ir.Named(t) == nil {
			return appendFolded(out, t.Body)
		}
	}
	return append(out, &ir.PutText{T: t, Spec: spec})
}

// appendFolded appends statements that are folded already and joins the literals at the seam.
func appendFolded(out, body []ir.Stmt) []ir.Stmt {
	for _, s := range body {
		if lit, ok := s.(*ir.Lit); ok {
			out = appendLit(out, lit.S)
		} else {
			out = append(out, s)
		}
	}
	return out
}

func appendIf(out []ir.Stmt, cond ir.Value, then, els []ir.Stmt) []ir.Stmt {
	k, known := cond.(*ir.Const)
	switch {
	case !known && len(then)+len(els) == 0:
		return out
	case !known:
		return append(out, &ir.If{Cond: cond, Then: then, Else: els})
	case k.V == 0:
		then = els
	}
	return appendFolded(out, then)
}

// appendRequire appends the unmet part of a requirement. It appends nothing if every record that is
// long enough for its event meets the requirement.
func appendRequire(out []ir.Stmt, of ir.Region, n ir.Value) []ir.Stmt {
	if k, ok := n.(*ir.Const); ok {
		size := 0
		switch of := of.(type) {
		case *ir.Str:
			size = len(of.S)
		case *ir.FieldBytes:
			if of.Field.Kind != ir.Dynamic {
				size = of.Field.Size
			}
		}
		if int64(k.V) <= int64(size) {
			return out
		}
	}
	return append(out, &ir.Require{Of: of, Bytes: n})
}

func appendSwitch(out []ir.Stmt, s *ir.Switch) []ir.Stmt {
	x := foldValue(s.X)
	if k, ok := x.(*ir.Const); ok {
		return appendFolded(out, foldStmts(chosen(s, k.V)))
	}
	cases := make([]ir.SwitchCase, len(s.Cases))
	for i, c := range s.Cases {
		cases[i] = ir.SwitchCase{Values: c.Values, Body: foldStmts(c.Body)}
	}
	return append(out, &ir.Switch{X: x, Cases: cases, Default: foldStmts(s.Default)})
}

// chosen returns the arm of s that runs for v.
func chosen(s *ir.Switch, v uint64) []ir.Stmt {
	for _, c := range s.Cases {
		for _, k := range c.Values {
			if k == v {
				return c.Body
			}
		}
	}
	return s.Default
}

// foldSpec moves known arguments of `*` into the spec. A width that only the pad function can judge
// (it bounds widths from records) stays an argument.
func foldSpec(s ir.Spec) ir.Spec {
	if s.WidthArg != nil {
		s.WidthArg = foldValue(s.WidthArg)
		if k, ok := s.WidthArg.(*ir.Const); ok && inBounds(k.V) {
			s.Width, s.WidthArg = int(k.V), nil
		}
	}
	if s.PrecArg != nil {
		s.PrecArg = foldValue(s.PrecArg)
		if k, ok := s.PrecArg.(*ir.Const); ok && inBounds(k.V) {
			s.Prec, s.PrecArg = int(k.V), nil
		}
	}
	return s
}

func inBounds(v uint64) bool { return v < 1<<10 }

func foldText(t ir.Text) ir.Text {
	switch t := t.(type) {
	case *ir.CString:
		return foldCString(foldRegion(t.Of))
	case *ir.CondText:
		cond := foldValue(t.If)
		if k, ok := cond.(*ir.Const); ok {
			if k.V != 0 {
				return foldText(t.Then)
			}
			return foldText(t.Else)
		}
		return &ir.CondText{If: cond, Then: foldText(t.Then), Else: foldText(t.Else)}
	case *ir.Call:
		args := make([]ir.Arg, len(t.Args))
		for i, a := range t.Args {
			args[i] = foldArg(a)
		}
		return &ir.Call{Name: t.Name, Args: args}
	case *ir.Program:
		body := foldStmts(t.Body)
		if len(body) == 1 {
			if put, ok := body[0].(*ir.PutText); ok && put.Spec.Plain() {
				return put.T
			}
		}
		return &ir.Program{Body: body}
	}
	return t
}

// foldCString chooses between strings instead of their bytes, so that `"%s", x ? "on" : "off"`
// prints literals.
func foldCString(of ir.Region) ir.Text {
	if c, ok := of.(*ir.CondBytes); ok {
		return &ir.CondText{If: c.If, Then: foldCString(c.Then), Else: foldCString(c.Else)}
	}
	return &ir.CString{Of: of}
}

func foldArg(a ir.Arg) ir.Arg {
	switch a := a.(type) {
	case ir.Value:
		return foldValue(a)
	case ir.Region:
		return foldRegion(a)
	case ir.Text:
		return foldText(a)
	}
	return a
}

func foldRegion(r ir.Region) ir.Region {
	switch r := r.(type) {
	case *ir.Slice:
		return foldSlice(r)
	case *ir.CondBytes:
		cond := foldValue(r.If)
		if k, ok := cond.(*ir.Const); ok {
			if k.V != 0 {
				return foldRegion(r.Then)
			}
			return foldRegion(r.Else)
		}
		return &ir.CondBytes{If: cond, Then: foldRegion(r.Then), Else: foldRegion(r.Else)}
	}
	return r
}

func foldSlice(r *ir.Slice) ir.Region {
	s := &ir.Slice{Of: foldRegion(r.Of)}
	if r.At != nil {
		s.At = foldValue(r.At)
		if k, ok := s.At.(*ir.Const); ok && k.V == 0 {
			s.At = nil
		}
	}
	if r.Len != nil {
		s.Len = foldValue(r.Len)
	}
	if s.At == nil && s.Len == nil {
		return s.Of
	}
	return s
}

// cut ends s at its first NUL.
func cut(s string) string {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return s[:i]
	}
	return s
}
