package lttng

import "github.com/tracec/tracec/compiler/ir"

var plain = ir.Spec{Prec: -1}

// text writes the program that prints the fields (lttng.md 8.1).
func text(fields []*field, r Rules, data *ir.Field) []ir.Stmt {
	if len(fields) == 0 {
		return nil
	}
	l := newLayout(data, r)
	l.walk(fields, func(p place) []ir.Stmt {
		head := ", "
		if p.index == 0 {
			head = " { "
		}
		if r.Era != Era08 {
			head += p.name + " = "
		}
		out := append([]ir.Stmt{&ir.Lit{S: head}}, p.show(r.Era)...)
		if p.note != "" && p.size > 0 {
			v := &ir.Convert{T: ir.Type{Size: 8, Signed: p.signed}, X: p.number()}
			out = append(out, &ir.PutText{T: &ir.Call{Name: "HookCall1", Args: []ir.Arg{ir.StrArg(p.note), v}}, Spec: plain})
		}
		return out
	})
	return append(l.Out, &ir.Lit{S: " }"})
}

// show prints one value. Strings are quoted but not escaped. Numbers have 64 bits by the time they are printed: the stored type says how they
// got there.
func (p place) show(era Era) []ir.Stmt {
	if p.size == 0 {
		return []ir.Stmt{&ir.Lit{S: `"`}, &ir.PutText{T: &ir.Call{Name: "Verbatim", Args: []ir.Arg{p.text()}}, Spec: plain}, &ir.Lit{S: `"`}}
	}
	v := ir.Value(&ir.Convert{T: ir.Type{Size: 8, Signed: p.signed}, X: p.number()})
	if p.pointer {
		return []ir.Stmt{&ir.Lit{S: "0x"}, &ir.PutInt{V: v, Spec: ir.Spec{Verb: 'x', Prec: -1}}}
	}
	if era != Era2 {
		return []ir.Stmt{&ir.PutInt{V: v, Spec: ir.Spec{Verb: 'd', Prec: -1}}}
	}
	spec := p.spec
	switch spec.Verb {
	case 'i', 'd': // of an unsigned value, too
		spec.Verb, v = 'd', &ir.Convert{T: ir.I64, X: v}
	case 'u':
		spec.Verb, v = 'd', &ir.Convert{T: ir.U64, X: v}
	case 'p':
		return []ir.Stmt{&ir.Lit{S: p.before + "0x"}, &ir.PutInt{V: v, Spec: ir.Spec{Verb: 'x', Prec: -1}}}
	}
	out := []ir.Stmt{&ir.Lit{S: p.before}}
	if spec.Sharp && (spec.Verb == 'x' || spec.Verb == 'X') { // readers print with the C library: there is no 0x before 0
		spec.Sharp = false
		prefix := &ir.CondText{If: v, Then: &ir.Program{Body: []ir.Stmt{&ir.Lit{S: "0" + string(spec.Verb)}}}, Else: &ir.Program{}}
		out = append(out, &ir.PutText{T: prefix, Spec: plain})
	}
	return append(out, &ir.PutInt{V: v, Spec: spec})
}
