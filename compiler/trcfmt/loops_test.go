package trcfmt_test

import (
	"testing"

	"github.com/tracec/tracec/runtime/render"
)

// Nested loops are bounded, so that an event cannot take hours. Loops of real events stay below the
// bound.
func TestNestedLoops(t *testing.T) {
	const text = `700 1.0 "NEST" LOOP U1 { " row" LOOP U1 { LOOP $D1%X1 { X0 } "," } }`
	// Two rows. The first has two times one byte, 00 each. The length of the second is the 00 after
	// them, so it is empty.
	got, outcome := show(t, text, env32, 0x7000, "700A0202 00000001")
	if want := "NEST row00,00, row"; got != want || outcome.Reason != render.Ended {
		t.Errorf("got %q, %v, want %q", got, outcome, want)
	}
}
