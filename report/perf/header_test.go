package perf_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
	recorded "github.com/tracec/tracec/runtime/perf"
)

var capturedOn = regexp.MustCompile(`(?m)^# captured on    : (.*)$`)

// tracepointName follows the number of a tracepoint. perf takes it from the machine that it runs on.
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
	if !padded(t, s) {
		got = placesOfCPUs.ReplaceAllString(got, "# Core ID and Socket ID information is not available\n")
	}
	plain := func(text string) string { return tracepointName.ReplaceAllString(text, "$1") }
	if d := cmp.Diff(plain(want), plain(got)); d != "" {
		t.Errorf("%s/%s (-want +got):\n%s", s.Group, s.Name, d)
	}
}

// placesOfCPUs are lines that perf prints only if all texts of a recording are padded to 64 bytes.
// It takes the places of processors for missing otherwise (testdata/differences.md).
var placesOfCPUs = regexp.MustCompile(`(# CPU \d+: Core ID .*\n)+`)

func padded(t *testing.T, s *perftest.Sample) bool {
	if s.Dir != nil {
		return true
	}
	rec, err := recorded.OpenReaderAt(bytes.NewReader(s.Data), int64(len(s.Data)), s.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	const size = 4 + 64
	for _, x := range rec.Info().Sections {
		if x.Feature == recorded.FeatureArch && x.Size < size {
			return false
		}
	}
	return true
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
