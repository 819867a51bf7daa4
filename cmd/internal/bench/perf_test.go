package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The measurements of perf.data work: every sample is visited, later each time.
func TestPerfMeasurements(t *testing.T) {
	t.Chdir("../../..")
	once, err := os.ReadFile(perfSample)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "perf.data")
	if err := os.WriteFile(path, repeatPerf(once, len(once)+30_000), 0o644); err != nil {
		t.Fatal(err)
	}
	const records, samples, rounds, scheduler = 395, 229, 2, 228
	want := map[string]int64{perfWalk: records + 4*(samples+rounds), perfTyped: 5 * scheduler}
	for _, m := range perfMeasurements {
		if n, err := m.run(path); err != nil || n != want[m.name] {
			t.Errorf("%s: %d events, want %d: %v", m.name, n, want[m.name], err)
		}
	}
}
