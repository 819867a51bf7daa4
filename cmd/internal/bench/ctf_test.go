package main

import (
	"path/filepath"
	"testing"
)

// TestCTFMeasurements: every event is visited, also on several goroutines.
func TestCTFMeasurements(t *testing.T) {
	t.Chdir("../../..")
	trace := filepath.Join(t.TempDir(), "trace")
	if err := (options{}).repeatCTF(trace, 50_000); err != nil {
		t.Fatal(err)
	}
	const all, typed = 45 + 3*537, 45 + 3*495 // 45 events are in the other channel
	want := map[string]int64{ctfWalk: all, ctfTyped: typed, parallelCTF(1): typed, parallelCTF(2): typed}
	for name, want := range want {
		list := append(ctfMeasurements, parallelMeasurements...)
		for _, m := range list {
			if m.name != name {
				continue
			}
			if n, err := m.run(trace); err != nil || n != want {
				t.Errorf("%s: %d events, want %d: %v", name, n, want, err)
			}
		}
	}
}
