package main

import (
	"regexp"
	"slices"
)

// jumping are the recordings of programs in which deep calls longjmp.
const jumping = "jumps* longjmp*"

var (
	// jumpRow are the rows of the functions that longjmp leaves or comes back to.
	jumpRow = regexp.MustCompile(`^(?:.* )?(?:main|outer|deep|_setjmp|longjmp)$`)
	// counts are the numbers of dump --flame-graph and --graphviz.
	counts = regexp.MustCompile(` \d+$|\[xlabel = "\d+"\]$`)
	// jumpCount is the end of a folded stack with or without the function that calls longjmp.
	jumpCount = regexp.MustCompile(`(?:;deep)* \d+$`)
	jumper    = regexp.MustCompile(`\bdeep\b`)
)

// afterJump reports whether lines are the same until the function that calls longjmp was called.
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
