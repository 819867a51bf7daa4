package main

import "fmt"

// refused takes a command that both tools refuse.
func (t *tally) refused(command string, ref, ours []byte) {
	fmt.Printf("REFUSED %s\n   ref: %q\n  ours: %q\n", command, ref, ours)
	t.bothFail++
}
