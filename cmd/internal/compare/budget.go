package main

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// An allowance is the number of uses of a rule in each of the saved texts of a recording.
//
//	uses: bookworm-6.1-amd64 all-events=255 lost-events=87 all-events@3.4=260
//
// The numbers are exact, so that a fault that looks like a listed difference is one use too many.
// Texts of a newer version of trace-cmd have their own number (@3.4) only if it differs.
type allowance struct {
	recording string // folder/name or folder/name@version, or a glob
	uses      int
}

// parseUses parses the value of a "uses" key: the folder, and the uses in its recordings.
func parseUses(value string) (list []allowance, err error) {
	folder, rest, _ := strings.Cut(value, " ")
	for _, word := range strings.Fields(rest) {
		name, count, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("want NAME=NUMBER, got %q", word)
		}
		a := allowance{folder + "/" + name, n}
		if _, err := path.Match(a.recording, ""); err != nil {
			return nil, fmt.Errorf("%q: %w", a.recording, err)
		}
		list = append(list, a)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("want FOLDER NAME=NUMBER …, got %q", value)
	}
	return list, nil
}

// allowed returns the maximum number of uses of the rule in one text of a recording. It is the
// number for that text's version, for the recording, or for a glob, in this order.
func (r *rule) allowed(mode, recording string) int {
	if v := version(mode); v != "" {
		if n, ok := r.allowance(recording + "@" + v); ok {
			return n
		}
	}
	if n, ok := r.allowance(recording); ok {
		return n
	}
	for _, a := range r.uses {
		if ok, _ := path.Match(a.recording, recording); ok {
			return a.uses
		}
	}
	return 0
}

func (r *rule) allowance(recording string) (int, bool) {
	for _, a := range r.uses {
		if a.recording == recording {
			return a.uses, true
		}
	}
	return 0, false
}

// overspend notes rules with more uses than allowed.
func (t *tally) overspend(over []*rule) {
	for _, r := range over {
		if !contains(t.over, r.id) {
			t.over = append(t.over, r.id)
		}
	}
}

// spend counts the uses of the rules that explain a difference. It returns the rules with more uses
// than allowed: then none of the rules explain it.
func (t *tally) spend(used []*rule) (over []*rule) {
	for _, r := range used {
		t.uses[r.id]++
		if r != witnessRule && !r.counting && t.uses[r.id] > r.allowed(t.job.mode.name, t.job.recording) {
			over = append(over, r)
		}
	}
	return over
}

// A shortfall is a rule with fewer uses than allowed. Then the difference does not exist any more,
// or one of our lines is missing.
type shortfall struct {
	id, recording string
	used, allowed int
}

func (s shortfall) String() string {
	return fmt.Sprintf("%s in %s: %d uses of %d", s.id, s.recording, s.used, s.allowed)
}

// shortfalls lists the rules with fewer uses in a recording than allowed, in the text with the most
// uses. It omits rules that depend on the machine.
func shortfalls(rules []*rule, tallies []*tally) (list []shortfall) {
	most := mostUses(tallies)
	for _, r := range rules {
		for _, a := range r.uses {
			if n, compared := most[a.recording]; compared && r.host == "" && n[r.id] < a.uses {
				list = append(list, shortfall{r.id, a.recording, n[r.id], a.uses})
			}
		}
	}
	return list
}

// mostUses returns the maximum number of uses of each rule in one text, for every compared
// recording, and for its texts of newer versions ("NAME@3.4").
func mostUses(tallies []*tally) map[string]map[string]int {
	most := map[string]map[string]int{}
	for _, t := range tallies {
		name := t.job.recording
		if v := version(t.job.mode.name); v != "" {
			name += "@" + v
		}
		if most[name] == nil {
			most[name] = map[string]int{}
		}
		for id, n := range t.uses {
			most[name][id] = max(most[name][id], n)
		}
	}
	return most
}
