package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestMarkerMeasurements: every event is visited, in both orders, also in a repeated trace.
func TestMarkerMeasurements(t *testing.T) {
	tmp := t.TempDir()
	short, long := filepath.Join(tmp, "short"), filepath.Join(tmp, "long")
	if err := os.CopyFS(short, os.DirFS("markers/bench.trace")); err != nil {
		t.Fatal(err)
	}
	if err := repeatTrace("markers/bench.trace", long, 5*7*4096); err != nil {
		t.Fatal(err)
	}
	const typed = 17 // events that are decoded
	const once = 2*(17+2) + typed
	for dir, copies := range map[string]int64{short: 1, long: 5} {
		if err := makeMarkerIndex(dir); err != nil {
			t.Fatal(err)
		}
		sums := map[string]uint64{}
		list := slices.Clone(markerMeasurements)
		for _, n := range workerCounts {
			list = append(list, parallelMeasurement(t, parallelMarkers(n)))
		}
		for _, m := range list {
			sink = 0
			want := copies * once
			switch m.name {
			case markerTyped, markerTimely, parallelMarkers(1), parallelMarkers(2), parallelMarkers(4),
				parallelMarkers(8):
				want = copies * typed
			case fewMarkers, fewMarkerIndex:
				want = copies
			}
			n, err := m.run(dir)
			if err != nil || n != want {
				t.Errorf("%s, %s: %d events, want %d: %v", dir, m.name, n, want, err)
			}
			sums[m.name] = sink
		}
		if sums[markerWalk] != sums[markerMerge] || sums[markerTyped] != sums[markerTimely] || sums[markerTyped] == 0 {
			t.Error("the orders differ", sums)
		}
		for _, n := range workerCounts {
			if sums[parallelMarkers(n)] != sums[markerTimely] {
				t.Errorf("%d workers compute something else", n)
			}
		}
	}
}

func parallelMeasurement(t *testing.T, name string) measurement {
	i := slices.IndexFunc(parallelMeasurements, func(m measurement) bool { return m.name == name })
	if i < 0 {
		t.Fatalf("no measurement %q", name)
	}
	return parallelMeasurements[i]
}
