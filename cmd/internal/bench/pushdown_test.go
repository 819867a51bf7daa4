package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/cmd/internal/bench/calls"
	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/cmd/internal/bench/markers"
	"github.com/tracec/tracec/cmd/internal/bench/templates"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// callbacks are what a Decoder, which d points to, has for events: its fields up to the first that is not of an event.
func callbacks(d any) (list []reflect.Value) {
	v := reflect.ValueOf(d).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).Name == "Other" {
			break
		}
		list = append(list, v.Field(i))
	}
	return list
}

// received runs a Decoder with the callbacks of some events and returns a line for each that one of them got. lost is what Record.Lost of the
// records before it in the stream, which no callback got, adds to it.
func received(t *testing.T, d any, run func() error, chosen []int, all bool) []string {
	t.Helper()
	var lines []string
	lost := map[int32]int64{}
	see := func(r *record.Record, what string) {
		n := record.AddLost(lost[r.Stream], r.Lost)
		if lost[r.Stream] = n; what != "" {
			lines = append(lines, fmt.Sprint(what, " ", r.Time, r.CPU, r.Task, r.Stream, n, string(r.Data)))
			lost[r.Stream] = 0
		}
	}
	listen := func(f reflect.Value, what string) {
		f.Set(reflect.MakeFunc(f.Type(), func(args []reflect.Value) []reflect.Value {
			see(args[0].Interface().(*record.Record), what)
			return []reflect.Value{reflect.Zero(f.Type().Out(0))}
		}))
	}
	fields := callbacks(d)
	for _, i := range chosen {
		listen(fields[i], fmt.Sprint(i))
	}
	v := reflect.ValueOf(d).Elem()
	v.FieldByName("Optional").SetBool(true)
	v.FieldByName("Missing").Set(reflect.ValueOf(func(string, error) {}))
	listen(v.FieldByName("Short"), "short")
	if all {
		listen(v.FieldByName("Other"), "")
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestPushdown: what callbacks get is the same whether containers pass over the records that have none, or Other gets them.
func TestPushdown(t *testing.T) {
	type system struct {
		name string
		open func() (decoder any, run, runStreams func() error)
	}
	ctx := context.Background()
	var systems []system
	traces, _ := filepath.Glob("../../../testdata/ftrace/*.dat")
	for _, name := range traces {
		rec, err := ftrace.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		systems = append(systems, system{filepath.Base(name), func() (any, func() error, func() error) {
			d := &decoders.Decoder{}
			return d, func() error { return d.Run(ctx, rec) }, func() error { return d.RunStreams(ctx, rec) }
		}})
	}
	hooks := filepath.Join(t.TempDir(), "hooks.raw")
	if err := writeAIX(hooks, 1e6, false); err != nil {
		t.Fatal(err)
	}
	systems = append(systems, system{"hooks", func() (any, func() error, func() error) {
		d := &templates.Decoder{}
		rec, err := aix.Open(hooks)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rec.Close() })
		return d, func() error { return d.Run(ctx, rec) }, func() error { return d.RunStreams(ctx, rec) }
	}})
	long := filepath.Join(t.TempDir(), "long")
	if err := repeatTrace("markers/bench.trace", long, 5*7*4096); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"markers/bench.trace", long} {
		rec, err := lttng.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		systems = append(systems, system{filepath.Base(name), func() (any, func() error, func() error) {
			d := &markers.Decoder{}
			return d, func() error { return d.Run(ctx, rec) }, func() error { return d.RunStreams(ctx, rec) }
		}})
	}
	rec, err := uftrace.Open("calls/bench.data")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	systems = append(systems, system{"calls", func() (any, func() error, func() error) {
		d := &calls.Decoder{}
		return d, func() error { return d.Run(ctx, rec) }, func() error { return d.RunStreams(ctx, rec) }
	}})
	random := rand.New(rand.NewPCG(1, 2))
	total := 0
	for _, s := range systems {
		t.Run(s.name, func(t *testing.T) {
			for range 8 {
				d, _, _ := s.open()
				n := len(callbacks(d))
				chosen := random.Perm(n)[:random.IntN(min(n, 6)+1)]
				for order := range 2 {
					var got [2][]string
					for i := range got {
						d, run, runStreams := s.open()
						got[i] = received(t, d, []func() error{run, runStreams}[order], chosen, i == 1)
						if order == 0 { // times that step back put others before them when their stream is left out of the merge
							slices.Sort(got[i])
						}
					}
					if diff := cmp.Diff(got[1], got[0]); diff != "" {
						t.Fatalf("events %v, order %d (-all +wanted):\n%.2000s", chosen, order, diff)
					}
					total += len(got[0])
				}
			}
		})
	}
	if total == 0 {
		t.Error("no events")
	}
}
