package perf_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
)

// script prints a sample.
func script(t *testing.T, s *perftest.Sample, o *perf.Options, opening sources.Options) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "perf.data")
	var err error
	if s.Dir != nil {
		err = os.CopyFS(name, s.Dir)
	} else {
		err = os.WriteFile(name, s.Data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	job := &report.Job{Out: &out}
	job.Path, job.Opening = name, opening
	job.Warn = func(err error) { t.Logf("warning: %v", err) }
	if err := perf.Script(context.Background(), job, o); err != nil {
		t.Logf("error: %v", err)
	}
	return out.String()
}

// TestTrace compares the lines of tracepoints, without addresses, with those of perf script.
func TestTrace(t *testing.T) {
	for _, s := range perftest.All(t) {
		want, ok := s.Texts["script-trace.txt"]
		if !ok || s.Name == "stat-record.p612" { // whose text is perf stat's
			continue
		}
		t.Run(s.Group+"/"+s.Name, func(t *testing.T) {
			got := script(t, s, &perf.Options{Fields: []string{"comm,pid,tid,cpu,time,event,trace"}, Like: like(s), MaxStack: 127}, symbols(t, s.Group))
			compare(t, got, want)
		})
	}
}

// like is the version of perf that made the texts of a sample.
func like(s *perftest.Sample) string {
	for suffix, version := range map[string]string{".p61": "6.1", ".p612": "6.12", ".p72": "7.2"} {
		if strings.HasSuffix(s.Name, suffix) {
			return version
		}
	}
	return "7.2"
}

// compare reports the first lines that differ, and how many there are.
func compare(t *testing.T, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	bad := 0
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x == y {
			continue
		}
		if bad++; bad < 4 {
			t.Errorf("line %d\n got %q\nwant %q", i+1, x, y)
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d lines differ", bad, len(b))
	}
}
