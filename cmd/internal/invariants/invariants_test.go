package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/needs"
)

var patterns = []string{
	"ftrace/*.dat", "ftrace/*.tar.zst", "ftrace/*/*.dat", "ftrace/*/raw-*.tar.zst", "ftrace-public/*.dat",
	"uftrace/*/data.tar.gz", "lttng/*/*.tar.xz", "lttng/*/*.tar.gz", "aix/*.trc",
}

// exception is an invariant that a recording may violate.
type exception struct {
	match, rule, why string
	// evident reports whether the recording itself, or the command that made it, shows the reason.
	evident func(t *testing.T, name string) bool
}

var exceptions = []exception{
	{"filter-f.dat", "switch of another task", "record -f leaves switches out", command(" -f ")},
	{"pid-follow.dat", "switch of another task", "record -F records one command and its children", command(" -F ")},
	{"made-flags.dat", "time goes back", "no kernel recorded it", func(*testing.T, string) bool { return true }},
	{"v26-*.tar.xz", "switch of another task", "a generator counts the tasks: each switch is to the next number",
		countedTasks},
}

// command returns a function that reports whether a recording was made with an option.
func command(option string) func(*testing.T, string) bool {
	return func(t *testing.T, name string) bool {
		text, err := os.ReadFile(strings.TrimSuffix(name, ".dat") + ".cmd")
		return err == nil && strings.Contains(string(text), option)
	}
}

// countedTasks reports whether every switch is to the task with the next number.
func countedTasks(t *testing.T, name string) bool {
	rec, err := tracec.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec)
	if err != nil {
		t.Fatal(err)
	}
	for ev := range r.All() {
		if ev.Type.Name == "sched_schedule" {
			prev, _ := ev.Field("prev_pid")
			if next, _ := ev.Field("next_pid"); next.Int() != prev.Int()+1 {
				return false
			}
		}
	}
	return true
}

func excused(t *testing.T, name, rule string) bool {
	for _, e := range exceptions {
		if ok, _ := filepath.Match(e.match, filepath.Base(name)); ok && e.rule == rule && e.evident(t, name) {
			return true
		}
	}
	return false
}

func TestRecordings(t *testing.T) {
	looked := map[string]int{}
	folders := []string{"../../../testdata"}
	if needs.LongProofs(t) {
		folders = append(folders, needs.SharedData(t)) // the shared data may be missing
	}
	for _, folder := range folders {
		for _, pattern := range patterns {
			names, err := filepath.Glob(filepath.Join(folder, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				found := newFindings()
				if err := checkFile(name, found); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				for _, f := range found.sorted() {
					if !excused(t, name, f.rule) {
						t.Errorf("%s: %v", name, f)
					}
				}
				for what, n := range found.looked {
					looked[what] += n
				}
			}
		}
	}
	for _, what := range []string{"times", "switches", "graph entries and exits", "calls", "returns", "durations"} {
		if looked[what] == 0 {
			t.Errorf("no %s in any recording", what)
		}
	}
	t.Log(looked)
}

// TestBroken checks that violations are found.
func TestBroken(t *testing.T) {
	found := newFindings()
	s := stream{running: unknown}
	s.time(found, 5, "a")
	s.time(found, 4, "a")
	s.swap(found, 1, 7, 8)
	s.swap(found, 2, 8, 9)
	s.swap(found, 3, 7, 8)
	s.lose()
	s.swap(found, 4, 1, 2)
	list := found.sorted()
	if len(list) != 2 || list[0].String() != "switch of another task: 1 times, first from 7 at 3, the last one was to 9" ||
		list[1].String() != "time goes back: 1 times, first a at 4 after 5" {
		t.Error(list)
	}
}
