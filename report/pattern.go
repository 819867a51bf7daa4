package report

import (
	"fmt"
	"path"
	"strings"
)

// Pattern is one pattern of --event: a glob for the name of an event in any system, or one for the system and one for
// the name, as in "sched:sched_*", "sched/sched_*" or, for markers of LTTng, "kernel.sched_*".
type Pattern struct{ whole, system, name string }

// ParsePattern reads a pattern. The error names it.
func ParsePattern(text string) (Pattern, error) {
	text = strings.TrimSpace(text)
	sys, name, both := strings.Cut(strings.Replace(text, "/", ":", 1), ":")
	if !both {
		sys, name = "*", sys
	}
	if name == "" {
		name = "*"
	}
	for _, glob := range []string{sys, name, text} {
		if _, err := path.Match(glob, ""); err != nil || text == "" {
			return Pattern{}, fmt.Errorf("bad event pattern %q", text)
		}
	}
	return Pattern{text, sys, name}, nil
}

// Has reports whether the pattern chooses a name.
func (p Pattern) Has(n Name) bool {
	if glob(p.system, n.System) && (glob(p.name, n.Name) || n.Alias != "" && glob(p.name, n.Alias)) {
		return true
	}
	return glob(p.whole, n.Name) || glob(p.whole, n.System+"."+n.Name)
}

// glob is path.Match without paths: a star also matches slashes, as those of a channel of LTTng or of operator/ in C++.
func glob(pattern, name string) bool {
	ok, _ := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00")) // ParsePattern has found what is no glob
	return ok
}

// splitPatterns returns the patterns of lists that commas separate.
func splitPatterns(lists []string) []string {
	var out []string
	for _, l := range lists {
		out = append(out, strings.Split(l, ",")...)
	}
	return out
}

// EventMatcher returns a function that reports whether one of the patterns, if there are any, chooses an event. The
// error names the bad pattern.
func EventMatcher(patterns []string) (func(system, name string) bool, error) {
	var all []Pattern
	for _, text := range splitPatterns(patterns) {
		p, err := ParsePattern(text)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return func(system, name string) bool {
		for _, p := range all {
			if p.Has(Name{System: system, Name: name}) {
				return true
			}
		}
		return len(all) == 0
	}, nil
}
