// Package runtime_test checks that options have the same meaning in all containers.
package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// glob returns the recordings that match.
func glob(t *testing.T, patterns ...string) (list []string) {
	t.Helper()
	for _, p := range patterns {
		found, err := filepath.Glob(p)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		t.Fatal("no recordings like ", patterns)
	}
	return list
}

// openUftrace opens an archive of a recording.
func openUftrace(t *testing.T, name string) *uftrace.Recording {
	t.Helper()
	files := fstest.MapFS{}
	for path, f := range uftracetest.Unpack(t, name) {
		files[filepath.Base(path)] = f
	}
	rec, err := uftrace.OpenFS(files, name)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// walkRecords calls fn for all records of a recording that options select, until fn returns false.
type walkRecords func(o record.Options, fn func(*record.Record) bool) error

func walkMerge[E any](m *record.Merger[E], fn func(*record.Record) bool) error {
	for r := range m.All() {
		if !fn(r) {
			break
		}
	}
	return m.Err()
}

// everySystem returns recordings of all systems.
func everySystem(t *testing.T) map[string]walkRecords {
	all := map[string]walkRecords{}
	for _, name := range glob(t, "../testdata/ftrace/*.dat") {
		rec, err := ftrace.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rec.Close() })
		walk := func(o record.Options, fn func(*record.Record) bool) error {
			return walkMerge(rec.Merge(ftrace.StreamOptions{Options: o}), fn)
		}
		if stepsBack(walk) { // ftrace.StreamOptions: pages are skipped by their times
			t.Logf("%s: left out, the times of a processor step back", name)
			continue
		}
		all["ftrace "+filepath.Base(name)] = walk
	}
	for _, name := range append(glob(t, "../testdata/aix/*.trc"), aixSet(t)) {
		rec, err := aix.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rec.Close() })
		all["aix "+filepath.Base(name)] = func(o record.Options,
			fn func(*record.Record) bool) error {
			return walkMerge(rec.Merge(o), fn)
		}
	}
	for _, name := range glob(t, "../testdata/uftrace/*/data.tar.gz") {
		rec := openUftrace(t, name)
		all["uftrace "+filepath.Base(filepath.Dir(name))] = func(o record.Options, fn func(*record.Record) bool) error {
			return walkMerge(rec.Merge(uftrace.MergeOptions{Options: o}), fn)
		}
	}
	// in addition, if they are available
	traces, _ := filepath.Glob(filepath.Join(needs.SharedData(t), "lttng/real/*.tar.gz"))
	for _, name := range traces {
		if st, err := os.Stat(name); err != nil || st.Size() > int64(needs.Cases(t, 100<<10, 2<<20)) {
			continue
		}
		rec, err := lttng.OpenFS(uftracetest.Unpack(t, name), name, lttng.WithTasks())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rec.Close() })
		all["lttng "+filepath.Base(name)] = func(o record.Options,
			fn func(*record.Record) bool) error {
			return walkMerge(rec.Merge(o), fn)
		}
	}
	for _, s := range append(ctftest.Samples(t, "barectf"), ctftest.Samples(t, "perf")...) {
		rec, err := ctf.OpenFS(s.Dir, s.Name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rec.Close() })
		walk := func(o record.Options, fn func(*record.Record) bool) error { return walkMerge(rec.Merge(o), fn) }
		n := 0
		walk(record.Options{}, func(*record.Record) bool { n++; return n < 20 })
		if n == 20 {
			all["ctf "+s.Name] = walk
		}
	}
	for _, s := range needs.Some(t, perftest.All(t), 12) {
		if s.Data == nil {
			continue
		}
		rec, err := perf.OpenReaderAt(bytes.NewReader(s.Data), int64(len(s.Data)), s.Name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rec.Close() })
		all["perf "+s.Group+" "+s.Name] = func(o record.Options,
			fn func(*record.Record) bool) error {
			return walkMerge(rec.Merge(o), fn)
		}
	}
	for name, switches := range map[string]bool{"lttng": true, "lttng without a scheduler": false} {
		rec := lttngTrace(t, switches)
		all[name] = func(o record.Options, fn func(*record.Record) bool) error { return walkMerge(rec.Merge(o), fn) }
		all[name+", streams"] = func(o record.Options, fn func(*record.Record) bool) error {
			return walkMerge(lttng.MergeStreams(rec.Streams(o)), fn)
		}
	}
	return all
}

