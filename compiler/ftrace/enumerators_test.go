package ftrace

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ir"
)

// TestEnumerators checks values that changed between versions: enum netfs_io_source of
// include/linux/netfs.h, where 6.10 inserted NETFS_SOURCE_UNKNOWN at the front, and enum
// ib_wc_opcode of include/rdma/ib_verbs.h.
func TestEnumerators(t *testing.T) {
	for _, tt := range []struct {
		name   string
		kernel Version
		want   int64 // -1: no name
	}{
		{"NETFS_FILL_WITH_ZEROES", 0x601, 0},
		{"NETFS_FILL_WITH_ZEROES", 0x606, -1},
		{"NETFS_FILL_WITH_ZEROES", 0x60c, 1},
		{"NETFS_FILL_WITH_ZEROES", 0x702, -1},
		{"NETFS_FILL_WITH_ZEROES", 0, -1},
		{"IB_WC_REG_MR", 0x601, 8},
		{"IB_WC_REG_MR", 0x702, 10},
		{"BTRFS_ORDERED_DIRECT", 0x606, 4},
		{"BTRFS_ORDERED_DIRECT", 0x50a, -1},
		{"ES_HOLE_B", 0x60c, 3},
		{"RPC_TASK_ACTIVE", 0x601, 2},
		{"no_such_name", 0x601, -1},
	} {
		got, ok := enumerator(tt.name, tt.kernel)
		if !ok {
			got = -1
		}
		if got != tt.want {
			t.Errorf("%s in %#x: %d, want %d", tt.name, uint32(tt.kernel), got, tt.want)
		}
	}
}

// TestEnumeratorTables: a name has only one value in a version. It has none in constants, which
// apply to all versions.
func TestEnumeratorTables(t *testing.T) {
	for name, list := range versionedNames() {
		if _, twice := constants()[name]; twice {
			t.Errorf("%s is a constant too", name)
		}
		for i, a := range list {
			if a.first > a.last || a.first == 0 {
				t.Errorf("%s: versions %#x to %#x", name, uint32(a.first), uint32(a.last))
			}
			for _, b := range list[:i] {
				if a.first <= b.last && b.first <= a.last {
					t.Errorf("%s has two values from %#x on", name, uint32(max(a.first, b.first)))
				}
			}
		}
	}
	if len(versionedNames()) < 200 {
		t.Errorf("%d names only", len(versionedNames()))
	}
}

// known are the names in a kernel's type information.
type known map[string]int64

func (k *known) Enumerator(name string) (int64, bool) { v, ok := (*k)[name]; return v, ok }

// TestRecordedEnumerators: a value from the recorded kernel has priority over the table by version.
func TestRecordedEnumerators(t *testing.T) {
	text := "name: x\nID: 1\nformat:\n\tfield:int x;\toffset:0;\tsize:4;\tsigned:1;\n\n" +
		"print fmt: \"%s\", __print_symbolic(REC->x, {GLF_FROZEN, \"frozen\"}, {ONLY_HERE, \"here\"}, {NOWHERE, \"no\"})\n"
	ev, _ := CompileEvent("test", "x", []byte(text),
		ir.Target{WordSize: 8, Kernel: 0x601, Names: &known{"GLF_FROZEN": 40, "ONLY_HERE": 41}})
	call := ev.Text[0].(*ir.PutText).T.(*ir.Call)
	want := &ir.Table{Rows: []ir.Row{{Value: 40, Text: "frozen"}, {Value: 41, Text: "here"}}}
	if d := cmp.Diff(want, call.Args[1]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
