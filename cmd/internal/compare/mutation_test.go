package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// open are the rules that accept other letters or digits than those of their example, because no capture ties them to the
// reference's line. They may only become fewer: what they let through must be true in another mode of the same recording, which
// is not checked. Those of uftrace are of events that 0.13 does not show, and 0.19 does: there our text is held to its.
var open = strings.Fields(`kernel-args string-pointer probe-array sockaddr raw-struct graph-call-without-name blktrace
	u-kernel-discarded-events u-kernel-discarded-delta-leaf u-kernel-discarded-flat u-kernel-discarded-count u-kernel-discarded-dump`)

// TestMutatedExamples changes our side of each rule's example, one letter or digit at a time: after the example itself no rule
// may explain the change, other than those that are known to.
func TestMutatedExamples(t *testing.T) {
	f, err := os.Open("../../../testdata/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rules, err := parseRules("differences.md", f)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		uftrace := strings.HasPrefix(r.modes[0], "u-")
		if r.kind != kindFragment && !(uftrace && r.kind == kindAdd) {
			continue
		}
		t.Run(r.id, func(t *testing.T) {
			accepted := acceptedMutants(t, r)
			switch known := slices.Contains(open, r.id); {
			case len(accepted) > 0 && !known:
				t.Errorf("accepts %d changes of our line, such as\n%s", len(accepted), accepted[0])
			case len(accepted) == 0 && known:
				t.Errorf("accepts no change: take it off the list of open rules")
			}
		})
	}
}

// acceptedMutants returns the changed texts of our example that a rule explains.
func acceptedMutants(t *testing.T, r *rule) (accepted []string) {
	p, recording, _ := examplePair(t, r, r.modes[0])
	ref, ours := p.ref, p.ours
	e := newExplainer([]*rule{r}, r.modes[0], recording)
	if e.explain(p) == nil { // so that map_ and to_ captures know the pair
		t.Fatal("the rule does not explain its example")
	}
	text := slices.Clone(ours.text)
	start := len(ours.key)
	if mode := r.modes[0]; strings.HasPrefix(mode, "u-") || strings.HasPrefix(mode, "l-") { // there the line is the key
		start = 0
	}
	for i := start; i < len(text); i++ {
		for _, c := range otherBytes(text[i]) {
			ours.text = slices.Clone(text)
			ours.text[i] = c
			if (ref == nil || string(ours.text) != string(ref.text)) && e.explain(pair{ref, ours}) != nil {
				accepted = append(accepted, string(ours.text))
			}
		}
	}
	return accepted
}

// otherBytes returns what a letter or digit is changed to.
func otherBytes(c byte) []byte {
	switch {
	case c >= '0' && c <= '9':
		return []byte{'0' + (c-'0'+1)%10, '0' + (c-'0'+5)%10}
	case c >= 'a' && c < 'z', c >= 'A' && c < 'Z':
		return []byte{c + 1}
	}
	return nil
}
