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

// symbols returns the options that perf's own texts were made with (testdata/perf/README.md).
func symbols(t *testing.T, group string) (o sources.Options) {
	dir := t.TempDir()
	put := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	o.Symfs = filepath.Join(dir, "symfs")
	put("symfs/empty", nil)
	if group != "public" {
		o.Kallsyms = put("kallsyms", perftest.File(t, group, "kallsyms"))
	}
	if group == "amd64-6.18" {
		put("symfs/opt/demo/hot", perftest.File(t, group, "hot"))
	}
	return o
}

// script returns the text of a sample.
func script(t *testing.T, s *perftest.Sample, o sources.Options) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "perf.data")
	err := os.WriteFile(path, s.Data, 0o666)
	if s.Dir != nil {
		err = os.CopyFS(path, s.Dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	job := &report.Job{Job: sources.Job{Path: path, Opening: o, Warn: func(err error) { t.Logf("%s: %v", s.Name, err) }}, Out: &out}
	if err := job.Finish(perf.System().Report(context.Background(), job, &report.Options{})); err != nil {
		t.Logf("%s: %v", s.Name, err)
	}
	return out.String()
}

// frames returns the lines of the frames of call chains.
func frames(text string) (list []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "\t") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

// TestFrames compares the frames of call chains with perf's.
func TestFrames(t *testing.T) {
	all := 0
	for _, group := range perftest.Groups {
		opening := symbols(t, group)
		for _, s := range perftest.Samples(t, group) {
			for kind, text := range s.Texts {
				want := frames(text)
				if kind != "script.txt" && kind != "script-p72.txt" && kind != "script-7.2.txt" || len(want) == 0 {
					continue
				}
				got := frames(script(t, s, opening))
				all += len(got)
				bad := 0
				for i := range min(len(got), len(want)) {
					if got[i] != want[i] {
						if bad++; bad < 4 {
							t.Errorf("%s/%s: frame %d is %q, perf %q", group, s.Name, i, got[i], want[i])
						}
					}
				}
				if len(got) != len(want) || bad > 0 {
					t.Errorf("%s/%s: %d frames, perf %d; %d differ", group, s.Name, len(got), len(want), bad)
				}
			}
		}
	}
	t.Logf("%d frames", all)
}
