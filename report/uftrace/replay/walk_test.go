package replay

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestWalkAgrees: a walker and a player print the same lines of --flat, also for damaged
// recordings.
func TestWalkAgrees(t *testing.T) {
	recordings := uftracetest.All(t)
	all := func(*record.Record, *uftrace.Entry) bool { return true } // it requires a player
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Any(t, recordings)
		o := Options{Layout: Layout{Flat: true}}
		o.Play.Events.None, o.Play.Events.Full = rapid.Bool().Draw(t, "no event"), rapid.Bool().Draw(t, "all events")
		o.Play.Events.NoSched = rapid.Bool().Draw(t, "no schedule")
		walked := printed(t, files, o)
		o.Match = all
		if d := cmp.Diff(strings.Split(printed(t, files, o), "\n"), strings.Split(walked, "\n")); d != "" {
			t.Fatalf("-player +walker:\n%s", d)
		}
	})
}
