package main

import (
	"regexp"
	"slices"
	"strings"
)

// shape is the allowed difference between our lines and the tool's for a command of the list known.
type shape struct {
	mask  *regexp.Regexp // parts of lines that may differ, in addition to blanks
	lines func(theirs, ours []string) bool
	of    *regexp.Regexp // if not nil, all other lines must be equal
	said  *regexp.Regexp // if not nil, the tool's text on standard error must match
	// refuses, if not nil, must match tracec's text on standard error.
	refuses *regexp.Regexp
}

// Parts that may differ in lines of several commands.
var (
	numbers   = regexp.MustCompile(`\b[0-9]+(?:[.:][0-9]+)*(?: {1,2}(?:us|ms|ns|s|m|h)\b)?`)
	heading   = regexp.MustCompile(`^# Function Call Graph .*|^uftrace: cannot find graph .*|^please check your filter settings\.$|` + numbers.String())
	times     = regexp.MustCompile(`[IWXZ] ==>|` + numbers.String()) // also states that a rule lists
	places    = regexp.MustCompile(`^CPU[0-9]+ data recorded at offset=.*|^[0-9]+ bytes in size.*`)
	word      = regexp.MustCompile(`[A-Za-z_]\w*`)
	text      = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	texts     = regexp.MustCompile(text.String() + `(?:, ` + text.String() + `)*`)
	distances = regexp.MustCompile(`\(\+[0-9.?]+\)|delta = \+[0-9.?]+`)
	lineTimes = regexp.MustCompile(`timestamp = -?[0-9:. -]+|^\[-?[0-9:. -]+\]|` + distances.String())
	// The name of a thread, and a time off the processor, which 0.13 prints as a number.
	threadName = regexp.MustCompile(`"name":"(?:linux:schedule(?: \(pre-empted\))?|<30d4[0-9a-f]>)"|` +
		`"args":\{"name":"[^"]*"`)
	schedIn = regexp.MustCompile(` /\* linux:sched-in \*/$`)
	lostEnd = regexp.MustCompile(`\} /\* mid \*/$| mid$`) // in the call whose end was recorded after the loss
	// The list of open calls at the end contains a time off the processor.
	openSchedule = regexp.MustCompile(`^\[\d+\] (?:<30d4[0-9a-f]>|linux:schedule(?: \(pre-empted\))?)$`)
	eventName    = regexp.MustCompile(`"name":"[^"]*"`)
	untimed      = regexp.MustCompile(`^(?:name = |[^\[=]*: )`)
	instances    = regexp.MustCompile(`^\w+: `)
	moment       = regexp.MustCompile(`^(?:\[[^\]]*\]|timestamp = \S+)`)
	address      = regexp.MustCompile(`^\S+`)
	stacks       = regexp.MustCompile(`: user_stack:|^=> 0x[0-9a-f]+$`)
	pages        = regexp.MustCompile(`page=(?:\(vmemmap_base \+ 0x[0-9a-f]+\)|0x[0-9a-f]+)`)
	frames       = regexp.MustCompile(`^(?:0|[0-9a-f]{4,16})(?: .*)?$`)
	// perf does not swap the bytes of these.
	protection   = regexp.MustCompile(`\]: [r-][w-][x-][ps] `)
	lostSamples  = regexp.MustCompile(`: PERF_RECORD_LOST_SAMPLES lost \d+$`)
	noProcessor  = regexp.MustCompile(`\[-01\] `)
	schedules    = regexp.MustCompile(`(?:^| )linux:schedule(?: \(pre-empted\))?$`)
	scheduleSize = regexp.MustCompile(`(?:\d+|-) {2}linux:schedule(?: \(pre-empted\))?$`)
	columns      = regexp.MustCompile(`^# .*FUNCTION$|` + numbers.String())
	beforeExec   = regexp.MustCompile(`^(?P<index>\[\d+\]) (?:<[0-9a-f]+>|execl) \(`)
	rootAddress  = regexp.MustCompile(` [0-9a-f]+ : \(1\) `)
)

// holds reports whether two outputs differ only in the allowed way.
func (s *shape) holds(theirs, ours []byte) bool {
	a, b := s.masked(theirs), s.masked(ours)
	return s.lines(a, b) && (s.of == nil || slices.Equal(without(a, s.of), without(b, s.of)))
}

// without returns the lines that do not match.
func without(lines []string, of *regexp.Regexp) []string {
	return slices.DeleteFunc(slices.Clone(lines), of.MatchString)
}

