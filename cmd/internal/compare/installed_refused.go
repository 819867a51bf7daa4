package main

import (
	"bytes"
	"regexp"
	"strings"
)

var (
	colours = regexp.MustCompile("\x1b\\[[0-9;]*m")
	remarks = regexp.MustCompile(`^'\w+' not valid for .*Ignoring\.$|^Overriding previous field request |` +
		`^interpreting \w+ from systems with endianness is not yet supported$`)
	ownName = regexp.MustCompile(`^(?:tracec: |uftrace: |trace-cmd: |Usage: | *ERROR: )+`)
)

// reason returns the message with which a tool rejects a command, without the name of the tool.
func (p *answer) reason() string {
	var lines []string
	for line := range strings.Lines(string(colours.ReplaceAll(append(bytes.Clone(p.text), p.said...), nil))) {
		if line = strings.TrimSpace(ownName.ReplaceAllString(line, "")); line != "" && !remarks.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// alike lists equal reasons in different words. Their groups must be equal.
var alike = []struct{ theirs, ours *regexp.Regexp }{
	{regexp.MustCompile(`^Samples for '.*' event do not have \w+ attribute set\. Cannot print '(\w+)' field\.`),
		regexp.MustCompile(`^-F (\w+): no event of \S+ samples it$`)},
	// perf ignores trace for events other than tracepoints.
	{regexp.MustCompile(`^Samples for '.*' event do not have \w+ attribute set\. Cannot print '\w+' field\.`),
		regexp.MustCompile(`^-F trace: no event of \S+ samples it$`)},
	{regexp.MustCompile(`^File does not contain CPU events`),
		regexp.MustCompile(`^--cpu: no event of \S+ samples it$`)},
	{regexp.MustCompile(`^Invalid time string$`), regexp.MustCompile(`^--time \S+: the time ends before it begins$`)},
	{regexp.MustCompile(`Duplicate (--\S+) option|At (--(?:begin|end|timerange)) option: `),
		regexp.MustCompile(`^(-\S+) \S+: given twice$`)},
	{regexp.MustCompile(`^Failed to create event filter: (\w+)$`),
		regexp.MustCompile("^-F: column \\d+: \\S+ has no event `(\\w+)`\n")},
	{regexp.MustCompile(`^Requested CPU \d+ too large`), regexp.MustCompile(`^--cpu: no event of \S+ samples it$`)},
}

// optionName maps long options to the short names in our messages.
var optionName = strings.NewReplacer("--begin", "-b", "--end", "-e", "--timerange", "-t")

// sameReason reports whether both reject a command for the same reason.
func sameReason(theirs, ours string) bool {
	if theirs == ours && theirs != "" {
		return true
	}
	for _, a := range alike {
		x, y := a.theirs.FindStringSubmatch(theirs), a.ours.FindStringSubmatch(ours)
		if x != nil && y != nil && optionName.Replace(strings.Join(x[1:], "")) == strings.Join(y[1:], "") {
			return true
		}
	}
	return false
}

// refused counts a command that both tools reject. Their reasons must be equal.
func (t *tally) refused(command string, ref, ours *answer) {
	a, b := ref.reason(), ours.reason()
	if sameReason(a, b) {
		t.bothRefuse++
		return
	}
	t.unexplained++
	text := func(s string) *block { return &block{event: command + " (refused)", text: []byte(s + "\n"), lines: 1} }
	t.note(pair{ref: text(a), ours: text(b)}, 1)
}
