package tracecmd

import (
	"testing"

	"github.com/tracec/tracec/runtime/ftrace"
)

// TestKernelFlags compares with flags in the kernel's own text of recordings in
// ../shared/data/ftrace.
func TestKernelFlags(t *testing.T) {
	common := []ftrace.Field{
		{Name: "common_type", Offset: 0, Size: 2},
		{Name: "common_flags", Offset: 2, Size: 1},
		{Name: "common_preempt_count", Offset: 3, Size: 1},
		{Name: "common_pid", Offset: 4, Size: 4},
	}
	lazy := append(common[:4:4], ftrace.Field{Name: "common_preempt_lazy_count", Offset: 8, Size: 1})
	const stable, realtime, newest = "Linux guest 6.1.0-50-amd64", "Linux guest 6.1.0-50-rt-amd64",
		"Linux guest 7.2.13-amd64"
	for _, tt := range []struct {
		uname          string
		fields         []ftrace.Field
		flags, preempt byte
		lazyCount      byte
		want           string
	}{
		{stable, common, 0x00, 0x00, 0, "....."},
		{stable, common, 0x2d, 0x02, 0, "dNh2."},
		{stable, common, 0x49, 0x03, 0, "d.Z3."}, // mmiotrace
		{stable, common, 0x80, 0x01, 0, "b..1."},
		{stable, common, 0x02, 0x00, 0, "X...."},
		{"Linux guest 4.19.0", common, 0x01, 0x12, 0, "d..12"},
		{realtime, lazy, 0x21, 0x00, 0, "d.L...."},
		{realtime, lazy, 0x0d, 0x11, 1, "dn.h111"},
		{realtime, lazy, 0x09, 0x03, 0, "d..h3.."},
		{"Linux guest 6.12.107-rt-amd64", common, 0x02, 0x10, 0, ".l..1"},
		{"Linux guest 6.12.107-rt-amd64", common, 0x2f, 0x11, 0, "dBh11"},
		{"Linux guest 6.12.107-rt-amd64", common, 0x0b, 0x12, 0, "dlh21"},
		{"Linux guest 6.12.107-amd64", common, 0x02, 0x00, 0, "X...."},
		{newest, common, 0x26, 0x01, 0, ".B.1."},
		{newest, common, 0x0d, 0x10, 0, "dnh.1"},
		{newest, common, 0x22, 0x00, 0, ".L..."},
		{newest, common, 0x81, 0x00, 0, "D...."},
		{"", common, 0x02, 0x00, 0, ".l..."},
	} {
		f := &ftrace.Format{Fields: tt.fields}
		k := newKernelFlags([]*ftrace.Format{f}, tt.uname)
		l := newLatencyFields(f, false)
		data := []byte{1, 0, tt.flags, tt.preempt, 0, 0, 0, 0, tt.lazyCount}
		if got := string(k.append(nil, &l, data)); got != tt.want {
			t.Errorf("%s: flags %#x, preempt %#x: %q, the kernel has %q", tt.uname, tt.flags, tt.preempt, got, tt.want)
		}
		k.append(nil, &l, data[:2]) // a record that ends before its flags
	}
}
