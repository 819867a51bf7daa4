package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCallMeasurements: every record is visited, in both orders, and decoded.
func TestCallMeasurements(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bench.data")
	if err := os.CopyFS(dir, os.DirFS("calls/bench.data")); err != nil {
		t.Fatal(err)
	}
	if err := makeCallIndex(dir); err != nil {
		t.Fatal(err)
	}
	var events int64
	sums := map[string]uint64{}
	for _, m := range callMeasurements {
		sink = 0
		n, err := m.run(dir)
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		if events == 0 {
			events = n
		}
		sums[m.name] = sink
		want := events
		switch m.name {
		case callTyped, callTimely:
			want -= 4 // main and its first calls have no type
		case fewCalls, fewCallIndex:
			want = 2
		}
		if n != want || want == events && n < 12 {
			t.Errorf("%s: %d events, want %d of %d", m.name, n, want, events)
		}
	}
	if sums[callWalk] != sums[callMerge] || sums[callTyped] != sums[callTimely] || sums[callTyped] == 0 {
		t.Error("the orders differ", sums)
	}
}

func TestReplacePart(t *testing.T) {
	page := "top\n\n## AIX\nold\n\n## uftrace\nrows\n"
	for title, want := range map[string]string{
		hooksTitle: "top\n\n## AIX\nnew\n\n## uftrace\nrows\n",
		callsTitle: "top\n\n## AIX\nold\n\n## uftrace\nnew\n",
		"\n## X\n": page + "\n## X\nnew\n",
	} {
		if got := string(replacePart([]byte(page), title, []byte(title+"new\n"))); got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
	}
}
