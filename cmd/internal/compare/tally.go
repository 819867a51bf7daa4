package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"
)

// A tally counts the results of one comparison. Lines are the reference's lines, and our lines
// without a partner.
type tally struct {
	job         job
	equal       int
	listed      int
	leftOut     map[string]int // skipped commands, by reason
	bothRefuse  int            // number of commands that both tools reject for the same reason
	uses        map[string]int // by rule; a line can need several
	unexplained int
	groups      map[string]*group // unexplained, by event
	over        []string          // rules with more uses than allowed
	clock       clock
	died        string // the truncated output that our lines continue
	err         error
}

// group holds the unexplained lines of one event.
type group struct {
	event     string
	lines     int
	ref, ours string // the first pair
}

func newTally(j job) *tally {
	return &tally{job: j, uses: make(map[string]int), leftOut: make(map[string]int), groups: make(map[string]*group)}
}

// clone returns a copy, which may be discarded.
func (t *tally) clone() *tally {
	c := *t
	c.uses, c.leftOut, c.groups = maps.Clone(t.uses), maps.Clone(t.leftOut), maps.Clone(t.groups)
	c.over = slices.Clone(t.over)
	return &c
}

func (t *tally) fail(err error) {
	t.err = err
	t.unexplained++
}

// add counts one step of the comparison.
func (t *tally) add(p pair, e *explainer) {
	inTime := t.clock.inTime(p)
	if p.ref != nil && p.ours != nil && bytes.Equal(p.ref.text, p.ours.text) && inTime {
		t.equal += p.ref.lines
		return
	}
	same, other := countLines(p)
	t.equal += same
	used := e.explain(p)
	if over := t.spend(used); over != nil {
		t.overspend(over)
		used = nil
	}
	if used != nil && inTime {
		t.listed += other
		return
	}
	t.unexplained += other
	t.note(p, other)
}

// settle counts the moved texts that only one side has.
func (t *tally) settle(e *explainer) {
	for text, n := range e.unsettled {
		b := &block{event: "(moved)", text: []byte(text), lines: max(n, -n)}
		p := pair{ref: b}
		if n < 0 {
			p = pair{ours: b}
		}
		t.unexplained += b.lines
		t.note(p, b.lines)
	}
}

// countLines returns the numbers of equal and of different lines at the same places in a pair.
func countLines(p pair) (same, other int) {
	if p.ref == nil {
		return 0, p.ours.lines
	}
	if p.ours == nil {
		return 0, p.ref.lines
	}
	a, b := p.ref.text, p.ours.text
	for len(a) > 0 && len(b) > 0 {
		x, restA, _ := bytes.Cut(a, []byte("\n"))
		y, restB, _ := bytes.Cut(b, []byte("\n"))
		if bytes.Equal(x, y) {
			same++
		}
		a, b = restA, restB
	}
	return same, max(p.ref.lines, p.ours.lines) - same
}

func (t *tally) note(p pair, lines int) {
	event := "(no event)"
	for _, b := range []*block{p.ours, p.ref} {
		if b != nil && b.event != "" {
			event = b.event
		}
	}
	g := t.groups[event]
	if g == nil {
		g = &group{event: event, ref: excerpt(p.ref), ours: excerpt(p.ours)}
		t.groups[event] = g
	}
	g.lines += lines
}

// excerpt returns the beginning of a block for messages.
func excerpt(b *block) string {
	if b == nil {
		return "(no such line)"
	}
	s := strings.TrimSuffix(string(b.text), "\n")
	if len(s) > 1200 {
		s = s[:1200] + "…"
	}
	return s
}

// byLines returns the unexplained groups, the largest first.
func byLines(groups map[string]*group) []*group {
	list := make([]*group, 0, len(groups))
	for _, g := range groups {
		list = append(list, g)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].lines != list[j].lines {
			return list[i].lines > list[j].lines
		}
		return list[i].event < list[j].event
	})
	return list
}

// print writes one line for the comparison. If verbose is set, it also writes the first unexplained
// pair of each event.
func (t *tally) print(w io.Writer, verbose bool) {
	fmt.Fprintf(w, "%-46s %-10s %8d equal %7d listed %7d unexplained", t.job.recording, t.job.mode.name, t.equal,
		t.listed, t.unexplained)
	if t.err != nil {
		fmt.Fprintf(w, "  %v", t.err)
	}
	fmt.Fprintln(w)
	for _, id := range t.over {
		fmt.Fprintf(w, "    %7d uses of %s, more than its budget\n", t.uses[id], id)
	}
	if !verbose {
		return
	}
	for _, id := range sortedKeys(t.uses) {
		fmt.Fprintf(w, "    %7d %s\n", t.uses[id], id)
	}
	for _, why := range sortedKeys(t.leftOut) {
		fmt.Fprintf(w, "    %7d commands left out: %s\n", t.leftOut[why], why)
	}
	for _, g := range byLines(t.groups) {
		fmt.Fprintf(w, "    %7d unexplained %s\n", g.lines, g.event)
		fmt.Fprintf(w, "      - %s\n      + %s\n", indent(g.ref), indent(g.ours))
	}
}

func indent(s string) string { return strings.ReplaceAll(s, "\n", "\n        ") }

func sortedKeys(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
