package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPerfMeasurements: every sample of a perf.data is visited. Repeated ones have later times.
func TestPerfMeasurements(t *testing.T) {
	t.Chdir("../../..")
	once, err := readPerfSample()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "perf.data")
	if err := os.WriteFile(path, repeatPerf(once, len(once)+30_000), 0o644); err != nil {
		t.Fatal(err)
	}
	const records, samples, rounds = 409, 382, 2
	want := map[string]int64{perfWalk: records + 2*(samples+rounds), perfTyped: 3 * samples,
		parallelPerf(1): 3 * samples, parallelPerf(2): 3 * samples}
	for _, m := range append(perfMeasurements, parallelMeasurements...) {
		if want[m.name] == 0 {
			continue
		}
		if n, err := m.run(path); err != nil || n != want[m.name] {
			t.Errorf("%s: %d events, want %d: %v", m.name, n, want[m.name], err)
		}
	}
}
