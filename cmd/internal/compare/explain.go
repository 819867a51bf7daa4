package main

import (
	"bytes"
	"regexp"
)

// An explainer decides whether rules explain a difference. There is one for each recording and
// mode, because captures learn within one recording only.
type explainer struct {
	mode      string
	recording string
	rules     []*rule
	byEvent   map[string][]*rule

	witness *witness         // nil if there is none
	others  map[string]other // the other texts that rules use, by name
	read    func(name string) (other, error)
	err     error // error of reading them

	memory
	pair pair // the current pair
}

func newExplainer(rules []*rule, mode, recording string) *explainer {
	return &explainer{mode: mode, recording: recording, rules: rules, byEvent: make(map[string][]*rule),
		others: make(map[string]other), memory: newMemory()}
}

// maxSteps bounds the search for one pair. A line that needs more steps is unexplained.
const maxSteps = 2000

// explain returns the rules that together turn the reference's block into ours, or nil. It keeps
// what their captures have learnt.
func (e *explainer) explain(p pair) []*rule {
	used := e.try(p)
	if used != nil {
		e.keep()
	}
	return used
}

// try is explain without keeping what captures have learnt.
//
// Both texts are read from the left. At the first difference, a fragment rule must match: its ref
// expression at a place that covers the difference, its ours expression at the same place in our
// text. Captures of the same name must agree (see agree). The comparison continues after the
// fragment. So everything without a rule must be equal.
//
// If the kernel printed the same as we, no rule is needed.
func (e *explainer) try(p pair) []*rule {
	e.pair = p
	e.forget()
	switch {
	case p.ref == nil:
		return e.alone(kindAdd, p.ours)
	case p.ours == nil:
		return e.alone(kindDrop, p.ref)
	case e.witness.confirms(p):
		return []*rule{witnessRule}
	}
	steps := maxSteps
	used := e.fragments(e.rulesFor(p.ref.event), p.ref.text, p.ours.text, &steps)
	if used == nil && p.ours.event != p.ref.event {
		used = e.fragments(e.rulesFor(p.ours.event), p.ref.text, p.ours.text, &steps)
	}
	return used
}

// alone returns the rule for a block without a partner.
func (e *explainer) alone(kind string, b *block) []*rule {
	for _, r := range e.rulesFor(b.event) {
		re := r.ref
		if kind == kindAdd {
			re = r.ours
		}
		if r.kind == kind && e.wholly(r, re, b.text) {
			return []*rule{r}
		}
	}
	return nil
}

// wholly reports whether an expression of a rule matches all of a text except its last newline, and
// other texts confirm that.
func (e *explainer) wholly(r *rule, re *regexp.Regexp, text []byte) bool {
	text = bytes.TrimSuffix(text, []byte("\n"))
	at := re.FindSubmatchIndex(text)
	if at == nil || at[0] != 0 || at[1] != len(text) {
		return false
	}
	mark, m := e.mark(), match{re, text, at}
	if e.owed(m, r.kind == kindAdd) && e.agreesWithOther(r, match{}, m) {
		return true
	}
	e.undo(mark)
	return false
}

func (e *explainer) rulesFor(event string) []*rule {
	list, ok := e.byEvent[event]
	if !ok {
		for _, r := range e.rules {
			if r.applies(e.mode, e.recording, event) {
				list = append(list, r)
			}
		}
		e.byEvent[event] = list
	}
	return list
}

// fragments returns the rules used, innermost last, or nil if the texts cannot be reconciled.
func (e *explainer) fragments(rules []*rule, ref, ours []byte, steps *int) []*rule {
	at := commonPrefix(ref, ours)
	for _, r := range rules {
		if r.kind != kindFragment {
			continue
		}
		for _, m := range r.ref.FindAllSubmatchIndex(ref, -1) {
			if *steps--; *steps < 0 {
				return nil
			}
			if m[0] > at || m[1] < at {
				continue
			}
			tail, mark := ours[m[0]:], e.mark()
			o := r.ours.FindSubmatchIndex(tail)
			if o == nil || m[1]-m[0]+o[1] == 0 || !e.accepts(r, match{r.ref, ref, m}, match{r.ours, tail, o}) {
				e.undo(mark)
				continue
			}
			restRef, restOurs := ref[m[1]:], tail[o[1]:]
			if bytes.Equal(restRef, restOurs) {
				return []*rule{r}
			}
			if used := e.fragments(rules, restRef, restOurs, steps); used != nil {
				return append(used, r)
			}
			e.undo(mark)
		}
	}
	return nil
}

// accepts reports whether the captures of a fragment agree, with each other and with other texts
// about the record.
func (e *explainer) accepts(r *rule, ref, ours match) bool {
	return e.agree(r, ref, ours) && e.owed(ref, false) && e.owed(ours, true) && e.agreesWithOther(r, ref, ours)
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
