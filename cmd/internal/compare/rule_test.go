package main

import (
	"strings"
	"testing"
)

func TestParseRules(t *testing.T) {
	good := strings.Join([]string{
		"# Title", "Some words.", "## A", "Because.", "```rule", "id: a", "modes: report N", "events: mm_*",
		`ref: page=(?P<p>\S+)`, `ours: page=0x(?P<p>\S+)`, "ref-line: page=1", "our-line: page=0x1", "```",
	}, "\n")
	rules, err := parseRules("d.md", strings.NewReader(good))
	if err != nil || len(rules) != 1 || rules[0].id != "a" || rules[0].kind != kindFragment {
		t.Fatalf("parseRules = %+v, %v", rules, err)
	}
	for _, tt := range []struct{ name, old, new, want string }{
		{"no reason", "Because.\n", "", "d.md:4: a rule needs the reason above it"},
		{"no id", "id: a\n", "", "rule without id"},
		{"bad mode", "report N", "report X", `unknown mode "X"`},
		{"no modes", "modes: report N\n", "", "no modes"},
		{"bad expression", `(?P<p>\S+)`, `(?P<p>\S+`, "missing closing"},
		{"bad glob", "mm_*", "mm_[", "syntax error in pattern"},
		{"unknown key", "events:", "evnets:", `unknown key "evnets"`},
		{"no colon", "id: a", "id a", "want key: value"},
		{"no example", "our-line: page=0x1\n", "", "needs ref-line: true, our-line: true"},
		{"bad kind", "id: a", "id: a\nkind: maybe", `unknown kind "maybe"`},
		{"bad capture", `ref: page=(?P<p>\S+)`, `ref: page=(?P<nmu_p>\S+)`, "capture nmu_p: no such prefix"},
		{"lone capture", `ref: page=(?P<p>\S+)`, `ref: page=(?P<q>\S+)`, "capture q is compared with nothing"},
		{"bad uses", "id: a", "id: a\nuses: k x", "want NAME=NUMBER"},
		{"bad table", "id: a", "id: a\ntable: x", "want KEY=TEXT"},
		{"bad bits", "id: a", "id: a\nbits: x=A", "invalid syntax"},
		{"bad untied", "id: a", "id: a\nuntied: because", "want PART: WHY"},
		{"no other line", "id: a", "id: a\nother: R x", "other and other-line belong together"},
		{"bad other", "id: a", "id: a\nother: R (", "missing closing"},
		{"no end", "our-line: page=0x1\n```", "our-line: page=0x1", "without end"},
		{"twice", "# Title", good[strings.Index(good, "Some"):], `rule "a" is already at line`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(good, tt.old, tt.new, 1)
			_, err := parseRules("d.md", strings.NewReader(text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

// TestDifferences checks the document itself: every rule applies to its own example, which
// TestDamagedExamples compares, and its uses are counted.
func TestDifferences(t *testing.T) {
	rules, err := readRules("../../../testdata/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		t.Run(r.id, func(t *testing.T) {
			mode := r.modes[0]
			p := pair{example(t, mode, r.refLine, true), example(t, mode, r.ourLine, false)}
			event := ""
			for _, b := range []*block{p.ref, p.ours} {
				if b != nil && b.event != "" {
					event = b.event
				}
			}
			recording := ""
			if len(r.recordings) > 0 {
				recording = strings.ReplaceAll(r.recordings[0], "*", "x")
			}
			if strings.HasPrefix(mode, "u-") && len(r.events) > 0 { // the pattern of names of outputs
				event = strings.ReplaceAll(r.events[0], "*", "x")
				for _, b := range []*block{p.ref, p.ours} {
					if b != nil {
						b.event = event
					}
				}
			}
			if !r.applies(mode, recording, event) {
				t.Fatalf("the example's event %q is none of the rule's: %v", event, r.events)
			}
			if r.kind == kindDied && !r.ref.MatchString(r.refLine) {
				t.Errorf("the rule does not match its example: %s", r.refLine)
			}
			if len(r.uses) == 0 {
				t.Error("the rule has no uses; compare -uses counts them")
			}
		})
	}
}

// example makes a block from a rule's line, in the layout that the mode compares.
func example(t *testing.T, name, text string, ref bool) *block {
	if text == "" {
		return nil
	}
	m, _ := modeByName(name)
	l, other := m.layouts()
	if !ref {
		l = other
	}
	b := new(block)
	if err := newBlockReader(strings.NewReader(text+"\n"), l).next(b); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return b
}
