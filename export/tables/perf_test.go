package tables_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// openFile opens a recording with that content.
func openFile(t *testing.T, name string, b []byte) *tracec.Recording {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	rec, err := tracec.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// traceDat returns the tracepoints of a recording of perf as a trace.dat, with their bytes, times,
// processors and losses. It returns nil for a recording without tracepoints.
func traceDat(t *testing.T, rec *tracec.Recording) []byte {
	t.Helper()
	perf, ok := rec.Recording.(interface{ Tracing() *ftrace.Recording })
	if !ok || perf.Tracing() == nil {
		return nil
	}
	machine := perf.Tracing().Machine()
	m := tracefile.Machine{Big: machine.BigEndian, Word: machine.WordSize}
	f := tracefile.File{Machine: m, Version: 6, PageSize: 4096}
	const uname = 5 // numbers of system calls depend on the machine
	of := rec.Machine()
	text := fmt.Appendf(nil, "Linux %s %s %s\x00", of.Host, of.Release, of.Arch)
	f.Options = []tracefile.Option{{ID: uname, Payload: text}}
	f.Systems = systems(perf.Tracing())
	var cpus []tracefile.CPU
	lost := map[int32]int64{}
	for ev, err := range rec.Events(context.Background(), tracec.WithThreads()) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.CPU < 0 {
			continue
		}
		if lost[ev.CPU] = record.AddLost(lost[ev.CPU], ev.Lost); ev.Type.System == "" {
			continue
		}
		for len(cpus) <= int(ev.CPU) {
			cpus = append(cpus, tracefile.CPU{ID: len(cpus)})
		}
		page := m.NewPage(f.PageSize, ev.Time)
		page.Long(0, append(m.Order().AppendUint16(nil, uint16(ev.ID)), ev.Data[2:]...)) // perf inject writes 0
		if n := lost[ev.CPU]; n != 0 {
			page.Missed(n)
		}
		lost[ev.CPU] = 0
		cpus[ev.CPU].Pages = append(cpus[ev.CPU].Pages, page.Done()...)
	}
	f.CPUs, f.Buffers = len(cpus), []tracefile.Buffer{{Clock: "[local]", CPUs: cpus}}
	return f.Bytes()
}

// systems returns the descriptions of events.
func systems(rec *ftrace.Recording) (list []tracefile.System) {
	for _, x := range rec.Formats() {
		i := slices.IndexFunc(list, func(s tracefile.System) bool { return s.Name == x.System })
		if i < 0 {
			i, list = len(list), append(list, tracefile.System{Name: x.System})
		}
		list[i].Formats = append(list[i].Formats, x.Text)
	}
	return list
}

// perfData returns the events of a trace.dat as samples of tracepoints in a perf.data.
func perfData(t *testing.T, rec *tracec.Recording) []byte {
	t.Helper()
	var w perftest.Writer
	for ev, err := range rec.Events(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		w.Add(ev.Record)
	}
	of := rec.Recording.(*ftrace.Recording)
	f := tracefile.File{Machine: tracefile.Machine{Word: of.Machine().WordSize}, PageSize: 4096, Systems: systems(of)}
	return w.Bytes(f.Tracing())
}

// comparable returns rows without the values that perf has from other records: names and processes
// of threads and, in recordings with losses, the places of losses. In a trace.dat, a loss is at the
// processor's next event that a table reads. In perf, it is at the record of the loss.
func comparable(list []map[string]string, lossy bool) (lines []string) {
	for _, row := range list {
		for name := range row {
			if strings.HasSuffix(name, "pid") ||
				slices.Contains([]string{"process", "thread", "target", "waker", "asker"}, name) ||
				lossy && (name == "gap_inside" || name == "reason") {
				delete(row, name)
			}
		}
		lines = append(lines, fmt.Sprint(row))
	}
	slices.Sort(lines)
	return lines
}

// TestPerf: derived tables of a recording of perf equal the tables of its tracepoints in a
// trace.dat, which are compared with other tools.
func TestPerf(t *testing.T) {
	found := map[string]int{}
	for _, s := range perftest.All(t) {
		if s.Dir != nil {
			continue
		}
		rec := openFile(t, "perf.data", s.Data)
		b := traceDat(t, rec)
		if b == nil {
			continue
		}
		for _, table := range []tables.Any{tables.SchedLatency, tables.ThreadState, tables.Syscalls, tables.BlockIO,
			tables.Locks, tables.Interrupts, tables.Wakeups} {
			var missing *tables.MissingError
			dat := openFile(t, "trace.dat", b)
			if err := table.Each(tables.NewWalk(dat), nil); errors.As(err, &missing) {
				continue
			}
			found[table.Name()] += sameRows(t, s.Group+" "+s.Name, table, dat, rec, strings.HasPrefix(s.Name, "lost."))
		}
	}
	for _, name := range []string{"sched_latency", "thread_state", "syscalls", "interrupts", "wakeups"} {
		if found[name] == 0 {
			t.Errorf("no recording has rows of %s", name)
		}
	}
}

// sameRows compares a table of both recordings and returns the number of its rows.
func sameRows(t *testing.T, name string, table tables.Any, dat, perf *tracec.Recording, lossy bool) int {
	t.Helper()
	want, got := comparable(rows(t, table, dat), lossy), comparable(rows(t, table, perf), lossy)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: %s (-trace.dat +perf.data)\n%.2000s", name, table.Name(), d)
	}
	return len(got)
}

// TestPerfOfTraceDat: tables of requests and of locks equal those of the trace.dat with the same
// events, which are compared with other tools. No recording of perf has these events.
func TestPerfOfTraceDat(t *testing.T) {
	for name, table := range map[string]tables.Any{
		"block-loop": tables.BlockIO, "all-mix": tables.BlockIO,
		"locks-mutex": tables.Locks, "locks-faults": tables.Locks,
	} {
		t.Run(name, func(t *testing.T) {
			dat := recording(t, name)
			perf := openFile(t, "perf.data", perfData(t, dat))
			if n := sameRows(t, name, table, dat, perf, false); n < 10 {
				t.Errorf("%d rows", n)
			}
		})
	}
}
