package view

import "testing"

const mutex = "../../testdata/tables/sched-mutex/sched-mutex.dat.zst"

// TestStateLanes looks at the states of threads, and goes from a thread to the one that woke it.
func TestStateLanes(t *testing.T) {
	for _, theme := range []string{"light", "dark"} {
		b := newBrowser(t)
		b.take(theme, mutex, "sched-mutex")
		b.wait("tracec.causes.length > 5 && tracec.tracks.some((t) => t.states)")
		b.shoot("states-" + theme)
		b.press("w", "w", "w", "w", "w", "w", "w", "w")
		b.whole()
		b.shoot("states-near-" + theme)
		b.noErrors()
	}
}
