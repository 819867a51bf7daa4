package process_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/record"
)

// place is an event of a recording.
type place struct {
	file   int
	offset int64
}

// TestTasks: the thread of each record of recorded traces is the thread of the state machine,
// whether files are merged or read one by one.
func TestTasks(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join(needs.Shared(t, "lttng/real"), "*.tar.gz"))
	if err != nil || len(archives) == 0 {
		t.Fatal("no recorded traces", err)
	}
	for _, name := range archives {
		if st, err := os.Stat(name); err != nil || st.Size() > 2<<20 && !needs.LongProofs(t) {
			continue
		}
		if checkTasks(t, name, traceOf(t, uftracetest.Unpack(t, name))) == 0 && !strings.Contains(name, "1021") {
			t.Errorf("%s: no thread is known", name)
		}
	}
}

// TestTasksOfVersions: events of the scheduler have different names in each version, and may be in
// another file than other events.
func TestTasksOfVersions(t *testing.T) {
	for _, c := range []struct {
		dialect                lttng.Dialect
		channel, name, another string
	}{
		{lttng.V10, "cpu", "kernel_sched_schedule", "control/processes"},
		{lttng.V22, "cpu", "kernel_sched_schedule", "fs"}, {lttng.V26, "kernel", "sched_schedule", "fs"},
	} {
		dir := t.TempDir()
		w, err := lttng.NewWriter(lttng.CreateIn(dir),
			lttng.Layout{Dialect: c.dialect, WordSize: 8, Alignment: 8, BigEndian: true, BlockSize: 4096, CPUs: 2,
				Freq: 1e9})
		if err != nil {
			t.Fatal(err)
		}
		schedule, err := w.Marker(c.channel, c.name, "prev_pid %d next_pid %d prev_state #2d%ld")
		if err != nil {
			t.Fatal(err)
		}
		open, err := w.Marker(c.another, "fs_open", "filename %s")
		if err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			if err := errors.Join(w.Event(i%2, open, uint64(1000+10*i), "x"),
				w.Event(i%2, schedule, uint64(1004+10*i), i, i+10, 0)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if known := checkTasks(t, dir, os.DirFS(dir)); known != 198 { // all but the first of each processor
			t.Errorf("%v: %d threads are known, want 198", c.dialect, known)
		}
	}
}

// TestTasksOfUserSpace: the name of a file of user space contains its thread (lttng.md 3.5). No
// event of the scheduler is needed.
func TestTasksOfUserSpace(t *testing.T) {
	tr := &lttngtest.Trace{Order: binary.LittleEndian, Word: 8, Description: `<event name="e"/>`,
		Events: []lttngtest.Event{{}, {}}}
	files := tr.Files()
	files["ltt-usertrace/process-724.700.6281045228952"] = files["cpu_0"]
	rec, err := lttng.OpenFS(files, "trace")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	tasks := map[int32]int{}
	for r := range rec.MergeTasks(record.Options{}).All() {
		tasks[r.Task]++
	}
	for range rec.Merge(record.Options{Tasks: []int32{724}}).All() {
		tasks[-724]++
	}
	if d := cmp.Diff(map[int32]int{-1: 3, 724: 2, -724: 2}, tasks); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestTasksWithoutScheduler: if the file of the scheduler cannot be read, events have no threads,
// and the error names the file.
func TestTasksWithoutScheduler(t *testing.T) {
	dir := t.TempDir()
	w, err := lttng.NewWriter(lttng.CreateIn(dir),
		lttng.Layout{Dialect: lttng.V26, WordSize: 8, BlockSize: 4096, CPUs: 1, Freq: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	schedule, err := w.Marker("kernel", "sched_schedule", "prev_pid %d next_pid %d")
	if err != nil {
		t.Fatal(err)
	}
	open, err := w.Marker("fs", "open", "filename %s")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Event(0, schedule, 1000, 1, 2), w.Event(0, open, 1010, "x"), w.Close()); err != nil {
		t.Fatal(err)
	}
	for _, alone := range []bool{false, true} {
		files := fstest.MapFS{}
		for _, name := range []string{"metadata_0", "kernel_0", "fs_0"} {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			files[name] = &fstest.MapFile{Data: data}
		}
		rec, err := lttng.OpenFS(files, "trace", lttng.WithTasks())
		if err != nil {
			t.Fatal(err)
		}
		delete(files, "kernel_0")
		m := rec.Merge(record.Options{})
		if alone {
			m = lttng.MergeStreams(rec.Streams(record.Options{}))
		}
		found := false
		for r, e := range m.All() {
			found = found || e.Marker.Name == "open" && r.Task == -1
		}
		text := fmt.Sprint(m.Err())
		for _, d := range rec.Damage() {
			text += "\n" + d.Error()
		}
		if !found || !strings.Contains(text, "trace/kernel_0") {
			t.Errorf("alone %v: an event of fs %v, errors:\n%s", alone, found, text)
		}
		rec.Close()
	}
}

// checkTasks compares the threads of a trace in all ways to read it, and returns the number of
// records whose thread is known.
func checkTasks(t *testing.T, name string, files fs.FS) (known int) {
	t.Helper()
	rec, err := lttng.OpenFS(files, name)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	tasks := map[place]int32{}
	state, switched := process.New(rec.Traces()[0]), map[int32]bool{}
	for r, e := range rec.MergeTasks(record.Options{}).All() {
		state.Apply(r, e.Marker)
		if _, _, ok := e.Marker.Switch(); ok {
			switched[r.CPU] = true
		}
		want := int32(-1)
		if switched[r.CPU] {
			want = state.Running(r.CPU).PID
		}
		if r.Task != want {
			t.Fatalf("%s: %d: thread %d, want %d", name, r.Time, r.Task, want)
		}
		tasks[place{int(r.Stream), e.Offset}] = r.Task
		if r.Task >= 0 {
			known++
		}
	}
	wanted, err := lttng.OpenFS(files, name, lttng.WithTasks())
	if err != nil {
		t.Fatal(err)
	}
	defer wanted.Close()
	alone := map[place]int32{}
	err = record.InStreamOrder(wanted.Streams(record.Options{}),
		func(records []record.Record, entries []lttng.Entry) error {
			for i, r := range records {
				alone[place{int(r.Stream), entries[i].Offset}] = r.Task
			}
			return nil
		})
	if d := cmp.Diff(tasks, alone); d != "" || err != nil {
		t.Errorf("%s: %v: -merged +alone\n%.2000s", name, err, d)
	}
	for r := range rec.Merge(record.Options{}).All() {
		if r.Task != -1 {
			t.Fatalf("%s: thread %d that nobody asked for", name, r.Task)
		}
	}
	return known
}

// traceOf returns the directory of the trace in an archive.
func traceOf(t *testing.T, files fstest.MapFS) fs.FS {
	var found fs.FS
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		sub, err := fs.Sub(files, name)
		if err == nil && lttng.IsTrace(sub) {
			found = sub
			return fs.SkipAll
		}
		return err
	})
	if err != nil || found == nil {
		t.Fatalf("no trace: %v", err)
	}
	return found
}
