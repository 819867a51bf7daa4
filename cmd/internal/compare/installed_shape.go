package main

import (
	"regexp"
	"slices"
	"strings"
)

// shape is how far our lines may be from the tool's in a command of the list known.
type shape struct {
	mask  *regexp.Regexp // what may differ in a line, beside blanks
	lines func(theirs, ours []string) bool
}

// What may differ in lines of several commands.
var (
	numbers   = regexp.MustCompile(`\b[0-9]+(?:[.:][0-9]+)*(?: {1,2}(?:us|ms|ns|s|m|h)\b)?`)
	heading   = regexp.MustCompile(`^# Function Call Graph .*|^uftrace: cannot find graph .*|^please check your filter settings\.$|` + numbers.String())
	times     = regexp.MustCompile(`[IWXZ] ==>|` + numbers.String()) // and states that a rule lists
	places    = regexp.MustCompile(`^CPU[0-9]+ data recorded at offset=.*|^[0-9]+ bytes in size.*`)
	dlopened  = regexp.MustCompile(`.*\b(?:plug_\w+|main)\b.*|,$|` + heading.String())
	inKernel  = regexp.MustCompile(`.*\b(?:do_syscall_64|__x64_\w+|ksys_\w+|vfs_\w+|exc_page_fault|asm_\w+|main)\b.*|` + heading.String())
	word      = regexp.MustCompile(`[A-Za-z_]\w*`)
	eventName = regexp.MustCompile(`"name":"[^"]*"`)
)

// holds reports whether two outputs differ in no other way.
func (s *shape) holds(theirs, ours []byte) bool {
	return s.lines(s.masked(theirs), s.masked(ours))
}

// masked returns the lines of a text without what may differ, empty ones, and messages between them
// (the rule u-message-in-data).
func (s *shape) masked(text []byte) (lines []string) {
	for line := range strings.Lines(string(text)) {
		if s.mask != nil {
			line = s.mask.ReplaceAllString(strings.TrimSpace(line), "")
		}
		if words := strings.Fields(line); len(words) > 0 && words[0] != "Usage:" {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return lines
}

// same reports whether no line differs.
func same(theirs, ours []string) bool { return slices.Equal(theirs, ours) }

// longer reports whether our lines have all of the tool's, in their order.
func longer(theirs, ours []string) bool {
	for _, line := range ours {
		if len(theirs) > 0 && theirs[0] == line {
			theirs = theirs[1:]
		}
	}
	return len(theirs) == 0
}

// shorter reports whether the tool's lines have all of ours.
func shorter(theirs, ours []string) bool { return longer(ours, theirs) }

// within reports whether one has all lines of the other.
func within(theirs, ours []string) bool { return longer(theirs, ours) || shorter(theirs, ours) }

// reordered reports whether the lines are the same in another order.
func reordered(theirs, ours []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(theirs)), slices.Sorted(slices.Values(ours)))
}

// punctuated reports whether the elements of two arrays of JSON are the same without the commas
// between them.
func punctuated(theirs, ours []string) bool {
	elements := func(lines []string) []string {
		text := strings.ReplaceAll(strings.Join(lines, "\n"), "}{", "}\n{")
		return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ',' })
	}
	return slices.Equal(elements(theirs), elements(ours))
}

// functions reports whether one tool names all functions that the other does, wherever it has them.
func functions(theirs, ours []string) bool {
	names := func(lines []string) []string {
		all := word.FindAllString(strings.Join(lines, "\n"), -1)
		slices.Sort(all)
		return slices.Compact(all)
	}
	return within(names(theirs), names(ours))
}
