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

// script prints a sample.
func script(t *testing.T, s *perftest.Sample, opening sources.Options, o *perf.Options) string {
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
	job := &report.Job{Out: &out, Job: sources.Job{
		Path: path, Opening: opening, Warn: func(err error) { t.Logf("warning: %v", err) },
	}}
	if err := job.Finish(perf.Script(context.Background(), job, o)); err != nil {
		t.Logf("error: %v", err)
	}
	return out.String()
}

const all = perf.TaskEvents | perf.MmapEvents | perf.SwitchEvents | perf.LostEvents | perf.NamespaceEvents |
	perf.CgroupEvents | perf.BPFEvents | perf.TextPokeEvents

// options returns the options that a text was made with; false for texts of other commands.
func options(s *perftest.Sample, kind string) (*perf.Options, bool) {
	kind, byVersion, _ := strings.Cut(strings.TrimSuffix(kind, ".txt"), "-p")
	o := &perf.Options{MaxStack: perf.DefaultMaxStack, Like: "7.2"}
	for suffix, version := range map[string]string{"p61": "6.1", "p612": "6.12", "p72": "7.2"} {
		if strings.HasSuffix(s.Name, "."+suffix) || "p"+byVersion == suffix {
			o.Like = version
		}
	}
	switch kind {
	case "script", "script-7.2":
	case "script-events":
		o.Nanoseconds, o.Sides = true, all
	case "script-trace":
		o.Fields = []string{"comm,pid,tid,cpu,time,event,trace"}
	default:
		return nil, false
	}
	return o, true
}

// TestScript compares texts with those of perf script.
func TestScript(t *testing.T) {
	for _, group := range perftest.Groups {
		opening := symbols(t, group)
		for _, s := range perftest.Samples(t, group) {
			if s.Name == "stat-record.p612" { // whose text is perf stat's
				continue
			}
			for kind, want := range s.Texts {
				if o, ok := options(s, kind); ok {
					t.Run(group+"/"+s.Name+"/"+kind, func(t *testing.T) { compare(t, script(t, s, opening, o), want) })
				}
			}
		}
	}
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
