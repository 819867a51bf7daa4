package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const ruleTable = `
# Table
Reasons.
` + "```rule" + `
id: page
modes: N
events: mm_*
ref: page=0x[0-9a-f]+
ours: page=\(nil\)
ref-line: x
our-line: x
` + "```\n```rule" + `
id: number
modes: N
ref: (?P<num_n>\d+)us
ours: (?P<num_n>0x[0-9a-f]+)us
ref-line: x
our-line: x
` + "```\n```rule" + `
id: hash
modes: N
ref: p=(?P<map_p>0{8}[0-9a-f]{8})
ours: p=0x(?P<map_p>[0-9a-f]{4,16})
ref-line: x
our-line: x
` + "```\n```rule" + `
id: lost
kind: drop
modes: N
ref: LOST \d+
ref-line: x
` + "```\n```rule" + `
id: more
kind: add
modes: N
ours: (?s)MORE .*
our-line: x
` + "```\n"

func TestExplain(t *testing.T) {
	rules, err := parseRules("table", strings.NewReader(ruleTable))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, event, ref, ours string
		want                   []string
	}{
		{"fragment", "mm_free", "page=0x12 order=1", "page=(nil) order=1", []string{"page"}},
		{"fragment that covers the difference", "mm_free", "page=0x12 order=1", "page=(nil)2 order=1", nil},
		{"rest differs", "mm_free", "page=0x12 order=1", "page=(nil) order=2", nil},
		{"text before differs", "mm_free", "a page=0x12", "b page=(nil)", nil},
		{"other event", "kfree", "page=0x12", "page=(nil)", nil},
		{"two rules", "mm_free", "page=0x12 16us", "page=(nil) 0x10us", []string{"page", "number"}},
		{"numbers differ", "x", "16us", "0x11us", nil},
		{"hash agrees", "x", "p=0000000012345678 p=0000000012345678", "p=0xffff p=0xffff", []string{"hash", "hash"}},
		{"hash of two", "x", "p=0000000012345678 p=0000000012345679", "p=0xffff p=0xffff", nil},
		{"two of a hash", "x", "p=0000000012345678 p=0000000012345678", "p=0xffff p=0xfffe", nil},
		{"dropped", "x", "LOST 12", "", []string{"lost"}},
		{"dropped with more", "x", "LOST 12 EVENTS", "", nil},
		{"added", "x", "", "MORE a\nb", []string{"more"}},
		{"added otherwise", "x", "", "LESS", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var p pair
			if tt.ref != "" {
				p.ref = &block{text: []byte(tt.ref + "\n"), event: tt.event}
			}
			if tt.ours != "" {
				p.ours = &block{text: []byte(tt.ours + "\n"), event: tt.event}
			}
			var got []string
			used := newExplainer(rules, "N", "r").explain(p)
			for i := len(used) - 1; i >= 0; i-- {
				got = append(got, used[i].id)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestHashesAcrossLines: a map_ capture applies to the whole recording, and a failed pair adds
// nothing to it.
func TestHashesAcrossLines(t *testing.T) {
	rules, err := parseRules("table", strings.NewReader(ruleTable))
	if err != nil {
		t.Fatal(err)
	}
	e := newExplainer(rules, "N", "r")
	for i, tt := range []struct {
		ref, ours string
		want      bool
	}{
		{"p=0000000011111111 a", "p=0xffff b", false},
		{"p=0000000022222222", "p=0xffff", true},
		{"p=0000000011111111", "p=0xffff", false},
		{"p=0000000022222222", "p=0xffff", true},
	} {
		p := pair{&block{text: []byte(tt.ref + "\n")}, &block{text: []byte(tt.ours + "\n")}}
		if got := e.explain(p) != nil; got != tt.want {
			t.Errorf("pair %d: explained %t, want %t", i, got, tt.want)
		}
	}
}
