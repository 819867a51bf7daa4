package main

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

// A summary adds up the tallies.
type summary struct {
	comparisons, equal, listed, unexplained int
	bothRefuse                              int
	leftOut                                 map[string]int

	rules       map[string]int
	unusedRules []string              // known only after comparing everything
	shortfalls  []shortfall           // known only after comparing every mode
	groups      map[[2]string]*spread // by mode and event
}

// spread holds one event's unexplained lines over all recordings.
type spread struct {
	group
	mode       string
	recordings map[string]int
	first      string // the recording of the example
}

func summarise(tallies []*tally) *summary {
	s := &summary{rules: make(map[string]int), leftOut: make(map[string]int), groups: make(map[[2]string]*spread)}
	for _, t := range tallies {
		s.comparisons++
		s.equal += t.equal
		s.listed += t.listed
		s.unexplained += t.unexplained
		s.bothRefuse += t.bothRefuse
		for why, n := range t.leftOut {
			s.leftOut[why] += n
		}
		for id, n := range t.uses {
			s.rules[id] += n
		}
		for event, g := range t.groups {
			s.spread(t, event, g)
		}
	}
	return s
}

func (s *summary) spread(t *tally, event string, g *group) {
	key := [2]string{t.job.mode.name, event}
	sp := s.groups[key]
	if sp == nil {
		sp = &spread{group: group{event: event, ref: g.ref, ours: g.ours}, mode: t.job.mode.name,
			recordings: make(map[string]int), first: t.job.recording}
		s.groups[key] = sp
	}
	sp.lines += g.lines
	sp.recordings[t.job.recording] += g.lines
}

// print writes the totals. After comparing all recordings, it also writes the unused rules.
func (s *summary) print(w io.Writer) {
	if len(s.rules) > 0 {
		fmt.Fprintf(w, "\nuses of each rule (testdata/differences.md)\n")
	}
	for _, id := range sortedKeys(s.rules) {
		fmt.Fprintf(w, "%9d %s\n", s.rules[id], id)
	}
	for _, id := range s.unusedRules {
		fmt.Fprintf(w, "  unused %s\n", id)
	}
	for _, l := range s.shortfalls {
		fmt.Fprintf(w, "  less than listed: %v\n", l)
	}
	left := 0
	for _, why := range sortedKeys(s.leftOut) {
		fmt.Fprintf(w, "%9d commands left out: %s\n", s.leftOut[why], why)
		left += s.leftOut[why]
	}
	if left > 0 || s.bothRefuse > 0 {
		fmt.Fprintf(w, "\n%d commands left out, %d refused by both\n", left, s.bothRefuse)
	}
	fmt.Fprintf(w, "\n%d comparisons: %d lines equal, %d listed, %d unexplained\n", s.comparisons, s.equal, s.listed,
		s.unexplained)
}

// unused returns the rules without uses, except rules that depend on the machine.
func (s *summary) unused(rules []*rule) []string {
	var ids []string
	for _, r := range rules {
		if _, ok := s.rules[r.id]; !ok && r.host == "" && !r.ofInstalled() {
			ids = append(ids, r.id)
		}
	}
	return ids
}

// ofInstalled reports whether a rule applies only to recordings that -installed makes. It is unused
// for saved texts.
func (r *rule) ofInstalled() bool {
	return len(r.recordings) > 0 && !slices.ContainsFunc(r.recordings, func(glob string) bool {
		return !strings.HasPrefix(glob, "installed/")
	})
}

// writeFindings prints every unexplained event of every mode with an example, most lines first.
func (s *summary) writeFindings(w io.Writer, tallies []*tally) {
	list := make([]*spread, 0, len(s.groups))
	for _, g := range s.groups {
		list = append(list, g)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].lines != list[j].lines {
			return list[i].lines > list[j].lines
		}
		return list[i].mode+list[i].event < list[j].mode+list[j].event
	})
	fmt.Fprintf(w, "# Unexplained lines: %d of %d (%d listed)\n\n", s.unexplained, s.equal+s.listed+s.unexplained,
		s.listed)
	for _, t := range tallies {
		if t.err != nil {
			fmt.Fprintf(w, "- FAILED %s %s: %v\n", t.job.recording, t.job.mode.name, t.err)
		}
	}
	for _, g := range list {
		fmt.Fprintf(w, "\n## %s: %s, %d lines in %d recordings\n\n%s (- reference, + ours)\n```\n- %s\n+ %s\n```\n",
			g.mode, g.event, g.lines, len(g.recordings), g.first, indent(g.ref), indent(g.ours))
	}
}