// masked returns the lines of a text without the parts that may differ, without empty lines, and
// without messages between lines (the rule u-message-in-data).
func (s *shape) masked(text []byte) (lines []string) {
	for line := range strings.Lines(string(text)) {
		if s.mask != nil {
			// JSON has no comma after the last line, which may be another line.
			line = strings.TrimSuffix(s.mask.ReplaceAllString(strings.TrimSpace(line), ""), ",")
		}
		if words := strings.Fields(line); len(words) > 0 && words[0] != "Usage:" {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return lines
}

// same reports whether no line differs.
func same(theirs, ours []string) bool { return slices.Equal(theirs, ours) }

// longer reports whether our lines contain all of the tool's, in their order.
func longer(theirs, ours []string) bool {
	for _, line := range ours {
		if len(theirs) > 0 && theirs[0] == line {
			theirs = theirs[1:]
		}
	}
	return len(theirs) == 0
}

// shorter reports whether the tool's lines contain all of ours, in their order.
func shorter(theirs, ours []string) bool { return longer(ours, theirs) }

// within reports whether one side contains all lines of the other.
func within(theirs, ours []string) bool { return longer(theirs, ours) || shorter(theirs, ours) }

// begun reports whether the tool's lines are the beginning of ours, since it gave up.
func begun(theirs, ours []string) bool {
	return len(theirs) <= len(ours) && slices.Equal(theirs, ours[:len(theirs)])
}

// begunWithout is begun if our lines also contain lines that the tool omits.
func begunWithout(of *regexp.Regexp) func(theirs, ours []string) bool {
	return func(theirs, ours []string) bool { return begun(theirs, without(ours, of)) }
}

// refusing reports whether tracec rejects a command for which the tool prints something, or
// nothing.
func refusing(_, ours []string) bool { return len(ours) == 0 }

// reordered reports whether the lines are the same in another order.
func reordered(theirs, ours []string) bool {
	return sorted(same)(theirs, ours)
}

// sorted returns a function that compares lines regardless of their order.
func sorted(lines func(theirs, ours []string) bool) func(theirs, ours []string) bool {
	return func(theirs, ours []string) bool {
		return lines(slices.Sorted(slices.Values(theirs)), slices.Sorted(slices.Values(ours)))
	}
}

// tied returns a function that reports whether lines differ in order only where they have the same
// key.
func tied(key *regexp.Regexp) func(theirs, ours []string) bool {
	return func(theirs, ours []string) bool {
		return reordered(theirs, ours) && slices.EqualFunc(theirs, ours, func(a, b string) bool {
			return key.FindString(a) == key.FindString(b)
		})
	}
}

// emptied reports whether lines differ only in two ways: texts that are empty in ours and repeat an
// earlier line in the tool's, and the order of the labels of a value.
func emptied(theirs, ours []string) bool { return emptiedTexts(theirs, ours, false) }

// emptiedBefore is emptied if the earlier line need not be printed.
func emptiedBefore(theirs, ours []string) bool { return emptiedTexts(theirs, ours, true) }

func emptiedTexts(theirs, ours []string, before bool) bool {
	one := func(list string) []string { return text.FindAllString(list, -1) }
	labels := func(list string) []string { return slices.Sorted(slices.Values(one(list))) }
	earlier := map[string]bool{}
	return slices.EqualFunc(theirs, ours, func(a, b string) bool {
		alike := texts.ReplaceAllString(a, "") == texts.ReplaceAllString(b, "") &&
			slices.EqualFunc(texts.FindAllString(a, -1), texts.FindAllString(b, -1), func(a, b string) bool {
				return slices.EqualFunc(one(a), one(b),
					func(a, b string) bool { return a == b || b == `""` && (before || earlier[a]) }) ||
					slices.Equal(labels(a), labels(b))
			})
		for _, t := range one(a) {
			earlier[t] = true
		}
		return alike
	})
}

// punctuated reports whether the elements of two JSON arrays are equal without the commas between
// them.
func punctuated(theirs, ours []string) bool {
	elements := func(lines []string) []string {
		text := strings.ReplaceAll(strings.Join(lines, "\n"), "}{", "}\n{")
		return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ',' })
	}
	return slices.Equal(elements(theirs), elements(ours))
}

// graphTitle and graphRoot match lines of uftrace graph: the heading of a program, and the program
// itself.
var (
	graphTitle = regexp.MustCompile(`^# Function Call Graph for |^uftrace: cannot find graph |^please check your filter `)
	graphRoot  = regexp.MustCompile(`^(?:[0-9.]+ [mun]?s )?: \(\d+\) `)
)

// called reports whether the graphs with calls are equal. A graph without calls ends with the
// program, and has no backtrace.
func called(theirs, ours []string) bool { return slices.Equal(graphsOf(theirs), graphsOf(ours)) }

// unfound reports whether the tool finds no graph and tracec does.
func unfound(theirs, ours []string) bool {
	return len(graphsOf(theirs)) == 0 && len(graphsOf(ours)) > 0
}

// calledRoots is called, but the times of the programs themselves may differ.
func calledRoots(theirs, ours []string) bool {
	return slices.Equal(withoutRootTimes(graphsOf(theirs)), withoutRootTimes(graphsOf(ours)))
}

// graphsOf returns the lines of the graphs with calls.
func graphsOf(lines []string) (kept []string) {
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && !graphTitle.MatchString(lines[n]) {
			n++
		}
		// A graph without calls has a title, and three lines: the title's line, the columns, the
		// program.
		if n > 4 || n > 1 && strings.Contains(lines[1], "BACKTRACE") || !graphTitle.MatchString(lines[0]) {
			kept = append(kept, lines[:n]...)
		}
		lines = lines[n:]
	}
	return kept
}

// withoutRootTimes removes the times of the programs, which follow the line of columns.
func withoutRootTimes(lines []string) []string {
	for i := 1; i < len(lines); i++ {
		if strings.HasPrefix(lines[i-1], "# TOTAL TIME") {
			lines[i] = graphRoot.ReplaceAllString(lines[i], ": ")
		}
	}
	return lines
}

// functions reports whether one tool names all functions that the other names, in any place.
func functions(theirs, ours []string) bool {
	names := func(lines []string) []string {
		all := word.FindAllString(strings.Join(lines, "\n"), -1)
		slices.Sort(all)
		return slices.Compact(all)
	}
	return within(names(theirs), names(ours))
}
