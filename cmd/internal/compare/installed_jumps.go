package main

import (
	"regexp"
	"slices"
)

// jumping matches the recordings of programs in which deep calls longjmp.
const jumping = "jumps* longjmp*"

var (
	// jumpRow matches the rows of functions that longjmp leaves or returns to.
	jumpRow = regexp.MustCompile(`^(?:.* )?(?:main|outer|deep|_setjmp|longjmp)$`)
	// counts matches the numbers of dump --flame-graph and --graphviz.
	counts = regexp.MustCompile(` \d+$|\[xlabel = "\d+"\]$`)
	// jumpCount matches the end of a folded stack with or without the function that calls longjmp.
	jumpCount = regexp.MustCompile(`(?:;deep)* \d+$`)
	jumper    = regexp.MustCompile(`\bdeep\b`)
)

// afterJump reports whether lines are equal before the call of the function that calls longjmp.
// After that call, one tool must name all functions that the other names. The function itself does
// not count.
func afterJump(theirs, ours []string) bool {
	n := 0
	for n < len(theirs) && n < len(ours) && theirs[n] == ours[n] {
		n++
	}
	return slices.ContainsFunc(ours[:n], jumper.MatchString) &&
		functions(withoutJumper(theirs[n:]), withoutJumper(ours[n:]))
}

func withoutJumper(lines []string) (kept []string) {
	for _, line := range lines {
		kept = append(kept, jumper.ReplaceAllString(line, ""))
	}
	return kept
}
