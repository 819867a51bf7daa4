package main

import (
	"bytes"
	"regexp"
	"strings"
)

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

// refused takes a command that both tools refuse. They must say the same.
func (t *tally) refused(command string, ref, ours *answer) {
	a, b := ref.reason(), ours.reason()
	if a == b && a != "" {
		t.bothRefuse++
		return
	}
	t.unexplained++
	text := func(s string) *block { return &block{event: command + " (refused)", text: []byte(s + "\n"), lines: 1} }
	t.note(pair{ref: text(a), ours: text(b)}, 1)
}
