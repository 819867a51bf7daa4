package perf_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
)

var capturedOn = regexp.MustCompile(`(?m)^# captured on    : (.*)$`)

// tracepoints have a name after their number, which perf takes from the machine that it runs on.
var tracepointName = regexp.MustCompile(`(type = 2 .*, config = 0x[0-9a-f]+) \([^)]*\)`)

// TestHeader compares the headers of recordings with those of perf report --header-only -I.
func TestHeader(t *testing.T) {
	utc(t)
	n := 0
	for _, s := range perftest.All(t) {
		if want := s.Texts["header.txt"]; want != "" {
			n++
			compareHeader(t, s, want, version(s, ""), perf.FullHeader)
		}
		if want := s.Texts["header-6.1.txt"]; want != "" {
			n++
			compareHeader(t, s, want, "6.1", perf.FullHeader)
		}
		if want := s.Texts["header-short-6.1.txt"]; want != "" {
			n++
			compareHeader(t, s, want, "6.1", perf.Header)
		}
	}
	if n < 50 {
		t.Errorf("only %d texts", n)
	}
}

// utc sets the time zone of the texts.
func utc(t *testing.T) {
	zone := time.Local
	t.Cleanup(func() { time.Local = zone })
	time.Local = time.UTC
}

func compareHeader(t *testing.T, s *perftest.Sample, want, like string, text perf.HeaderText) {
	t.Helper()
	got := printed(t, s, sources.Options{}, func(ctx context.Context, job *report.Job) error {
		write(t, job.Path, want)
		return perf.PrintHeader(ctx, job, like, text)
	})
	plain := func(text string) string { return tracepointName.ReplaceAllString(text, "$1") }
	if d := cmp.Diff(plain(want), plain(got)); d != "" {
		t.Errorf("%s/%s (-want +got):\n%s", s.Group, s.Name, d)
	}
}

// write gives a file the time of a header.
func write(t *testing.T, path, header string) {
	t.Helper()
	m := capturedOn.FindStringSubmatch(header)
	if m == nil {
		t.Fatal("a header without a time")
	}
	at, err := time.Parse(time.ANSIC, m[1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(path, "data")); err == nil {
		path = filepath.Join(path, "data")
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

var _ = strings.TrimSpace
