package main

import (
	"path/filepath"
	"testing"
)

// What is measured works: every event is visited, in both orders, also of a trace that is repeated.
func TestMarkerMeasurements(t *testing.T) {
	long := filepath.Join(t.TempDir(), "long")
	if err := repeatTrace("markers/bench.trace", long, 5*7*4096); err != nil {
		t.Fatal(err)
	}
	const once = 2*(17+2) + 17
	for dir, want := range map[string]int64{"markers/bench.trace": once, long: 5 * once} {
		sums := map[string]uint64{}
		for _, m := range markerMeasurements {
			sink = 0
			n, err := m.run(dir)
			if err != nil || n != want {
				t.Errorf("%s, %s: %d events, want %d: %v", dir, m.name, n, want, err)
			}
			sums[m.name] = sink
		}
		if sums[markerWalk] != sums[markerMerge] || sums[markerTyped] != sums[markerTimely] || sums[markerTyped] == 0 {
			t.Error("the orders differ", sums)
		}
	}
}
