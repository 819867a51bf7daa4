package tracec_test

import (
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/pattern"
)

// TestWithEvents: patterns select the same events in every kind of recording as a check of each
// event. A pattern without a match is an error.
func TestWithEvents(t *testing.T) {
	for name, patterns := range map[string][]string{
		"ftrace/amd64-syscalls.dat":                {"sys_enter_*", "sched:sched_switch,irq:*"},
		"uftrace/kernel-events/data.tar.gz":        {"main", "raw_syscalls:*"},
		"lttng/synthetic/v26-le64-bigevent.tar.xz": {"sched_schedule"},
		"aix/shop64.trc":                           {"021,02[5-7]"},
	} {
		rec := openAny(t, "testdata/"+name)
		list, err := pattern.ParseList(patterns)
		if err != nil {
			t.Fatal(err)
		}
		all, want := 0, 0
		for ev := range newReader(t, rec).All() {
			if all++; list.Matches(ev.Type.System, ev.Type.Name, ev.Type.Label) {
				want++
			}
		}
		got := 0
		for ev := range newReader(t, rec, tracec.WithEvents(patterns...)).All() {
			if got++; !list.Matches(ev.Type.System, ev.Type.Name, ev.Type.Label) {
				t.Fatalf("%s: %s is not chosen", name, ev.Type.Name)
			}
		}
		if got != want || got == 0 || got == all {
			t.Errorf("%s: %d events, want %d of %d", name, got, want, all)
		}
		_, err = tracec.NewReader(rec, tracec.WithEvents("nosuch"))
		if err == nil || !strings.Contains(err.Error(), "nosuch") {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := tracec.NewReader(rec, tracec.WithEvents("[")); err == nil {
			t.Errorf("%s: a bad pattern is none", name)
		}
	}
}
