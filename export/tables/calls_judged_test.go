package tables_test

import (
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/uftrace"
)

// functionSum is a line of uftrace report for a function.
type functionSum struct {
	total, self uint64 // ns
	calls       int
}

// TestCallsAreUftraces compares the calls of each function with uftrace report. Our rows without an
// end have no duration, but uftrace counts open calls up to the last record of their thread. The
// test computes their time from the events.
func TestCallsAreUftraces(t *testing.T) {
	for _, name := range uftracetest.Saved(t) {
		t.Run(name, func(t *testing.T) {
			ours, reports := callSums(t, uftracetest.Files(t, name)), 0
			for file, text := range uftracetest.Outputs(t, name) {
				if path.Base(file) != "report.txt" {
					continue
				}
				reports++
				found := reportLine.FindAllStringSubmatch(text, -1)
				if len(found) != len(ours) {
					t.Errorf("%s: %d functions, uftrace: %d", file, len(ours), len(found))
				}
				for _, m := range found {
					f := ours[m[4]]
					if total, self := shownTime(f.total), shownTime(f.self); total != m[1] || self != m[2] ||
						strconv.Itoa(f.calls) != m[3] {
						t.Errorf("%s: %s: %q %q %d, uftrace: %q", file, m[4], total, self, f.calls, m[1:4])
					}
				}
			}
			if reports == 0 {
				t.Error("no report")
			}
		})
	}
}

// reportLine is a line of uftrace report: total, self, calls, function. Times of 0 are blank.
var reportLine = regexp.MustCompile(`(?m)^ {2}(.{10}) {2}(.{10}) {2} *(\d+)  (.*)$`)

// shownTime returns a time in the form of uftrace, which cuts off digits that do not fit.
func shownTime(ns uint64) string {
	if ns == 0 {
		return strings.Repeat(" ", 10)
	}
	n, unit := ns, "us"
	if n >= 1e6 {
		n, unit = n/1000, "ms"
	}
	return fmt.Sprintf("%3d.%03d %s", n/1000, n%1000, unit)
}

// callSums sums up the rows of Calls by function as uftrace report does (testdata/differences.md).
func callSums(t *testing.T, files fstest.MapFS) map[string]functionSum {
	rec, err := tracec.OpenFS(t.Context(), files, ".")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	times, addresses := threadTimesOf(t, rec), addressesOf(t, uftracetest.Open(t, files))
	sums := map[string]functionSum{}
	var list []judgedCall
	within := map[[2]int]uint64{} // by thread and depth: the time of calls since the last enclosing call
	for c, err := range tables.Calls.Rows(t.Context(), rec) {
		if err != nil {
			t.Fatal(err)
		}
		inside, around := [2]int{int(c.Thread.TID), c.Depth + 1}, [2]int{int(c.Thread.TID), c.Depth}
		calls := within[inside]
		within[inside] = 0
		j := judgedCall{Call: *c, addr: addresses[callBegin{c.Thread.TID, c.Begin}]}
		if !j.take(t, times) {
			continue
		}
		within[around] += j.dur
		self := j.dur - calls
		if _, ok := c.Dur(); ok {
			if c.Self != self && !c.GapInside {
				t.Errorf("%s at %d: self %d, by the calls within %d", c.Function, c.Begin, c.Self, self)
			}
			self = c.Self
		}
		list = append(list, j)
		f := sums[j.Function]
		f.calls, f.self = f.calls+1, f.self+self
		sums[j.Function] = f
	}
	for i := range list {
		j := &list[i]
		named, addressed := j.around(list)
		if named == j.Outer {
			t.Errorf("%s at %d: outer is %v", j.Function, j.Begin, j.Outer)
		}
		if f := sums[j.Function]; !addressed {
			f.total += j.dur
			sums[j.Function] = f
		}
	}
	return sums
}

// judgedCall is a row with uftrace's Begin and End.
type judgedCall struct {
	tables.Call
	addr, dur uint64
}

// take sets the times, and reports whether uftrace counts the call.
func (j *judgedCall) take(t *testing.T, times *threadTimes) bool {
	tid := j.Thread.TID
	switch {
	case j.NoEnd == tables.Unpaired:
		times.left[tid] = j.Begin // the outermost call comes last
		return false
	case j.NoEnd == tables.OpenEnd && j.NoBegin == tables.OpenBegin:
		j.Function, j.Begin, j.End = "<0>", times.first[tid], times.end(tid)
	case j.NoEnd == tables.OpenEnd:
		j.End = times.end(tid)
	case j.NoEnd != tables.Known:
		t.Errorf("%s ends by %v", j.Function, j.NoEnd)
	case j.NoBegin == tables.OpenBegin && j.Function == "_setjmp":
		j.Begin = times.left[tid]
	case j.NoBegin == tables.OpenBegin:
		j.Begin = j.End
	}
	j.dur = j.End - j.Begin
	return true
}

// around reports whether an enclosing call of j has the same name, and whether one has the same
// address.
func (j *judgedCall) around(list []judgedCall) (named, addressed bool) {
	for i := range list {
		o := &list[i]
		if o.Function == j.Function && o.Module == j.Module && o.Thread == j.Thread && o.Depth < j.Depth &&
			o.Begin <= j.Begin && o.End >= j.End {
			named, addressed = true, addressed || o.addr == j.addr
		}
	}
	return named, addressed
}

// callBegin is the thread and the time of a call's begin.
type callBegin struct {
	tid  int32
	time uint64
}

// addressesOf returns the addresses of the called functions.
func addressesOf(t *testing.T, rec *uftrace.Recording) map[callBegin]uint64 {
	addresses := map[callBegin]uint64{}
	for m := rec.Merge(uftrace.MergeOptions{}); ; {
		records, entries, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			return addresses
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range entries {
			if e.Kind == uftrace.Enter {
				addresses[callBegin{records[i].Task, records[i].Time}] = e.Addr
			}
		}
	}
}

// threadTimes holds times by thread.
type threadTimes struct {
	first, last map[int32]uint64 // of the thread's records
	left        map[int32]uint64 // begin of the outermost call that longjmp last left
	perf        map[int32]bool   // the last record is from perf
	lastPerf    uint64           // of any thread
}

// threadTimesOf reads the times without package tables.
func threadTimesOf(t *testing.T, rec *tracec.Recording) *threadTimes {
	m := &threadTimes{first: map[int32]uint64{}, last: map[int32]uint64{}, left: map[int32]uint64{},
		perf: map[int32]bool{}}
	for ev, err := range rec.Events(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if m.first[ev.Task] == 0 {
			m.first[ev.Task] = ev.Time
		}
		m.last[ev.Task], m.perf[ev.Task] = ev.Time, strings.HasPrefix(ev.Type.Name, "linux:")
		if m.perf[ev.Task] {
			m.lastPerf = ev.Time
		}
	}
	return m
}

// end returns the time at which uftrace ends the open calls of a thread. uftrace keeps one last
// record for all files of perf.
func (m *threadTimes) end(tid int32) uint64 {
	if m.perf[tid] {
		return m.lastPerf
	}
	return m.last[tid]
}
