package layout_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/aix/layout"
	"github.com/tracec/tracec/runtime/bind"
)

// A hook is found only by its id, in both forms.
func TestSource(t *testing.T) {
	src := layout.Source(nil)
	for name, id := range map[string]uint32{"010": 0x100, "0100": 0x100, "0101": 0x101, "3FF": 0x3ff0, "3ff": 0x3ff0,
		"FFFF": 0xffff, "000": 0} {
		want := []bind.Event{{Name: name, ID: id, BigEndian: true, Sequential: true}}
		if d := cmp.Diff(want, src(name)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	for _, name := range []string{"", "1", "10", "12345", "0x1", "+10", "xyz", "-100"} {
		if got := src(name); got != nil {
			t.Errorf("%q is %+v", name, got)
		}
	}
}
