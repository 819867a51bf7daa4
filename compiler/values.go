package compiler

import (
	"slices"

	"github.com/tracec/tracec/compiler/ir"
)

// ValuesOnly turns a rendering that keeps values (ir.Keep) into the program that yields them. It
// drops text, the values in dropped, and statements that only these need. Requirements move to the
// front of the statements that certainly run with them, so that one check of the record's length
// serves many reads. A record that is too short for one requirement has no values at all, so moving
// checks makes no visible difference.
//
// ValuesOnly makes new nodes where it changes something and never alters an old one.
func ValuesOnly(body []ir.Stmt, dropped ...*ir.Field) []ir.Stmt {
	body = foldStmts(withoutText(body, dropped))
	u := &uses{slots: map[int]bool{}, buffers: map[int]bool{}}
	for again := true; again; {
		before := len(u.slots) + len(u.buffers)
		u.block(body)
		again = len(u.slots)+len(u.buffers) != before
	}
	return checksFirst(u.sweep(body))
}

// withoutText drops the statements that print, and the values in dropped. It also drops timers,
// because they only affect later text.
func withoutText(body []ir.Stmt, dropped []*ir.Field) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Lit, *ir.PutInt:
		case *ir.PutText:
			out = append(out, inText(s.T, dropped)...)
		case *ir.If:
			out = append(out, &ir.If{Cond: s.Cond, Then: withoutText(s.Then, dropped),
				Else: withoutText(s.Else, dropped)})
		case *ir.Switch:
			c := &ir.Switch{X: s.X, Default: withoutText(s.Default, dropped)}
			for _, arm := range s.Cases {
				c.Cases = append(c.Cases, ir.SwitchCase{Values: arm.Values, Body: withoutText(arm.Body, dropped)})
			}
			out = append(out, c)
		case *ir.Loop:
			out = append(out, &ir.Loop{Cond: s.Cond, Body: withoutText(s.Body, dropped), Limit: s.Limit})
		case *ir.Keep:
			if !slices.Contains(dropped, s.Field) {
				out = append(out, s)
			}
		default:
			out = append(out, s)
		}
	}
	return out
}

// inText returns the statements inside a text that have other effects than printing.
func inText(t ir.Text, dropped []*ir.Field) []ir.Stmt {
	switch t := t.(type) {
	case *ir.Program:
		return withoutText(t.Body, dropped)
	case *ir.CondText:
		return []ir.Stmt{&ir.If{Cond: t.If, Then: inText(t.Then, dropped), Else: inText(t.Else, dropped)}}
	case *ir.Call:
		var out []ir.Stmt
		for _, a := range t.Args {
			if t, ok := a.(ir.Text); ok {
				out = append(out, inText(t, dropped)...)
			}
		}
		return out
	}
	return nil
}

// uses collects the locals that affect values.
type uses struct{ slots, buffers map[int]bool }

// block notes the needs of body and reports whether it does anything.
func (u *uses) block(body []ir.Stmt) bool {
	live := false
	for _, s := range body {
		if u.needed(s) {
			live = true
			u.reads(s)
		}
	}
	return live
}

// needed reports whether s has an effect that matters, as far as is known.
func (u *uses) needed(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Let:
		return u.slots[s.Slot]
	case *ir.LetBytes:
		return u.buffers[s.Slot]
	case *ir.If:
		then, els := u.block(s.Then), u.block(s.Else)
		return then || els
	case *ir.Switch:
		live := u.block(s.Default)
		for _, arm := range s.Cases {
			if u.block(arm.Body) {
				live = true
			}
		}
		return live
	case *ir.Loop:
		return u.block(s.Body)
	}
	return true
}

// reads notes the locals that s itself reads, without the blocks in it.
func (u *uses) reads(s ir.Stmt) {
	ir.Parts(s, func(part any) {
		if _, block := part.(ir.Stmt); !block {
			u.note(part)
		}
	})
}

// note notes every local that n reads, including locals in the statements of compared texts.
func (u *uses) note(n any) {
	switch n := n.(type) {
	case *ir.Local:
		u.slots[n.Slot] = true
	case *ir.LocalBytes:
		u.buffers[n.Slot] = true
	}
	ir.Parts(n, u.note)
}

// sweep drops the statements that are not needed.
func (u *uses) sweep(body []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range body {
		if !u.needed(s) {
			continue
		}
		switch s := s.(type) {
		case *ir.If:
			out = append(out, &ir.If{Cond: s.Cond, Then: u.sweep(s.Then), Else: u.sweep(s.Else)})
		case *ir.Switch:
			c := &ir.Switch{X: s.X, Default: u.sweep(s.Default)}
			for _, arm := range s.Cases {
				c.Cases = append(c.Cases, ir.SwitchCase{Values: arm.Values, Body: u.sweep(arm.Body)})
			}
			out = append(out, c)
		case *ir.Loop:
			out = append(out, &ir.Loop{Cond: s.Cond, Body: u.sweep(s.Body), Limit: s.Limit})
		default:
			out = append(out, s)
		}
	}
	return out
}
