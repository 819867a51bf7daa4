package uftracetest

import (
	"cmp"
	"fmt"
	"slices"

	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// switches holds the drawn events of files of perf.
type switches struct {
	wild bool
	list []switched
}

// switched is a drawn event.
type switched struct {
	cpu, tid int
	time     uint64
	event    string // see perfFile
}

// switcher draws the events of a thread. A nil switcher draws none.
type switcher struct {
	all *switches
	tid int
}

// of returns the switcher of a thread. s may be nil.
func (s *switches) of(tid int) *switcher {
	if s == nil {
		return nil
	}
	return &switcher{s, tid}
}

// pass draws the events of a thread from a time on, and returns the time after them. Wild threads
// may come back without having left, and leave twice.
func (s *switcher) pass(t *rapid.T, time uint64, pace int) uint64 {
	if s == nil || rapid.IntRange(0, 3).Draw(t, "switch") > 0 {
		return time
	}
	later := func() { time += uint64(pace * rapid.IntRange(0, 30).Draw(t, "away")) }
	for again := true; again; again = rapid.IntRange(0, 2).Draw(t, "once more") == 0 {
		what := rapid.IntRange(0, 39).Draw(t, "kind")
		if !s.all.wild {
			what = max(what, 2)
		}
		switch {
		case what == 0:
			s.add(t, time, "in")
		case what == 1:
			s.add(t, time, "out")
		case what >= 37:
			s.add(t, time, []string{"name=renamed", "exit", "new"}[what-37])
		default:
			s.add(t, time, rapid.SampledFrom([]string{"out", "out", "pre-empt"}).Draw(t, "how"))
			later()
			s.add(t, time, "in")
		}
		later()
	}
	return time
}

// end draws whether the thread leaves its processor at a time and does not come back.
func (s *switcher) end(t *rapid.T, time uint64) {
	if s != nil && rapid.IntRange(0, 2).Draw(t, "stays away") == 0 {
		s.add(t, time, "out")
	}
}

func (s *switcher) add(t *rapid.T, time uint64, event string) {
	cpu := s.tid % 3
	if rapid.IntRange(0, 5).Draw(t, "migrated") == 0 {
		cpu = rapid.IntRange(0, 2).Draw(t, "cpu")
	}
	s.all.list = append(s.all.list, switched{cpu, s.tid, time, event})
}

// files returns the files of perf as text. Files of wild threads may be out of order, since they
// are drawn thread by thread.
func (s *switches) files() (list []txtar.File) {
	if s == nil {
		return nil
	}
	slices.SortStableFunc(s.list, func(a, b switched) int {
		if s.wild && len(s.list)%4 == 0 {
			return cmp.Compare(a.cpu, b.cpu)
		}
		return cmp.Or(cmp.Compare(a.cpu, b.cpu), cmp.Compare(a.time, b.time))
	})
	for cpu := range 3 {
		f := txtar.File{Name: fmt.Sprintf("perf-cpu%d.dat", cpu)}
		for _, e := range s.list {
			if e.cpu == cpu {
				f.Data = fmt.Appendf(f.Data, "%d %s %d\n", e.time, e.event, e.tid)
			}
		}
		list = append(list, f)
	}
	return list
}

// Switching returns a long recording of three threads that leave their processors and come back.
// One does so between its calls, one during calls, and one has no other events for most of the
// time.
func Switching(t testing.TB) fstest.MapFS {
	t.Helper()
	const length = 1_000_000 // in ns
	perf := &switches{}
	archive := &txtar.Archive{Files: []txtar.File{{Name: "task.txt",
		Data: []byte("SESS timestamp=0.000000900 pid=100 sid=5d7d80d2d0c72d41 exename=\"/x/prog\"\n" +
			"TASK timestamp=0.000000901 tid=100 pid=100\nTASK timestamp=0.000000902 tid=101 pid=100\nTASK timestamp=0.000000903 tid=102 pid=100\n")}}}
	for tid, calls := range map[int]func(time uint64, add func(uint64, string, int)) uint64{
		100: func(time uint64, add func(uint64, string, int)) uint64 {
			add(time, "a", 1)
			add(time+10, "b", 2)
			return time + 20
		},
		101: func(time uint64, add func(uint64, string, int)) uint64 {
			add(time, "a", 1)
			add(time+200, "", 0)
			add(time+300, "b", 2)
			return time + 310
		},
		102: func(time uint64, add func(uint64, string, int)) uint64 {
			add(time, "c", 1)
			for i := range uint64(100) {
				add(time+10+200*i, "", 0)
			}
			return time + 20_100
		},
	} {
		text := []byte("1000 entry main 0\n")
		for i, event := range []string{"new", "in", "name=renamed"} {
			perf.list = append(perf.list, switched{tid % 2, tid, uint64(990 + i), event})
		}
		var open []string
		add := func(time uint64, name string, depth int) {
			for ; len(open) > 0 && (name != "" && len(open) >= depth); open = open[:len(open)-1] {
				text = fmt.Appendf(text, "%d exit %s %d\n", time-1, open[len(open)-1], len(open))
			}
			if name == "" {
				perf.list = append(perf.list, switched{tid % 2, tid, time, "out"},
					switched{tid % 2, tid, time + 50, "in"})
				return
			}
			text = fmt.Appendf(text, "%d entry %s %d\n", time, name, depth)
			open = append(open, name)
		}
		n := 0
		for time := uint64(2000); time < length; n++ {
			if time = calls(time, add); n%50 == 49 {
				add(time, "", 0)
				time += 100
			}
		}
		archive.Files = append(archive.Files, txtar.File{Name: fmt.Sprint(tid, ".dat"), Data: text})
	}
	archive.Files = append(archive.Files, perf.files()...)
	c := Case{Files: fstest.MapFS{}}
	if err := c.fill(archive); err != nil {
		t.Fatal(err)
	}
	return c.Files
}
