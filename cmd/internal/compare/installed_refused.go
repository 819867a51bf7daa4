package main

import (
	"bytes"
	"regexp"
	"strings"
)

// refusal are reasons for which both tools refuse a command in words of their own.
var refusal = []*regexp.Regexp{
	regexp.MustCompile(`(?i)no such (file|option|recording)|cannot open|error reading`),
	regexp.MustCompile(`(?i)unrecognized option|unknown option|unknown flag|requires an argument|the value is missing`),
	regexp.MustCompile(`(?i)limited 3 digits|invalid (time|range|number|value)|cannot parse|want `),
	regexp.MustCompile(`(?i)must come after -i|can ?not use both|cannot be used (with|together)|should not be used together`),
}

var (
	colours = regexp.MustCompile("\x1b\\[[0-9;]*m")
	ownName = regexp.MustCompile(`^(?:tracec: |uftrace: |trace-cmd: |Usage: | *ERROR: )+`)
)

// reason returns the message with which a tool refuses a command, without the name of the tool.
func (p *answer) reason() string {
	var lines []string
	for line := range strings.Lines(string(colours.ReplaceAll(append(bytes.Clone(p.text), p.said...), nil))) {
		if line = strings.TrimSpace(ownName.ReplaceAllString(line, "")); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// refused takes a command that both tools refuse. They must give the same reason.
func (t *tally) refused(command string, ref, ours *answer) {
	a, b := ref.reason(), ours.reason()
	same := a == b && a != ""
	for _, r := range refusal {
		same = same || r.MatchString(a) && r.MatchString(b)
	}
	if same && !strings.Contains(b, "goroutine ") {
		t.bothRefuse++
		return
	}
	t.unexplained++
	text := func(s string) *block { return &block{event: command + " (refused)", text: []byte(s + "\n"), lines: 1} }
	t.note(pair{ref: text(a), ours: text(b)}, 1)
}
