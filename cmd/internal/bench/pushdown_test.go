package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/cmd/internal/bench/calls"
	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/cmd/internal/bench/markers"
	"github.com/tracec/tracec/cmd/internal/bench/templates"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// received returns a line for each event of a loop. Losses before records without an event are
// added to the next event of the stream.
func received[E any](t *testing.T, d *bind.Decoder[E]) []string {
	t.Helper()
	var lines []string
	lost := map[int32]int64{}
	for r, e := range d.Events(t.Context(), record.Options{}) {
		n := record.AddLost(lost[r.Stream], r.Lost)
		lost[r.Stream] = n
		if _, short := e.(*bind.Short); e != nil && !short {
			lines = append(lines, fmt.Sprint(d.Event(r).Label(), r.Time, r.CPU, r.Task, r.Stream, n, string(r.Data)))
			lost[r.Stream] = 0
		}
	}
	if d.Err() != nil {
		t.Fatal(d.Err())
	}
	return lines
}

// pushes compares the events of a package with and without the records of all others, for some
// choices of events.
func pushes[E any](
	t *testing.T, rec record.Recording, err error, pkg bind.Package[E],
	bindTo func(record.Recording, ...bind.Option) (*bind.Decoder[E], error),
) (total int) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		opts := []bind.Option{bind.Unfit(func(string, error) {})}
		for _, i := range random.Perm(len(pkg.Events))[:1+random.IntN(min(len(pkg.Events), 6))] {
			opts = append(opts, &pkg.Events[i])
		}
		var got [2][]string
		for i := range got {
			if i == 1 {
				opts = append(opts, bind.All())
			}
			d, err := bindTo(rec, opts...)
			if err != nil {
				t.Fatal(err)
			}
			got[i] = received(t, d)
			// With times that step back, the merge depends on the streams that it reads: a missing
			// stream changes the order of others.
			slices.Sort(got[i])
		}
		if diff := cmp.Diff(got[1], got[0]); diff != "" {
			t.Fatalf("%s (-all +wanted):\n%.2000s", rec.Name(), diff)
		}
		total += len(got[0])
	}
	return total
}

// TestPushdown: events are the same, whether containers skip the records of other events or loops
// read all records.
func TestPushdown(t *testing.T) {
	total := 0
	traces, _ := filepath.Glob("../../../testdata/ftrace/*.dat")
	for _, name := range traces {
		rec, err := ftrace.Open(name)
		total += pushes(t, rec, err, decoders.Package, decoders.Bind)
	}
	hooks := filepath.Join(t.TempDir(), "hooks.raw")
	if err := writeAIX(hooks, 1e6, false); err != nil {
		t.Fatal(err)
	}
	stream, err := aix.Open(hooks)
	total += pushes(t, stream, err, templates.Package, templates.Bind)
	long := filepath.Join(t.TempDir(), "long")
	if err := repeatTrace("markers/bench.trace", long, 5*7*4096); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"markers/bench.trace", long} {
		rec, err := lttng.Open(name)
		total += pushes(t, rec, err, markers.Package, markers.Bind)
	}
	rec, err := uftrace.Open("calls/bench.data")
	if total += pushes(t, rec, err, calls.Package, calls.Bind); total == 0 {
		t.Error("no events")
	}
}
