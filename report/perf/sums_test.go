package perf_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/packed"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
)

// groupOf612 is a recording that perf before 6.13 counts wrongly (testdata/differences.md): it
// mixes the counters of threads.
const groupOf612 = "group-read.p612"

// TestStats compares the numbers of records with the numbers of perf report --stats. For
// groupOf612, the number of samples is the number of lines that perf 7.2 prints.
func TestStats(t *testing.T) {
	n := 0
	for _, s := range perftest.All(t) {
		want := s.Texts["stats.txt"]
		if want == "" { // perf cannot read it
			continue
		}
		n++
		if s.Name == groupOf612 {
			want = countedLines(t, want)
		}
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

// ofEvent matches the number of samples of an event in the text of perf report --stats.
var ofEvent = regexp.MustCompile(`(\S+) stats:\n +SAMPLE events: +(\d+)\n`)

// countedLines replaces the numbers of samples in a text of groupOf612 with the numbers of lines
// that perf 7.2 prints.
func countedLines(t *testing.T, text string) string {
	t.Helper()
	lines := ""
	for _, f := range packed.Files(t, filepath.Join(needs.Root(t), "testdata/perf/options.tar.zst")) {
		head, body, _ := strings.Cut(string(f.Data), "\n")
		if strings.TrimSpace(head) == "7.2\tamd64-6.18/"+groupOf612 {
			lines = body
		}
	}
	if lines == "" {
		t.Fatal("no lines of perf 7.2")
	}
	n := 0
	text = ofEvent.ReplaceAllStringFunc(text, func(event string) string {
		n++
		parts := ofEvent.FindStringSubmatch(event)
		printed := strings.Count(lines, " "+parts[1]+": ")
		return strings.Replace(event, " "+parts[2]+"\n", fmt.Sprintf(" %d\n", printed), 1)
	})
	if n != 4 {
		t.Fatalf("%d events", n)
	}
	return text
}

// Perf evlist takes names of tracepoints from the machine on which it runs. In a recording of a
// pipe, it finds no names (testdata/differences.md).
var (
	ofTracepoint = regexp.MustCompile(`(config: 0x[0-9a-f]+) \([^)]*\)`)
	ofPipe       = regexp.MustCompile(`^(unknown tracepoint( id=0x[0-9a-f]+)?|\w+:\w+): `)
)

// TestEvlist compares the attributes of events with the output of perf evlist -v.
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