// stepsBack reports whether the times of a stream go back.
func stepsBack(walk walkRecords) (back bool) {
	last := map[int32]uint64{}
	walk(record.Options{}, func(r *record.Record) bool {
		back = back || r.Time < last[r.Stream]
		last[r.Stream] = r.Time
		return true
	})
	return back
}

// aixSet writes the files of trace -C: one of the system and one for each of three processors.
func aixSet(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "trace.raw")
	set, err := aix.CreateSet(path, 3, aix.LogOptions{WriterOptions: aix.WriterOptions{Kernel64: true},
		BufferSize: 600})
	if err != nil {
		t.Fatal(err)
	}
	set.Base.Now = 1000
	set.Base.Clock(aix.Clock{Mul: 125, Div: 64, Type: aix.ClockTimeBase})
	set.Base.Begin()
	for i := range uint64(600) {
		w := set.CPUs[i%3]
		w.TID, w.Now = i/50, 2000+10*i
		w.TRCHKL1T(0x50000000, i)
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// lttngTrace writes a trace of three processors and many sub-buffers, with events of the scheduler
// or without.
func lttngTrace(t *testing.T, switches bool) *lttng.Recording {
	dir := t.TempDir()
	w, err := lttng.NewWriter(lttng.CreateIn(dir), lttng.Layout{
		Dialect: lttng.V26, WordSize: 8, Alignment: 8, BlockSize: 4096, CPUs: 3, Freq: 1_000_000_000,
	})
	if err != nil {
		t.Fatal(err)
	}
	irq, err := w.Marker("fs", "irq_entry", "irq_id %u kernel_mode %u")
	if err != nil {
		t.Fatal(err)
	}
	var schedule *lttng.Mark
	if switches {
		if schedule, err = w.Marker("kernel", "sched_schedule",
			"prev_pid %d next_pid %d prev_state #2d%ld"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3000 {
		if i > 100 && i%7 == 0 && switches {
			if err := w.Event(i%3, schedule, uint64(1000+10*i), i/7, i%11, 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Event(i%3, irq, uint64(1000+10*i), uint64(i), 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := lttng.Open(dir, lttng.WithTasks())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// impossible reports whether nothing can be selected because no record of the recording has a
// processor or a thread.
func impossible(t *testing.T, walk walkRecords, o record.Options, err error) bool {
	t.Helper()
	says := false
	walk(record.Options{}, func(r *record.Record) bool {
		says = errors.Is(err, record.ErrNoCPU) && r.CPU >= 0 || errors.Is(err, record.ErrNoTask) && r.Task >= 0
		return !says
	})
	return !says && (errors.Is(err, record.ErrNoCPU) && o.CPUs != nil ||
		errors.Is(err, record.ErrNoTask) && o.Tasks != nil)
}

// chosenRecords returns a sorted list with a text for each record. The list is sorted because a
// merge may order a stream whose times go back differently when records before the step are left
// out.
func chosenRecords(t *testing.T, walk walkRecords, o record.Options, also func(*record.Record) bool) []string {
	t.Helper()
	list := []string{}
	err := walk(o, func(r *record.Record) bool {
		if also(r) {
			list = append(list, fmt.Sprintf("%d %d %d %d %x", r.Time, r.ID, r.CPU, r.Task, r.Data))
		}
		return true
	})
	if err != nil && !impossible(t, walk, o, err) {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// optionsFor returns options that select some records of a recording, by values that occur in its
// records.
func optionsFor(t *testing.T, walk walkRecords) []record.Options {
	var times []uint64
	var cpus, tasks []int32
	var ids []uint32
	err := walk(record.Options{}, func(r *record.Record) bool {
		times, cpus, tasks, ids = append(times, r.Time), append(cpus, r.CPU), append(tasks, r.Task), append(ids, r.ID)
		return true
	})
	if err != nil || len(times) == 0 {
		t.Fatalf("%d records, %v", len(times), err)
	}
	slices.Sort(times)
	middle, last := times[len(times)/2], times[len(times)-1]
	quarter := times[len(times)/4]
	unique := func(list []int32) []int32 { return slices.Compact(slices.Sorted(slices.Values(list))) }
	cpus, tasks, ids = unique(cpus), unique(tasks), slices.Compact(slices.Sorted(slices.Values(ids)))
	list := []record.Options{
		{Since: middle}, {Until: middle}, {Since: last}, {Since: last + 1}, {Until: 1}, {Since: quarter, Until: middle},
		{Since: middle, Until: middle + 1},
		{CPUs: []int32{}}, {Tasks: []int32{}}, {CPUs: []int32{1 << 20}}, {Tasks: []int32{1 << 30}}, {CPUs: cpus},
		{Tasks: tasks},
		{IDs: []uint32{}}, {IDs: []uint32{1<<32 - 2}}, {IDs: ids}, {IDs: ids[len(ids)/2:]},
		{IDs: ids[:1], Since: quarter},
		{IDs: ids[len(ids)-1:], CPUs: cpus[:1]}, {IDs: ids[len(ids)/3:], Tasks: tasks[len(tasks)/2:]},
		{CPUs: cpus[len(cpus)-1:], Tasks: tasks[len(tasks)/2:], Since: quarter, Until: last},
	}
	for i := range cpus {
		list = append(list, record.Options{CPUs: cpus[i : i+1]})
	}
	for i := range min(len(tasks), 4) {
		list = append(list, record.Options{Tasks: []int32{tasks[i], tasks[len(tasks)-1-i]}})
	}
	return list
}

// TestOptions: in every system, options select the same records as a filter over all records.
func TestOptions(t *testing.T) {
	for name, walk := range everySystem(t) {
		t.Run(name, func(t *testing.T) {
			for _, o := range optionsFor(t, walk) {
				inside := map[int32]bool{} // by stream: the last record with a time is in the window
				want := chosenRecords(t, walk, record.Options{}, func(r *record.Record) bool {
					if _, known := inside[r.Stream]; r.Time != 0 || !known {
						inside[r.Stream] = r.Time >= o.Since && (o.Until == 0 || r.Time < o.Until)
					}
					return inside[r.Stream] &&
						(o.CPUs == nil || r.CPU >= 0 && slices.Contains(o.CPUs, r.CPU)) &&
						(o.Tasks == nil || r.Task >= 0 && slices.Contains(o.Tasks, r.Task)) &&
						(o.IDs == nil || slices.Contains(o.IDs, r.ID))
				})
				got := chosenRecords(t, walk, o, func(*record.Record) bool { return true })
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%+v: %d records, want %d (-want +got):\n%.2000s", o, len(got), len(want), d)
				}
			}
		})
	}
}

// middleTime returns the time of a record near the middle of all records.
func middleTime(walk walkRecords) uint64 {
	var times []uint64
	walk(record.Options{}, func(r *record.Record) bool { times = append(times, r.Time); return true })
	slices.Sort(times)
	return times[len(times)/2]
}

// TestLostOfIDs: losses before records of other kinds count as losses before the next selected
// record of the stream. Losses before LostSince do not count.
func TestLostOfIDs(t *testing.T) {
	lossy, forgotten := 0, 0
	for name, walk := range everySystem(t) {
		t.Run(name, func(t *testing.T) {
			list := optionsFor(t, walk)
			for _, o := range slices.Clone(list) {
				o.LostSince = middleTime(walk)
				list = append(list, o)
			}
			for _, o := range list {
				if o.IDs == nil || o.CPUs != nil || o.Tasks != nil || o.Since > 0 {
					continue
				}
				lost, want := map[int32]int64{}, map[string]int{}
				early := map[int32]bool{} // by stream: the last record with a time is before LostSince
				describe := func(r *record.Record, n int64) string { return fmt.Sprint(r.Time, r.ID, r.CPU, r.Task, n) }
				walk(record.Options{}, func(r *record.Record) bool {
					if _, known := early[r.Stream]; r.Time != 0 || !known {
						early[r.Stream] = r.Time < o.LostSince
					}
					n := lost[r.Stream] + r.Lost
					if lost[r.Stream] < 0 || r.Lost < 0 {
						n = record.LostUnknown
					}
					if lost[r.Stream] = n; slices.Contains(o.IDs, r.ID) {
						want[describe(r, n)]++
						lost[r.Stream] = 0
						if n != r.Lost {
							lossy++
						}
					} else if early[r.Stream] {
						lost[r.Stream] = 0
						if n != 0 {
							forgotten++
						}
					}
					return true
				})
				got := map[string]int{}
				if err := walk(o, func(r *record.Record) bool { got[describe(r, r.Lost)]++; return true }); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%+v (-want +got):\n%.2000s", o, d)
				}
			}
		})
	}
	if lossy == 0 || forgotten == 0 {
		t.Errorf("%d were lost before a record of another kind, %d of them too early", lossy, forgotten)
	}
}

// TestAfter: Options.After selects records that directly follow a selected record of the same
// stream, whatever other streams recorded in between.
func TestAfter(t *testing.T) {
	after := 0
	for name, walk := range everySystem(t) {
		t.Run(name, func(t *testing.T) {
			for _, o := range optionsFor(t, walk) {
				if o.IDs == nil || o.CPUs != nil || o.Tasks != nil { // these affect the numbers of streams
					continue
				}
				o.After = []uint32{0, 1, 2}
				walk(record.Options{}, func(r *record.Record) bool {
					o.After = append(o.After, r.ID)
					return len(o.After) < 8
				})
				took, want, got := map[int32]bool{}, map[string]int{}, map[string]int{}
				describe := func(r *record.Record) string { return fmt.Sprint(r.Time, r.ID, r.CPU, r.Task, r.Stream) }
				walk(record.Options{}, func(r *record.Record) bool {
					chosen := r.Time >= o.Since && slices.Contains(o.IDs, r.ID)
					next := r.Time >= o.Since && took[r.Stream] && slices.Contains(o.After, r.ID)
					if took[r.Stream] = chosen || next; chosen || next {
						want[describe(r)]++
					}
					if next && !chosen {
						after++
					}
					return true
				})
				if err := walk(o, func(r *record.Record) bool { got[describe(r)]++; return true }); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%+v (-want +got):\n%.2000s", o, d)
				}
			}
		})
	}
	if after < 100 {
		t.Errorf("only %d records after others", after)
	}
}

// TestContext: a done context ends the walk of a recording of any system within the current
// batches, with the context's error.
func TestContext(t *testing.T) {
	const streams, batch = 16, 257 // the recordings here have no more
	for name, walk := range everySystem(t) {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			n := 0
			err := walk(record.Options{Context: ctx}, func(*record.Record) bool {
				cancel()
				n++
				return true
			})
			if !errors.Is(err, context.Canceled) || n == 0 || n > streams*batch {
				t.Errorf("%d records, %v", n, err)
			}
			if err := walk(record.Options{Context: ctx},
				func(*record.Record) bool { t.Error("a record"); return false }); !errors.Is(err, context.Canceled) {
				t.Errorf("from the beginning: %v", err)
			}
		})
	}
}

// TestImpossibleAgain: a selection that is an error is also an error when slices are read again.
func TestImpossibleAgain(t *testing.T) {
	for _, name := range glob(t, "../testdata/uftrace/*/data.tar.gz") {
		rec := openUftrace(t, name)
		none := record.Options{CPUs: []int32{1 << 20}, Workers: 2}
		for _, s := range append(rec.Slices(none, 1<<10), rec.StreamSlices(none, 1<<10)...) {
			for _, m := range []*record.Merger[uftrace.Entry]{s.Merge(), s.MergeAgain()} {
				n := 0
				for range m.All() {
					n++
				}
				if err := m.Err(); n > 0 || err != nil && !errors.Is(err, record.ErrNoCPU) {
					t.Errorf("%s: %d records, %v", name, n, err)
				}
			}
		}
	}
}

// TestImpossibleOptions: a selection that no record of a recording can match is an error, not an
// empty recording.
func TestImpossibleOptions(t *testing.T) {
	all := everySystem(t)
	for _, x := range []struct {
		recording string
		options   record.Options
		want      error
	}{
		{"lttng without a scheduler", record.Options{Tasks: []int32{1}}, record.ErrNoTask},
		{"lttng without a scheduler, streams", record.Options{Tasks: []int32{1}}, record.ErrNoTask},
		{"uftrace lost", record.Options{CPUs: []int32{0}}, record.ErrNoCPU},
	} {
		if err := all[x.recording](x.options, func(*record.Record) bool { t.Error("a record"); return true }); !errors.Is(err, x.want) {
			t.Errorf("%s: %v", x.recording, err)
		}
	}
}
