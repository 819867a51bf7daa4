package perf_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/perftest"
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
	quick := []string{"clock-fp.p61", "clock-fp.p72", "uprobe-fp.p72", "inject-b.p61", "kprobe", "clock-z", "clock-fp", "quipper-raw_callgraph_branch-3.4"}
	for _, group := range perftest.Groups {
		opening := symbols(t, group)
		for _, s := range perftest.Samples(t, group) {
			// User frames of dwarf are not unwound, and group-read lacks the lines of members.
			if strings.Contains(s.Name, "dwarf") || strings.HasPrefix(s.Name, "group-read") || !needs.LongProofs(t) && !slices.Contains(quick, s.Name) {
				continue
			}
			for _, kind := range []string{"script.txt", "script-p61.txt", "script-p72.txt", "script-7.2.txt"} {
				want := frames(s.Texts[kind])
				if len(want) == 0 {
					continue
				}
				o := &perf.Options{Like: like(s), MaxStack: perf.DefaultMaxStack}
				if kind == "script-p61.txt" {
					o.Like = "6.1"
				}
				t.Run(group+"/"+s.Name+"/"+kind, func(t *testing.T) {
					got := frames(script(t, s, o, opening))
					compare(t, strings.Join(got, "\n"), strings.Join(want, "\n"))
				})
			}
		}
	}
}
