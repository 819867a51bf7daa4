package ir

import "strings"

// Needs is what a text depends on beside the record of its event: what may be rendered on its own,
// in any order, and what may not.
type Needs struct {
	Facts uint32 // that it asks for, by bit
	Hooks bool   // it calls functions that have a memory, or that ask tables of the recording (render.Hooks)
	Exits uint8  // reasons for which it may end early, by bit
}

// Fact reports whether a fact is asked for.
func (n Needs) Fact(id FactID) bool { return n.Facts&(1<<id) != 0 }

// Exit reports whether the text may end for a reason.
func (n Needs) Exit(r ExitReason) bool { return n.Exits&(1<<r) != 0 }

// Needs returns what the text of an event depends on.
func (ev *Event) Needs() Needs {
	var n Needs
	var visit func(any)
	visit = func(part any) {
		switch p := part.(type) {
		case *Fact:
			n.Facts |= 1 << p.ID
		case *FactText:
			n.Facts |= 1 << p.ID
		case *Call:
			n.Hooks = n.Hooks || p.Name == "ProcessPath" || EffectFuncs[p.Name]
		case *Exit:
			n.Exits |= 1 << p.Reason
		}
		Parts(part, visit)
	}
	for _, s := range ev.Text {
		visit(s)
	}
	return n
}

// oneLine are functions that never append newlines and tabs, whatever their arguments are: they
// append digits and names of errors.
var oneLine = map[string]bool{"AIXErrno": true, "Binary": true, "BinaryValue": true, "HexUpper": true, "MacroHex": true}

// OneLine reports whether the text of an event has neither newlines nor tabs: no literal has them,
// and texts, which may hold anything, are only of functions that append none.
func (ev *Event) OneLine() bool {
	var breaks func(any) bool
	breaks = func(part any) (yes bool) {
		switch p := part.(type) {
		case *PutText:
			call, ok := p.T.(*Call)
			if !ok || !oneLine[call.Name] {
				return true
			}
		case *Lit:
			return strings.ContainsAny(p.S, "\n\t")
		}
		Parts(part, func(inner any) { yes = yes || breaks(inner) })
		return yes
	}
	for _, s := range ev.Text {
		if breaks(s) {
			return false
		}
	}
	return true
}
