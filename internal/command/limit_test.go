package command

import (
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
)

// limitSamples are recordings, with the beginning of an event's line in their reports.
var limitSamples = map[string]string{
	"ftrace/amd64-extract.dat":                  `^ +\S+-\d+ +\[\d+\]`,
	"ftrace/sid-zlib.dat":                       `^ +\S+-\d+ +\[\d+\]`,
	"aix/shop64.trc":                            `^[0-9A-F]{3,4} +[0-9.]+ +[0-9.]+`,
	"uftrace/abc-full/data.tar.gz":              `^.*\[ *\d+\] \|`,
	"lttng/realwriter/ust26-le64-packed.tar.xz": `^\S+: \d+\.\d+ \(`,
}

// TestLimit checks that reports and exports contain the first events, for any number of goroutines.
// The exit code reports damage only in the part that was read.
func TestLimit(t *testing.T) {
	for name, pattern := range limitSamples {
		file, event := "../../testdata/"+name, regexp.MustCompile("(?m)"+pattern)
		_, whole, _ := tracec(nil, "report", file)
		want := event.FindAllStringIndex(whole, 4)
		for _, jobs := range []string{"1", "4"} {
			code, got, errs := tracec(nil, "report", "-n", "3", "--jobs", jobs, file)
			if n := len(event.FindAllString(got, -1)); n != 3 || code != 0 || errs != "" ||
				!strings.HasPrefix(got, whole[:want[3][0]]) {
				t.Errorf("%s, %s jobs: report has %d events; exit code %d, %s\n%s", name, jobs, n, code, errs, got)
			}
			_, rows, _ := tracec(nil, "export", "--to", "ndjson", "--jobs", jobs, file)
			code, got, errs = tracec(nil, "export", "--to", "ndjson", "-n", "3", "--jobs", jobs, file)
			if !strings.HasPrefix(rows, got) || strings.Count(got, "\n") != 3 || code != 0 || errs != "" {
				t.Errorf("%s, %s jobs: export has %d lines; exit code %d, %s", name, jobs, strings.Count(got, "\n"),
					code, errs)
			}
		}
		if _, got, _ := tracec(nil, "report", "-n", "0", file); got != whole {
			t.Errorf("%s: -n 0 is not all", name)
		}
		code, got, _ := tracec(nil, "report", "-R", "-n", "2", file)
		if _, raw, _ := tracec(nil, "report", "-R", file); code != 0 || len(got) >= len(raw) && len(raw) > 2000 {
			t.Errorf("%s: report -R -n 2 has %d of %d bytes", name, len(got), len(raw))
		}
		_, _, errs := tracec(nil, "export", "--to", "perfetto", "-n", "3", "-o", filepath.Join(t.TempDir(), "out"),
			file)
		if !strings.Contains(errs, ": 3 events, ") {
			t.Errorf("%s: %s", name, errs)
		}
	}
}

// TestLimitReadsLess: nothing after the last event is read, and damage there is not reported.
func TestLimitReadsLess(t *testing.T) {
	job := &report.Job{Job: sources.Job{Path: "../../docs/testdata/graph.dat", Warn: func(err error) { t.Error(err) }},
		Out: io.Discard}
	sys, err := job.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := all.Of(sys).Report(t.Context(), job, &report.Options{Options: selection.Options{Limit: 3}}); err != nil {
		t.Fatal(err)
	}
	if _, done, total := job.Position(); total == 0 || done > total/4 {
		t.Errorf("%d of %d bytes were read", done, total)
	}
	if err := job.Finish(nil); err != nil {
		t.Error(err)
	}
}

// TestLimitOfLists: lists and tables end after that many lines.
func TestLimitOfLists(t *testing.T) {
	file := "../../testdata/ftrace/amd64-extract.dat"
	_, whole, _ := tracec(nil, "list", file)
	code, got, errs := tracec(nil, "list", "-n", "3", file)
	if !strings.HasPrefix(whole, got) || strings.Count(got, "\n") != 3 || code != 0 || errs != "" {
		t.Errorf("list: exit code %d, %s\n%s", code, errs, got)
	}
	if _, got, _ = tracec(nil, "stat", "--by", "thread", "-n", "3", file); strings.Count(got, "\n") != 1+1+1+3 {
		t.Errorf("stat:\n%s", got)
	}
	if _, got, _ = tracec(nil, "vet", "-v", "-n", "3", file); strings.Count(got, "\n") != 3+1 {
		t.Errorf("vet:\n%s", got)
	}
	for _, args := range [][]string{{"report", "-n", "x", file}, {"stat", "-n", "-1", file},
		{"live", "-e", "sched", "-n", "3", "-o", "x.dat"}} {
		if code, _, errs := tracec(nil, args...); code != exitUsage && args[0] != "live" {
			t.Errorf("%q: exit code %d, %s", args, code, errs)
		}
	}
}
