package tables_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
)

// profileKey identifies a line of trace-cmd report --profile.
type profileKey struct {
	tid   int32
	event string // the letter after sched_switch, or "wakeup"
}

// profileSum holds the numbers of the line, in ns.
type profileSum struct{ count, total, most, least uint64 }

func (s *profileSum) add(dur uint64) {
	if s.count == 0 || dur < s.least {
		s.least = dur
	}
	s.count, s.total, s.most = s.count+1, s.total+dur, max(s.most, dur)
}

var (
	profileTask = regexp.MustCompile(`^task: .*-(\d+)$`)
	profileLine = regexp.MustCompile(`^  Event: sched_(switch:(.)|wakeup:0x[0-9a-f]+) \((\d+)\) Total: (\d+) Avg: \d+ Max: (\d+)\(ts:[\d.]+\) Min:(\d+)\(`)
)

// TestThreadStateIsTraceCmds compares the states of threads with trace-cmd report --profile: the
// number, the total, the longest and the shortest.
func TestThreadStateIsTraceCmds(t *testing.T) {
	for _, name := range []string{"sched-mutex", "sched-pingpong", "sched-preempt", "sched-wakeup-only",
		"sched-procs-own", "cut-middle"} {
		t.Run(name, func(t *testing.T) {
			text, _ := saved(t, name, "trace-cmd-profile.txt")
			theirs := profileSums(t, text)
			if len(theirs) < 20 {
				t.Errorf("%d lines of trace-cmd", len(theirs))
			}
			if d := gocmp.Diff(theirs, profileOf(t, recording(t, name)),
				gocmp.AllowUnexported(profileKey{}, profileSum{})); d != "" {
				t.Errorf("(-trace-cmd +ours):\n%s", d)
			}
		})
	}
}

// profileSums reads the lines of trace-cmd.
func profileSums(t *testing.T, text string) map[profileKey]profileSum {
	sums, tid := map[profileKey]profileSum{}, int32(0)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := profileTask.FindStringSubmatch(line); m != nil {
			tid = int32(number(t, m[1]))
		}
		if m := profileLine.FindStringSubmatch(line); m != nil {
			k := profileKey{tid, m[2]}
			if m[2] == "" {
				k.event = "wakeup"
			}
			sums[k] = profileSum{uint64(number(t, m[3])), uint64(number(t, m[4])), uint64(number(t, m[5])),
				uint64(number(t, m[6]))}
		}
	}
	return sums
}

// profileOf sums up the rows of ThreadState as trace-cmd does (testdata/differences.md).
func profileOf(t *testing.T, rec *tracec.Recording) map[profileKey]profileSum {
	wakeups := wakeupsOf(t, rec)
	threads := map[int32]*profiled{}
	sums := map[profileKey]profileSum{}
	for st, err := range tables.ThreadState.Rows(t.Context(), rec) {
		if err != nil {
			t.Fatal(err)
		}
		tid := st.Thread.TID
		if threads[tid] == nil {
			threads[tid] = &profiled{tid: tid, sums: sums}
		}
		threads[tid].row(st, wakeups[tid])
	}
	return sums
}

// wakeupsOf returns the times of sched_wakeup by thread.
func wakeupsOf(t *testing.T, rec *tracec.Recording) map[int32][]uint64 {
	wakeups := map[int32][]uint64{}
	for ev, err := range rec.Events(t.Context(), tracec.WithEvents("sched:sched_wakeup")) {
		if err != nil {
			t.Fatal(err)
		}
		v, _ := ev.Field("pid")
		wakeups[int32(v.Int())] = append(wakeups[int32(v.Int())], ev.Time)
	}
	return wakeups
}

// profiled is trace-cmd's state of a thread. A begin without an end ends when the thread runs
// without an earlier wakeup or an earlier switch from a processor: the last begin ends first.
type profiled struct {
	tid     int32
	sums    map[profileKey]profileSum
	asleep  tables.State // last state of a blocked thread
	outs    []profileBegin
	wakeups []profileBegin
}

// profileBegin is a sched_switch or a sched_wakeup.
type profileBegin struct {
	event string
	time  uint64
}

// add adds a time to a line.
func (p *profiled) add(begin profileBegin, end uint64) {
	k := profileKey{p.tid, begin.event}
	s := p.sums[k]
	s.add(end - begin.time)
	p.sums[k] = s
}

// end ends the last of some begins.
func (p *profiled) end(begins *[]profileBegin, time uint64) {
	if n := len(*begins); n > 0 {
		p.add((*begins)[n-1], time)
		*begins = (*begins)[:n-1]
	}
}

// row adds a row. trace-cmd uses sched_wakeup, our table the sched_waking before it.
func (p *profiled) row(st *tables.State, wakeups []uint64) {
	switch {
	case st.State == "Running":
		return
	case st.State[0] != 'R':
		p.asleep = *st
		if st.NoBegin == tables.Known && st.NoEnd != tables.Known {
			p.outs = append(p.outs, profileBegin{profileLetter(st.State), st.Begin})
		}
		return
	case st.NoBegin != tables.Known:
	case st.Wait == "preempted":
		p.outs = append(p.outs, profileBegin{"W", st.Begin})
	case st.Wait == "yielded":
		p.outs = append(p.outs, profileBegin{"R", st.Begin})
	case st.Wait == "woken" && p.asleep.End == st.Begin && p.asleep.NoBegin == tables.Known:
		i, _ := slices.BinarySearch(wakeups, st.Begin)
		if i == len(wakeups) || st.NoEnd == tables.Known && wakeups[i] > st.End {
			break
		}
		p.add(profileBegin{profileLetter(p.asleep.State), p.asleep.Begin}, wakeups[i])
		p.wakeups = append(p.wakeups, profileBegin{"wakeup", wakeups[i]})
	}
	if st.NoEnd == tables.Known { // the thread runs
		p.end(&p.outs, st.End)
		p.end(&p.wakeups, st.End)
	}
}

// profileLetter returns trace-cmd's letter of a state. trace-cmd has the letters of older kernels.
func profileLetter(state string) string {
	if state == "I" {
		return "K"
	}
	return state
}
