package tracec_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/ctftest"
)

// TestThreadsOfCTF checks that contexts give the thread, the process and the name, and that they
// select events.
func TestThreadsOfCTF(t *testing.T) {
	for _, name := range []string{"lttng-2.13.ust-basic", "lttng-2.16-ctf2.ust-basic"} {
		rec, err := tracec.Open(t.Context(), "testdata/ctf/lttng/"+name+".tar.zst")
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		var ids []int32
		var comms []string
		for ev, err := range rec.Events(t.Context(), tracec.WithThreads()) {
			if err != nil {
				t.Fatal(err)
			}
			thread, _ := ev.Bits(ev.Type.Index("vtid"))
			process, _ := ev.Bits(ev.Type.Index("vpid"))
			// the context is the first
			comm, _ := ev.At(slices.IndexFunc(ev.Type.Fields,
				func(f tracec.Field) bool { return f.Kind == tracec.Text }))
			if ev.Task != int32(thread) || ev.Process() != int32(process) || ev.Comm() != string(comm.Bytes()) ||
				ev.Comm() == "" {
				t.Fatalf("%s: thread %d of %d is %q", ev.Type.Label, ev.Task, ev.Process(), ev.Comm())
			}
			ids, comms = append(ids, ev.Task), append(comms, ev.Comm())
		}
		count := func(opts ...tracec.Option) (n int) {
			for _, err := range rec.Events(t.Context(), opts...) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			return n
		}
		for _, c := range []struct {
			task string
			want int
		}{
			{"zoo-ust", len(comms) - countOf(comms, "zoo")}, {"zoo", countOf(comms, "zoo")}, {"1", 0},
		} {
			if n := count(tracec.WithTasks(c.task)); n != c.want || len(ids) == 0 {
				t.Errorf("%s: %d events of %s, want %d", name, n, c.task, c.want)
			}
		}
	}
}

// TestNamesOfSkippedEvents checks that a selection of events does not change the names of their
// threads. In traces of perf, other events give these names.
func TestNamesOfSkippedEvents(t *testing.T) {
	named := 0
	for _, s := range ctftest.Samples(t, "perf") {
		rec, err := tracec.OpenFS(t.Context(), s.Dir, ".")
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		comms := func(opts ...tracec.Option) (list []string) {
			for ev, err := range rec.Events(t.Context(), append(opts, tracec.WithThreads())...) {
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(ev.Type.Label, "cl") {
					list = append(list, ev.Comm())
				}
			}
			return list
		}
		all := comms()
		some := comms(tracec.WithEvents("*cl*")) // without perf_comm
		if !slices.Equal(some, all) {
			t.Errorf("%s: %d events, %d without a name; want %d and %d", s.Name, len(some), countOf(some, ""), len(all),
				countOf(all, ""))
		}
		named += len(all) - countOf(all, "")
	}
	if named == 0 {
		t.Error("no event has a name")
	}
}

// TestLongText checks that a text of any length is complete.
func TestLongText(t *testing.T) {
	const metadata = `/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };
event { name = e; fields := struct { string { } s; integer { size = 8; } n; }; };
`
	text := strings.Repeat("long", 30_000)
	rec, err := tracec.OpenFS(t.Context(), fstest.MapFS{
		"trace/metadata": {Data: []byte(metadata)},
		"trace/s":        {Data: []byte(text + "\x00\x07" + text[1:] + "\x00\x08")},
	}, "trace")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	n := 0
	for ev, err := range rec.Events(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := ev.Field("s"); !ok || string(s.Bytes()) != text[n:] {
			t.Errorf("event %d: a text of %d bytes, want %d", n, len(s.Bytes()), len(text)-n)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d events", n)
	}
}

func countOf(list []string, s string) (n int) {
	for _, x := range list {
		if x == s {
			n++
		}
	}
	return n
}

// TestThreadsOfModules checks events of the kernel that do not record a thread. Their thread is the
// thread that runs on the processor. A selection of events does not change their threads.
func TestThreadsOfModules(t *testing.T) {
	dir := ctftest.Modules(t, `
		0 100 irq_handler_entry irq=1 name="acpi"
		0 200 sched_switch prev_comm="sh" prev_tid=5 prev_state=1 next_comm="cat" next_tid=6
		0 300 irq_handler_entry irq=2 name="acpi"
		1 350 irq_handler_entry irq=3 name="acpi"
		0 400 sched_switch prev_comm="cat" prev_tid=6 prev_state=1 next_comm="sh" next_tid=5
		0 500 irq_handler_entry irq=4 name="acpi"`)
	rec, err := tracec.OpenFS(t.Context(), dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	threads := func(opts ...tracec.Option) (list []string) {
		for ev, err := range rec.Events(t.Context(), append(opts, tracec.WithThreads())...) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, ev.Type.Name+" "+ev.Comm())
		}
		return list
	}
	for _, c := range []struct {
		opts []tracec.Option
		want []string
	}{
		{nil, []string{"irq_handler_entry ", "sched_switch sh", "irq_handler_entry cat", "irq_handler_entry ",
			"sched_switch cat", "irq_handler_entry sh"}},
		{[]tracec.Option{tracec.WithEvents("irq_*")}, []string{"irq_handler_entry ", "irq_handler_entry cat",
			"irq_handler_entry ", "irq_handler_entry sh"}},
		{[]tracec.Option{tracec.WithTasks("cat")}, []string{"irq_handler_entry cat", "sched_switch cat"}},
		{[]tracec.Option{tracec.WithTasks("5")}, []string{"sched_switch sh", "irq_handler_entry sh"}},
	} {
		if have := threads(c.opts...); !slices.Equal(have, c.want) {
			t.Errorf("have %q, want %q", have, c.want)
		}
	}
}
