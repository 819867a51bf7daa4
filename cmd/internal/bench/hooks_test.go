package main

import (
	"path/filepath"
	"testing"
)

// TestHookMeasurements: every event of the stream is decoded and rendered, and both back ends
// render the same.
func TestHookMeasurements(t *testing.T) {
	t.Run("regular", func(t *testing.T) { measureHooks(t, false) })
	t.Run("drawn", func(t *testing.T) { measureHooks(t, true) })
}

func measureHooks(t *testing.T, drawn bool) {
	name := filepath.Join(t.TempDir(), "hooks.raw")
	if err := writeAIX(name, 1e6, drawn); err != nil {
		t.Fatal(err)
	}
	var events int64
	sums := map[string]uint64{}
	for _, m := range hookMeasurements {
		sink = 0
		n, err := m.run(name)
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		if events == 0 {
			events = n
		}
		sums[m.name] = sink
		want := events
		if m.name == hookTyped {
			want-- // the first event, TRACE ON, has no type
		}
		if n != want || n < 10_000 {
			t.Errorf("%s: %d events, want %d of %d", m.name, n, want, events)
		}
	}
	if sums[hookText] != sums[hookPlain] || sums[hookText] == 0 {
		t.Errorf("%d bytes of generated text, %d of interpreted", sums[hookText], sums[hookPlain])
	}
}
