package gen

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ir"
)

func TestEventNames(t *testing.T) {
	tests := []struct {
		name   string
		events [][2]string
		split  bool
		want   []string
	}{
		{"plain", [][2]string{{"sched", "sched_switch"}}, false, []string{"SchedSwitch"}},
		{"two groups", [][2]string{{"i915", "vlv_wm"}, {"xe", "vlv_wm"}, {"xe", "other_wm"}}, false,
			[]string{"I915VlvWm", "XeVlvWm", "OtherWm"}},
		{"two groups, split", [][2]string{{"xe", "vlv_wm"}}, true, []string{"VlvWm"}},
		{"taken by the decoder", [][2]string{{"g", "decoder"}, {"g", "other"}}, false, []string{"GDecoder", "Other"}},
		{"taken, split", [][2]string{{"g", "bind"}}, true, []string{"BindXfce4f1c0"}},
		{"one identifier", [][2]string{{"g", "a_b"}, {"g", "a__b"}}, false, []string{"ABX77ab0f06", "ABX53279592"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, eventNames(eventsOf(tt.events), tt.split)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// eventsOf makes events with groups and names.
func eventsOf(pairs [][2]string) (events []*ir.Event) {
	for _, p := range pairs {
		events = append(events, &ir.Event{Group: p[0], Name: p[1]})
	}
	return events
}

// An additional event never moves an identifier to another event.
func TestEventNamesDoNotShift(t *testing.T) {
	all := [][2]string{{"a", "x"}, {"b", "x"}, {"a", "b_x"}, {"c", "bx"}, {"a", "bind"}, {"b", "bind"}, {"c", "x_"},
		{"", "ax"}, {"a", ""}}
	owners := func(mask int) map[string][2]string {
		var some [][2]string
		for i, e := range all {
			if mask>>i&1 != 0 {
				some = append(some, e)
			}
		}
		owner, names := map[string][2]string{}, eventNames(eventsOf(some), false)
		for i, n := range names {
			owner[n] = some[i]
		}
		if len(owner) < len(names) {
			return nil // Generate reports an error for this
		}
		return owner
	}
	for mask := 1; mask < 1<<len(all); mask++ {
		before := owners(mask)
		for i := range all {
			for n, e := range owners(mask | 1<<i) {
				if was, ok := before[n]; ok && was != e {
					t.Fatalf("%s is %v, and %v when there is %v too", n, was, e, all[i])
				}
			}
		}
	}
}

func TestFieldNames(t *testing.T) {
	in := []string{"pid", "PID", "common", "", "_", "x", "read_byte", "x2"}
	want := []string{"PID", "PIDX2", "CommonField", "X", "X2", "X3", "ReadByteField", "X2X2"}
	if d := cmp.Diff(want, fieldNames(in, methodReserved)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
