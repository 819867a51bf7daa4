package uftracetest

import (
	"cmp"
	"fmt"
	"slices"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// switches are the events of files of perf that are drawn.
type switches struct {
	wild bool
	list []switched
}

// switched is one of them.
type switched struct {
	cpu, tid int
	time     uint64
	event    string // see perfFile
}

// switcher draws the events of a thread. A nil one draws none.
type switcher struct {
	all *switches
	tid int
}

// of returns what draws the events of a thread. s may be nil.
func (s *switches) of(tid int) *switcher {
	if s == nil {
		return nil
	}
	return &switcher{s, tid}
}

// pass draws what happens to the thread at a time, and returns when that has ended. Wild threads come back that have not left, and leave twice.
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
		case what == 38:
			s.add(t, time, "name=renamed")
		case what == 39:
			s.add(t, time, "exit")
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

// files returns the files of perf as text. Those of wild threads may be out of order, as they are drawn thread by thread.
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
