package tables_test

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/runtime/syscalls"
)

var called = []string{
	"syscalls-errors", "syscalls-errors-all", "syscalls-procs", "syscalls-named", "syscalls-compat", "lost-syscalls", "faults-own", "cut-attach", "all-mix",
}

// sysRows returns the rows of Syscalls. They stay valid.
func sysRows(t testing.TB, rec *tracec.Recording) (list []tables.Syscall) {
	t.Helper()
	for row, err := range tables.Syscalls.Rows(context.Background(), rec) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, *row)
	}
	return list
}

// TestSyscallsArePerfettos compares each call with Perfetto's slice of it.
func TestSyscallsArePerfettos(t *testing.T) {
	for _, name := range called {
		t.Run(name, func(t *testing.T) {
			text, ok := saved(t, name, "perfetto-thread_slice.tsv")
			if !ok {
				t.Fatal("no text")
			}
			theirs := map[string]int{}
			for _, p := range lines(t, text) {
				if strings.HasPrefix(p["name"], "sys_") {
					theirs[key(p, "ts", "dur", "tid", "name", "ret")]++
				} else {
					t.Log("other", p)
				}
			}
			same := 0
			for _, o := range rows(t, tables.Syscalls, recording(t, name)) {
				o["name"] = "sys_" + o["name"]
				if o["dur"] == "NULL" {
					o["dur"] = "-1"
				}
				k := key(o, "ts", "dur", "tid", "name", "ret")
				if theirs[k] > 0 {
					theirs[k]--
					same++
					continue
				}
				if o["ts"] != "NULL" {
					t.Error("ours ", k, o["reason"], o["ts_end"], o["gap_inside"])
				}
			}
			for k, n := range theirs {
				if n != 0 {
					t.Error("theirs", k)
				}
			}
			t.Log(same)
		})
	}
}
var _ = maps.Keys[map[int]int]
var _ = slices.Sort[[]int]
var _ = strconv.Itoa
var _ = syscalls.Of
var _ = regexp.MustCompile
