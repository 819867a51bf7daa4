package perf_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
)

// TestStats compares the numbers of records with those of perf report --stats. Those of groups as
// perf 6.12 counts them are undone.
func TestStats(t *testing.T) {
	n := 0
	for _, s := range perftest.All(t) {
		want := s.Texts["stats.txt"]
		if want == "" || s.Name == "group-read.p612" { // perf prints nothing of what it cannot read
			continue
		}
		n++
		got := printed(t, s, sources.Options{}, func(ctx context.Context, job *report.Job) error {
			return perf.Stats(ctx, job, version(s, ""), perf.NoHeader)
		})
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s/%s (-want +got):\n%s", s.Group, s.Name, d)
		}
	}
	if n < 50 {
		t.Errorf("only %d texts", n)
	}
}

// perf evlist takes names of tracepoints from the machine that it runs on. In a recording of a pipe
// it finds none (testdata/differences.md).
var (
	ofTracepoint = regexp.MustCompile(`(config: 0x[0-9a-f]+) \([^)]*\)`)
	ofPipe       = regexp.MustCompile(`^(unknown tracepoint( id=0x[0-9a-f]+)?|\w+:\w+): `)
)

// TestEvlist compares the attributes of events with those of perf evlist -v.
func TestEvlist(t *testing.T) {
	n := 0
	for _, s := range perftest.All(t) {
		want, like := s.Texts["evlist.txt"], version(s, "")
		if want == "" {
			want, like = s.Texts["evlist-6.1.txt"], "6.1"
		}
		if want == "" {
			continue
		}
		n++
		got := printed(t, s, sources.Options{}, func(ctx context.Context, job *report.Job) error {
			return perf.Evlist(ctx, job, like, true)
		})
		plain := func(text string) string {
			var lines []string
			for line := range strings.Lines(text) {
				if strings.Contains(line, ": type: 2") {
					line = ofTracepoint.ReplaceAllString(line, "$1")
					if strings.HasPrefix(s.Name, "pipe-") {
						line = ofPipe.ReplaceAllString(line, "tracepoint: ")
					}
				}
				lines = append(lines, line)
			}
			return strings.Join(lines, "")
		}
		if d := cmp.Diff(plain(want), plain(got)); d != "" {
			t.Errorf("%s/%s (-want +got):\n%s", s.Group, s.Name, d)
		}
	}
	if n < 50 {
		t.Errorf("only %d texts", n)
	}
}
