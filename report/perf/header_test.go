package perf_test

import (
	"bytes"
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
	recorded "github.com/tracec/tracec/runtime/perf"
)

var capturedOn = regexp.MustCompile(`(?m)^# captured on    : (.*)$`)

// tracepointName matches the name after the number of a tracepoint. Perf takes the name from the
// machine on which it runs.
var tracepointName = regexp.MustCompile(`(type = 2 .*, config = 0x[0-9a-f]+) \([^)]*\)`)

// TestHeader compares the headers of recordings with the output of perf report --header-only -I.
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
// Otherwise perf treats the places of processors as missing (testdata/differences.md).
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

// write sets the time of a file to the time in a header.
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

// TestHeaderFirst prints headers before events and before sums.
func TestHeaderFirst(t *testing.T) {
	utc(t)
	for _, name := range []string{"clock.p61", "pipe-clock.p612", "threads.p612"} {
		s := sample(t, name)
		text := func(print func(context.Context, *report.Job) error) string {
			return printed(t, s, sources.Options{}, func(ctx context.Context, job *report.Job) error {
				write(t, job.Path, s.Texts["header.txt"])
				return print(ctx, job)
			})
		}
		script := func(h perf.HeaderText) string {
			o := &perf.Options{MaxStack: perf.DefaultMaxStack, Header: h}
			return text(func(ctx context.Context, job *report.Job) error { return perf.Script(ctx, job, o) })
		}
		stats := func(h perf.HeaderText) string {
			return text(func(ctx context.Context, job *report.Job) error { return perf.Stats(ctx, job, "", h) })
		}
		for _, h := range []perf.HeaderText{perf.Header, perf.FullHeader} {
			header := text(func(ctx context.Context, job *report.Job) error {
				return perf.PrintHeader(ctx, job, "", h)
			})
			if d := cmp.Diff(header+script(perf.NoHeader), script(h)); d != "" {
				t.Errorf("%s, script %d: %s", name, h, d)
			}
			if d := cmp.Diff(header+stats(perf.NoHeader), stats(h)); d != "" {
				t.Errorf("%s, stats %d: %s", name, h, d)
			}
		}
	}
}

func sample(t *testing.T, name string) *perftest.Sample {
	for _, s := range perftest.All(t) {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no sample %s", name)
	return nil
}

// TestInfo compares the facts of tracec info with lines of perf's header.
func TestInfo(t *testing.T) {
	utc(t)
	same := map[string]string{ // from our line to perf's line
		"host: ": "# hostname : ", "kernel: ": "# os release : ", "perf: ": "# perf version : ",
		"architecture: ": "# arch : ", "processor: ": "# cpudesc : ", "memory: ": "# total memory : ",
	}
	n := 0
	for _, s := range perftest.All(t) {
		header := s.Texts["header.txt"]
		if header == "" {
			continue
		}
		text := printed(t, s, sources.Options{}, func(ctx context.Context, job *report.Job) error {
			f, err := perf.System().Info(ctx, job)
			if err != nil {
				return err
			}
			_, err = job.Out.Write(f.Text)
			return err
		})
		for ours, theirs := range same {
			want := strings.Replace(lineOf(header, theirs), " kB", " KiB", 1)
			if got := lineOf(text, ours); got != want {
				t.Errorf("%s: %s%q, perf %q", s.Name, ours, got, want)
			}
			n++
		}
		want := lineOf(header, "# nrcpus avail : ") + ", " + lineOf(header, "# nrcpus online : ") + " online; "
		if got := lineOf(text, "processors: "); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, perf %q", s.Name, got, want)
		}
	}
	if n == 0 {
		t.Error("no texts")
	}
}

// lineOf returns the rest of the first line that begins with a text.
func lineOf(text, begin string) string {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, begin); ok {
			return strings.TrimSuffix(rest, "\n")
		}
	}
	return ""
}
