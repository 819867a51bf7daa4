package perf_test

import (
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/report/perf"
)

// TestNoFields: samples without fields have no lines, as in perf 6.1.
func TestNoFields(t *testing.T) {
	for _, s := range perftest.Samples(t, perftest.Made) {
		if s.Name != "branches-chain" {
			continue
		}
		text := script(t, s, symbols(t, "public"), &perf.Options{MaxStack: perf.DefaultMaxStack, Like: "6.1",
			Fields: []string{"ip,sym,dso", "-ip,-sym,-dso"}})
		if text != "" {
			t.Errorf("%q", text)
		}
		return
	}
	t.Error("no recording")
}

// TestSideHeads: the fields in front of a side-band record are those of the event whose id it has,
// or of the first event. The lines are those of perf 6.1.
func TestSideHeads(t *testing.T) {
	want := []string{ // of cpu_core/cycles/, and of dummy, a software event
		"       perf-exec     0     0.000000: PERF_RECORD_COMM: perf-exec:7213/7213",
		"           sleep   101.132497: PERF_RECORD_COMM exec: sleep:7213/7213",
		"           sleep   101.132860: PERF_RECORD_COMM: sleep:7213/7213",
	}
	for _, s := range perftest.Samples(t, "public") {
		if s.Name != "quipper-hybrid_topology" {
			continue
		}
		text := script(t, s, symbols(t, s.Group), &perf.Options{MaxStack: perf.DefaultMaxStack, Like: "6.1",
			Fields: []string{"sw:comm,time,ip,sym"}, Sides: perf.TaskEvents})
		var got []string
		for line := range strings.Lines(text) {
			if strings.Contains(line, "PERF_RECORD_COMM") {
				got = append(got, strings.TrimSuffix(line, "\n"))
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q, want %q", got, want)
		}
		return
	}
	t.Error("no recording")
}
