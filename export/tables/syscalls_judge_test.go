package tables_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/runtime/syscalls"
)

// called are recordings of system calls.
var called = []struct {
	name string
	same int // rows that equal Perfetto's slices
	// doubtful counts the threads' calls, by kind, for which perf pairs an end with another call:
	// some of their events are missing.
	doubtful int
}{
	{"syscalls-errors", 277, 0}, {"syscalls-errors-all", 2052, 2}, {"syscalls-procs", 498, 0},
	{"syscalls-named", 198, 0},
	{"syscalls-compat", 0, 0}, {"lost-syscalls", 1082, 3}, {"faults-own", 341, 0}, {"cut-attach", 2758, 1},
	{"all-mix", 1776, 2},
}

// half is an event at the begin or the end of a call.
type half struct {
	time   uint64
	begin  bool
	number int64
	ret    int64
}

// halvesOf reads the events of calls by thread, without package tables. It prefers events of
// raw_syscalls.
func halvesOf(t *testing.T, rec *tracec.Recording) map[int32][]half {
	t.Helper()
	all := map[int32][]half{}
	for _, number := range []string{"id", "__syscall_nr"} {
		for ev, err := range rec.Events(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			if n, ok := ev.Field(number); ok && strings.HasSuffix(ev.Type.System, "syscalls") {
				ret, _ := ev.Field("ret")
				begin := strings.HasPrefix(ev.Type.Name, "sys_enter")
				all[ev.Task] = append(all[ev.Task], half{ev.Time, begin, n.Int(), ret.Int()})
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

// TestSyscallsAreRecorded: a row with both times has two consecutive events of a thread. Each event
// is in one row.
func TestSyscallsAreRecorded(t *testing.T) {
	for _, c := range called {
		t.Run(c.name, func(t *testing.T) {
			rec := recording(t, c.name)
			halves := halvesOf(t, rec)
			events, used := 0, 0
			for _, list := range halves {
				events += len(list)
			}
			at := func(row *tables.Syscall, time uint64, begin bool) int {
				used++
				return slices.IndexFunc(halves[row.Thread.TID],
					func(h half) bool { return h.time == time && h.begin == begin })
			}
			for row, err := range tables.Syscalls.Rows(context.Background(), rec) {
				if err != nil {
					t.Fatal(err)
				}
				list := halves[row.Thread.TID]
				from, to := -1, -1
				if row.NoBegin == tables.Known {
					if from = at(row, row.Begin, true); from < 0 || list[from].number != row.Number {
						t.Errorf("no such begin: %+v", row)
					}
				}
				if row.NoEnd == tables.Known {
					if to = at(row, row.End, false); to < 0 || row.HasRet && list[to].ret != row.Ret {
						t.Errorf("no such end: %+v", row)
					}
				}
				if from >= 0 && to >= 0 && (to != from+1 ||
					list[to].number != row.Number && row.Name != "rt_sigreturn") {
					t.Errorf("not its end: %+v", row)
				}
				if row.HasRet == (row.NoEnd != tables.Known || row.Name == "rt_sigreturn") {
					t.Errorf("a result: %+v", row)
				}
			}
			if used != events {
				t.Errorf("%d of %d events are in rows", used, events)
			}
		})
	}
}

// TestSyscallsArePerfettos compares each call with Perfetto's slice.
func TestSyscallsArePerfettos(t *testing.T) {
	for _, c := range called {
		if c.name == "syscalls-compat" {
			continue // Perfetto makes slices from the events of syscalls: TestCompatCalls
		}
		t.Run(c.name, func(t *testing.T) {
			text, ok := saved(t, c.name, "perfetto-thread_slice.tsv")
			if !ok {
				t.Fatal("no text")
			}
			theirs := map[string]map[string]string{}
			for _, p := range lines(t, text) {
				if p["name"] = strings.TrimPrefix(p["name"], "sys_"); theirs[key(p, "ts", "tid", "name")] != nil {
					t.Fatal("two slices", p)
				}
				theirs[key(p, "ts", "tid", "name")] = p
			}
			same := 0
			replaced := map[string]bool{} // threads whose last row is a replaced call
			for _, o := range rows(t, tables.Syscalls, recording(t, c.name)) {
				nested := replaced[o["tid"]]
				replaced[o["tid"]] = o["reason"] == "replaced"
				if o["ts"] == "NULL" || o["name"] == o["number"] { // slices have a begin and a name
					continue
				}
				k := key(o, "ts", "tid", "name")
				p := theirs[k]
				delete(theirs, k)
				switch {
				case p == nil:
					t.Errorf("not Perfetto's: %v", o)
				case o["dur"] == p["dur"] && o["ret"] == p["ret"], o["dur"] == "NULL" && p["dur"] == "-1":
					same++
				case o["name"] == "rt_sigreturn" && p["dur"] == "0":
				case o["dur"] == p["dur"] && p["ret"] == "NULL" && nested: // the enclosing slice has the result
				// Perfetto ends a slice at a later call with the same name
				case o["dur"] == "NULL" && o["reason"] != "open_end" && o["reason"] != "unpaired":
				default:
					t.Errorf("%v, Perfetto's %v", o, p)
				}
			}
			for _, p := range theirs {
				t.Errorf("not ours: %v", p)
			}
			if same != c.same {
				t.Errorf("%d are Perfetto's, want %d", same, c.same)
			}
		})
	}
}

// TestCompatCalls: events of syscalls are between the events of raw_syscalls. Calls of 32-bit
// programs have no events of syscalls.
func TestCompatCalls(t *testing.T) {
	text, ok := saved(t, "syscalls-compat", "perfetto-thread_slice.tsv")
	if !ok {
		t.Fatal("no text")
	}
	slices := lines(t, text)
	compat := 0
	for _, o := range rows(t, tables.Syscalls, recording(t, "syscalls-compat")) {
		if o["abi"] == "compat?" {
			compat++ // by its number close, in the program read
			if o["name"] != "NULL" || o["number"] != "3" || o["error"] != "EBADF" {
				t.Error(o)
			}
			continue
		}
		name := o["name"]
		if name != "close" && name != "getpid" && name != "getppid" {
			continue
		}
		if len(slices) == 0 {
			t.Fatal("no slice for", o)
		}
		p := slices[0]
		slices = slices[1:]
		from := number(t, p["ts"])
		begin, end := number(t, o["ts"]), number(t, o["ts_end"])
		if p["name"] != "sys_"+name || p["ret"] != o["ret"] || begin >= from || from >= end ||
			end >= from+number(t, p["dur"]) {
			t.Errorf("%v is around %v", o, p)
		}
	}
	if compat != 20 || len(slices) > 0 {
		t.Errorf("%d calls of 32-bit programs, %d slices are left", compat, len(slices))
	}
}

// summed is perf's line for the calls of one kind by one thread.
type summed struct {
	calls, errors   int
	total, min, max int64 // nanoseconds
	doubtful        bool
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
			ns := func(ms string) int64 { return number(t, strings.Replace(ms, ".", "", 1)) * 1000 }
			all[tid+" "+m[1]] = summed{
				calls: int(number(t, m[2])), errors: int(number(t, m[3])), total: ns(m[4]), min: ns(m[5]),
				max: ns(m[6]),
			}
		}
	}
	return all
}

// sums adds up our rows as perf does: a call without a begin lasts 0, rt_sigreturn does not end,
// numbers without a name have no line. Calls of 32-bit programs have wrong names.
func sums(t testing.TB, rec *tracec.Recording) map[string]summed {
	t.Helper()
	all := map[string]summed{}
	for row, err := range tables.Syscalls.Rows(context.Background(), rec) {
		if err != nil {
			t.Fatal(err)
		}
		name := row.Name
		if row.ABI == "compat?" {
			name = syscalls.Of("x86_64")[uint64(row.Number)]
		}
		if name == "rt_sigreturn" || name == strconv.FormatInt(row.Number, 10) {
			continue
		}
		k := fmt.Sprint(row.Thread.TID, " ", name)
		s := all[k]
		for _, why := range []tables.Reason{row.NoBegin, row.NoEnd} {
			s.doubtful = s.doubtful || why == tables.Lost || why == tables.NotRecorded || why == tables.Replaced
		}
		if row.NoEnd == tables.Known {
			dur, _ := row.Dur()
			if s.calls == 0 || int64(dur) < s.min {
				s.min = int64(dur)
			}
			s.max = max(s.max, int64(dur))
			s.total += int64(dur)
			if s.calls++; row.Ret < 0 {
				s.errors++
			}
		}
		all[k] = s
	}
	return all
}

// TestSyscallsArePerfs compares the calls of threads with perf trace -s. perf pairs an end with the
// previous begin, even across losses, which makes its sums longer.
func TestSyscallsArePerfs(t *testing.T) {
	for _, c := range called {
		if c.name == "syscalls-named" {
			continue // perf needs raw_syscalls
		}
		t.Run(c.name, func(t *testing.T) {
			text, ok := saved(t, c.name, "perf72-trace-summary.txt")
			if !ok {
				t.Fatal("no text")
			}
			theirs := summary(t, text)
			near := func(a, b int64) bool { return max(a-b, b-a) <= 1000 } // perf prints microseconds
			doubtful := 0
			for k, o := range sums(t, recording(t, c.name)) {
				if o.calls == 0 {
					continue // no call has ended
				}
				p := theirs[k]
				delete(theirs, k)
				if o.calls != p.calls || o.errors != p.errors {
					t.Errorf("%s: %+v, perf's %+v", k, o, p)
				}
				switch {
				case near(o.total, p.total) && near(o.min, p.min) && near(o.max, p.max):
				case o.doubtful && o.total < p.total:
					doubtful++
				default:
					t.Errorf("%s: %+v, perf's %+v", k, o, p)
				}
			}
			for k, p := range theirs {
				t.Errorf("%s: not ours: %+v", k, p)
			}
			if doubtful != c.doubtful {
				t.Errorf("%d sums differ from perf's, want %d", doubtful, c.doubtful)
			}
		})
	}
}
