package tables_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
)

var called = []string{
	"syscalls-errors", "syscalls-errors-all", "syscalls-procs", "syscalls-named", "syscalls-compat", "lost-syscalls", "faults-own", "cut-attach", "all-mix",
}

// summed is what perf says of the calls of one kind by one thread.
type summed struct {
	calls, errors   int
	total, min, max int64 // nanoseconds
	lost            bool  // some of them began or ended where events were lost
}

var (
	summaryHead = regexp.MustCompile(`^ .* \((\d+)\), (\d+) events,`)
	summaryRow  = regexp.MustCompile(`^   (\S+) +(\d+) +(\d+) +([\d.]+) +([\d.]+) +[\d.]+ +([\d.]+) +[\d.]+%$`)
)

// summary reads the text of perf trace -s, by thread and name.
func summary(t testing.TB, text string) map[string]summed {
	t.Helper()
	all := map[string]summed{}
	tid := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := summaryHead.FindStringSubmatch(line); m != nil {
			tid = m[1]
		} else if m := summaryRow.FindStringSubmatch(line); m != nil {
			ms := func(s string) int64 { return number(t, strings.Replace(s, ".", "", 1)) * 1000 }
			all[tid+" "+m[1]] = summed{
				calls: int(number(t, m[2])), errors: int(number(t, m[3])), total: ms(m[4]), min: ms(m[5]), max: ms(m[6]),
			}
		}
	}
	return all
}

// sums adds up our rows as perf does: a call without a begin lasts 0, and rt_sigreturn is none.
func sums(t testing.TB, rec *tracec.Recording) map[string]summed {
	t.Helper()
	all := map[string]summed{}
	for row, err := range tables.Syscalls.Rows(context.Background(), rec) {
		if err != nil {
			t.Fatal(err)
		}
		k := fmt.Sprint(row.Thread.TID, " ", row.Name)
		if row.Name == "rt_sigreturn" {
			continue
		}
		s := all[k]
		s.lost = s.lost || row.NoBegin == tables.Lost || row.NoEnd == tables.Lost
		if row.NoEnd == tables.Known {
			dur, _ := row.Dur()
			if s.calls == 0 || int64(dur) < s.min {
				s.min = int64(dur)
			}
			s.max = max(s.max, int64(dur))
			s.total += int64(dur)
			s.calls++
			if row.Ret < 0 {
				s.errors++
			}
		}
		all[k] = s
	}
	return all
}

func TestSyscallsArePerfs(t *testing.T) {
	for _, name := range called {
		t.Run(name, func(t *testing.T) {
			text, ok := saved(t, name, "perf72-trace-summary.txt")
			if !ok {
				t.Fatal("no text")
			}
			theirs := summary(t, text)
			for k, o := range sums(t, recording(t, name)) {
				p, ok := theirs[k]
				near := func(a, b int64) bool { return max(a-b, b-a) <= 1000 }
				if !ok && o.calls == 0 {
					continue
				}
				if o.calls != p.calls || o.errors != p.errors || !near(o.total, p.total) || !near(o.min, p.min) || !near(o.max, p.max) {
					t.Errorf("%s: %+v, perf %+v", k, o, p)
				}
				delete(theirs, k)
			}
			for k, p := range theirs {
				t.Errorf("%s: perf %+v", k, p)
			}
		})
	}
}
