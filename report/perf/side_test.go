package perf_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
	"github.com/tracec/tracec/runtime/index"
	runtime "github.com/tracec/tracec/runtime/perf"
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

// TestNoFieldsOfKind: if no field follows a kind, its events are not printed.
func TestNoFieldsOfKind(t *testing.T) {
	for _, s := range perftest.Samples(t, "amd64-6.18") {
		if s.Name != "clock.p61" {
			continue
		}
		whole := script(t, s, symbols(t, s.Group), &perf.Options{Fields: []string{"comm,tid"}})
		for fields, want := range map[string]string{"sw:": "", "hw:": "", "sw:comm,tid": whole, ",comm,,tid": whole} {
			if got := script(t, s, symbols(t, s.Group), &perf.Options{Fields: []string{fields}}); got != want {
				t.Errorf("-F %s: %d bytes, want %d", fields, len(got), len(want))
			}
		}
		return
	}
	t.Error("no recording")
}

// TestTimesByIndex: an index does not change the lines of a time range.
func TestTimesByIndex(t *testing.T) {
	n := 0
	for _, s := range perftest.All(t) {
		if s.Dir != nil || !strings.Contains(s.Name, "sched") {
			continue
		}
		name := filepath.Join(t.TempDir(), "perf.data")
		if err := os.WriteFile(name, s.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		rec, err := runtime.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		x, err := rec.Index(t.Context())
		last := rec.Info().Last
		rec.Close()
		if err != nil || last == 0 {
			continue // packed, or without the times that the parts need
		}
		b, err := x.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		var texts [2]string
		for i := range texts {
			var out bytes.Buffer
			job := &report.Job{Out: &out, Job: sources.Job{Path: name, Warn: func(err error) { t.Log(err) }}}
			err := perf.Script(t.Context(), job, &perf.Options{Times: "60%-100%", Sides: perf.TaskEvents})
			if job.Finish(err) != nil {
				t.Fatal(err)
			}
			texts[i] = out.String()
			if err := os.WriteFile(index.Name(name), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if n += len(texts[1]); texts[0] != texts[1] {
			t.Errorf("%s: %d bytes, want %d", s.Name, len(texts[1]), len(texts[0]))
		}
	}
	if n < 10000 {
		t.Errorf("%d bytes", n)
	}
}

// TestSideHeads: the fields before a side-band record are the fields of the event with its id, or
// of the first event. Perf 6.1 printed the expected lines.
func TestSideHeads(t *testing.T) {
	want := []string{ // for cpu_core/cycles/ and for dummy, a software event
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
