package markers_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/cmd/internal/bench/markers"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

var update = flag.Bool("update", false, "write bench.trace")

// list holds the 17 most frequent markers of a recorded trace: 97 of 100 events.
var list = [][3]string{
	{"fd_state", "file_descriptor", "filename %s pid %d fd %u"},
	{"fs", "close", "fd %u"},
	{"fs", "open", "fd %d filename %s"},
	{"fs", "pollfd", "fd %d"},
	{"fs", "read", "count %zu fd %u"},
	{"fs", "select", "fd %d end_time_sec %ld end_time_nsec %ld"},
	{"kernel", "page_fault_entry", "ip #p%lu address #p%lu trap_id #2u%u write_access #1u%u"},
	{"kernel", "page_fault_exit", "res %d"},
	{"kernel", "sched_schedule", "prev_pid %d next_pid %d prev_state #2d%ld"},
	{"kernel", "softirq_entry", "softirq_id #1u%lu"},
	{"kernel", "syscall_entry", "ip #p%ld syscall_id #2u%u"},
	{"kernel", "syscall_exit", "ret %ld"},
	{"mm", "page_alloc", "pfn %lu order %u"},
	{"mm", "page_free", "pfn %lu order %u"},
	{"rcu", "classic_callback", "func %p"},
	{"rcu", "classic_call_rcu", "func %p ip 0x%lX"},
	{"vm_state", "vm_map", "pid %d start %lu end %lu flags %lu pgoff %lu inode %lu"},
}

// write writes a trace with n events of each marker.
func write(t testing.TB, dir string, n int) {
	t.Helper()
	w, err := lttng.NewWriter(lttng.CreateIn(dir), lttng.Layout{
		Dialect: lttng.V23, WordSize: 4, Alignment: 4, BlockSize: 4096, CPUs: 1, Freq: 2e9, StartTSC: 1 << 40,
		StartSec: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	var marks []*lttng.Mark
	for _, m := range list {
		mark, err := w.Marker(m[0], m[1], m[2])
		if err != nil {
			t.Fatal(err)
		}
		marks = append(marks, mark)
	}
	for i := range n {
		for j, m := range marks {
			var values []any
			for k, f := range m.Marker.Fields {
				if f.Size == 0 {
					values = append(values, "/etc/passwd")
				} else {
					values = append(values, 100*j+k)
				}
			}
			if err := w.Event(0, m, 1<<40+uint64(i*len(marks)+j+1)*1000, values...); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestTrace(t *testing.T) {
	dir := t.TempDir()
	if *update {
		dir = "bench.trace"
	}
	write(t, dir, 1)
	files, err := fs.Glob(os.DirFS("bench.trace"), "*")
	if err != nil || len(files) != 7 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		want, err := os.ReadFile(filepath.Join("bench.trace", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, name))
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%s: %v (-want +got; -update writes it):\n%s", name, err, d)
		}
	}
}

// TestNoAllocations: typed decoding allocates for the files, but not for the events.
func TestNoAllocations(t *testing.T) {
	run := func(n int) float64 {
		dir := t.TempDir()
		write(t, dir, n)
		rec, err := lttng.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		d, err := markers.Bind(rec, markers.KernelSyscallEntryEvent, markers.FSOpenEvent)
		if err != nil {
			t.Fatal(err)
		}
		events := 0
		allocs := testing.AllocsPerRun(3, func() {
			for range d.Events(t.Context(), record.Options{}) {
				events++
			}
			if d.Err() != nil {
				t.Fatal(d.Err())
			}
		})
		if events != 4*2*n {
			t.Fatalf("%d events", events)
		}
		return allocs
	}
	if few, many := run(10), run(2000); many > few+1000 { // for 34,000 events; sub-buffers allocate
		t.Errorf("%v allocations for 10 rounds, %v for 2000", few, many)
	}
}
