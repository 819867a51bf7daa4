package ir

import "strings"

// Needs are the inputs of a text apart from the record of its event. They determine whether the
// text can be rendered alone and in any order.
type Needs struct {
	Facts uint32 // facts that it uses, by bit
	Hooks bool   // it calls functions that have state or read tables of the recording (render.Hooks)
	Exits uint8  // possible reasons of an early end, by bit
}

// Fact reports whether a fact is used.
func (n Needs) Fact(id FactID) bool { return n.Facts&(1<<id) != 0 }

// Exit reports whether the text may end for a reason.
func (n Needs) Exit(r ExitReason) bool { return n.Exits&(1<<r) != 0 }

// Needs returns the inputs of the text of an event.
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

// oneLine are functions that never append newlines or tabs, whatever their arguments are. They
// append digits and names of errors.
var oneLine = map[string]bool{"AIXErrno": true, "Binary": true, "BinaryValue": true, "HexUpper": true, "MacroHex": true}

// OneLine reports whether the text of an event never has newlines or tabs. Its literals must not
// have any, and its texts must be calls of functions that append none.
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
