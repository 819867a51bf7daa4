package gen

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ir"
)

func TestLabelNames(t *testing.T) {
	for _, c := range []struct {
		events []*ir.Event
		want   []string
	}{
		{labelled("020", "ORDER", "021", "PICK BEGIN", "022", "getUser io_start", "023", ""),
			[]string{"Order", "PickBegin", "GetUserIOStart", "Hook023"}},
		{labelled("020", "ORDER", "0211", "order", "022", "Order!"), []string{"Order020", "Order0211", "Order022"}},
		{labelled("020", "DECODER", "021", "EVENTS", "022", "ORDER EVENT", "023", "BIND"),
			[]string{"Decoder020", "Events", "OrderEvent", "Bind023"}},
		{labelled("020", "HOOK 021", "021", "HOOK", "022", "32 BIT", "023", "STATE024"),
			[]string{"Hook021020", "Hook", "Hook022", "State024023"}},
		{labelled("021", "STATE1", "022", "STATE1", "1021", "STATE", "023", "STATE"),
			[]string{"Hook021", "State1022", "Hook1021", "State023"}},
	} {
		if d := cmp.Diff(c.want, labelNames(c.events)); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}

// labelled makes events from pairs of a number and a label.
func labelled(pairs ...string) (events []*ir.Event) {
	for i := 0; i < len(pairs); i += 2 {
		events = append(events, &ir.Event{Ident: numbered + pairs[i], Label: pairs[i+1]})
	}
	return events
}

// An added event never takes the name of another event, and never renames an event of another
// label.
func TestLabelNamesDoNotShift(t *testing.T) {
	all := labelled("020", "STATE", "021", "STATE", "022", "STATE 021", "023", "", "024", "HOOK 023", "025", "STATE02",
		"1021", "STATE", "026", "bind")
	owners := func(mask int) map[string]*ir.Event {
		var some []*ir.Event
		for i, e := range all {
			if mask>>i&1 != 0 {
				some = append(some, e)
			}
		}
		owner := map[string]*ir.Event{}
		for i, n := range labelNames(some) {
			owner[n] = some[i]
		}
		if len(owner) < len(some) {
			t.Fatal(labelNames(some))
		}
		return owner
	}
	for mask := 1; mask < 1<<len(all); mask++ {
		before := owners(mask)
		for i := range all {
			for n, e := range owners(mask | 1<<i) {
				if was, ok := before[n]; ok && was != e {
					t.Fatalf("%s is %s, and %s when there is %s too", n, was.Ident, e.Ident, all[i].Ident)
				}
			}
		}
	}
}
