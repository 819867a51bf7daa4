package main

import "fmt"

// refused takes a command that both tools refuse.
func (t *tally) refused(command string, ref, ours *answer) {
	fmt.Printf("REFUSED %s\n   ref: %q %q\n  ours: %q\n", command, ref.text, ref.said, ours.said)
	t.bothRefuse++
}
