package uftracetest

import (
	"bytes"
	"fmt"
	"testing/fstest"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/runtime/uftrace"
)

// Random draws a recording of a few threads. Mostly their calls nest. Some calls are lost, some
// jump, there are events, and sometimes a time steps back or a depth is wrong. Half of the
// recordings have files of perf with the times when threads leave their processors and come back.
// Two functions of different sizes have the same name.
func Random(t *rapid.T) fstest.MapFS {
	archive := &txtar.Archive{}
	var tasks []byte
	tasks = append(tasks, "SESS timestamp=0.000000900 pid=100 sid=5d7d80d2d0c72d41 exename=\"/x/prog\"\n"...)
	threads, wild := rapid.IntRange(1, 4).Draw(t, "threads"), rapid.Bool().Draw(t, "wild")
	pace := rapid.SampledFrom([]int{1, 1, 100_000}).Draw(t, "pace") // slow ones have durations in all units
	var perf *switches
	if rapid.Bool().Draw(t, "perf") {
		perf = &switches{wild: wild}
	}
	for tid := 100; tid < 100+threads; tid++ {
		child := tid > 100 && rapid.IntRange(0, 2).Draw(t, "child") == 0
		line := "TASK timestamp=0.0000009%02d tid=%d pid=100\n"
		if child {
			line = "FORK timestamp=0.0000009%02d pid=%d ppid=100\n"
		}
		tasks = fmt.Appendf(tasks, line, tid-100, tid)
		archive.Files = append(archive.Files, txtar.File{Name: fmt.Sprint(tid, ".dat"),
			Data: randomThread(t, pace, wild, child, perf.of(tid))})
	}
	archive.Files = append(append(archive.Files, perf.files()...), txtar.File{Name: "task.txt", Data: tasks})
	c := Case{Files: fstest.MapFS{}}
	if err := c.fill(archive); err != nil {
		t.Fatal(err)
	}
	symbols := c.Files["prog.sym"]
	symbols.Data = bytes.Replace(symbols.Data, []byte(" T g\n"), []byte(" T a\n"), 1)
	return c.Files
}

// Any draws a recording: one from Random, or a damaged one of recordings.
func Any(t *rapid.T, recordings map[string]fstest.MapFS) fstest.MapFS {
	if rapid.Bool().Draw(t, "random") {
		return Random(t)
	}
	return Damaged(t, recordings, 3, true)
}

// randomThread draws the records of a thread. The records of a child of fork begin inside the fork,
// and those of its parent may begin with it.
func randomThread(t *rapid.T, pace int, wild, child bool, perf *switcher) (text []byte) {
	names := []string{"main", "a", "b", "c", "d", "e", "f", "g"}
	builtin := []int{uftrace.EventSchedIn, uftrace.EventSchedOut, uftrace.EventTaskName, uftrace.EventTaskExit}
	special := []string{"fork", "_setjmp", "longjmp", "execl"}
	time, depth := uint64(1000+rapid.IntRange(0, 50).Draw(t, "begin")),
		rapid.SampledFrom([]int{0, 0, 0, 1, 3}).Draw(t, "open")
	var open []string
	for range depth {
		open = append(open, rapid.SampledFrom(names).Draw(t, "around"))
	}
	switch {
	case child:
		time += 100
		open = []string{"main", "a", "fork"}
	case rapid.Bool().Draw(t, "forks"):
		open = []string{"main", "a", "fork"}
		for i, name := range open {
			text = fmt.Appendf(text, "%d entry %s %d\n", time, name, i)
		}
	}
	for range rapid.IntRange(0, 120).Draw(t, "records") {
		time += uint64(pace * rapid.IntRange(0, 20).Draw(t, "later"))
		time = perf.pass(t, time, pace)
		// Each small number, which rapid prefers, has a different meaning.
		what := 37 * rapid.IntRange(0, 99).Draw(t, "what") % 100
		if !wild {
			what %= 90
		}
		switch {
		case what >= 98:
			time -= uint64(rapid.IntRange(0, 100).Draw(t, "earlier"))
			if rapid.IntRange(0, 9).Draw(t, "no time") == 0 {
				text = fmt.Appendf(text, "0 entry c %d\n", len(open))
			}
		case what >= 96:
			text = fmt.Appendf(text, "%d lost %d 0\n", time, rapid.IntRange(1, 5).Draw(t, "missing"))
			open = append(open[:rapid.IntRange(0, len(open)).Draw(t, "left")],
				names[:rapid.IntRange(0, 2).Draw(t, "unseen")]...)
		case what >= 94:
			text = fmt.Appendf(text, "%d entry b %d\n", time, rapid.IntRange(0, 4).Draw(t, "depth"))
		case what == 92:
			text = fmt.Appendf(text, "%d event %d %d\n", time, rapid.SampledFrom(builtin).Draw(t, "event"), len(open))
		case what == 93, what >= 84 && what < 90:
			text = fmt.Appendf(text, "%d event %d %d\n", time, 1000000+rapid.IntRange(0, 1).Draw(t, "event"), len(open))
		case what >= 90 || what < 45 && len(open) < 12:
			name := rapid.SampledFrom(names).Draw(t, "name")
			if what >= 90 {
				name = rapid.SampledFrom(special).Draw(t, "special")
			}
			text = fmt.Appendf(text, "%d entry %s %d\n", time, name, len(open))
			open = append(open, name)
		case len(open) > 0:
			n := len(open) - 1
			text = fmt.Appendf(text, "%d exit %s %d\n", time, open[n], n)
			open = open[:n]
		}
	}
	perf.end(t, time)
	return text
}
