package callstack_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// ends passes on the calls that end.
type ends struct {
	*callstack.Walker
	ended func(*callstack.Frame)
}

// Calls implements callstack.Visitor.
func (v ends) Calls(t *callstack.Task, recs []record.Record, ents []uftrace.Entry) error {
	for i := range recs {
		switch r, e := &recs[i], &ents[i]; e.Kind {
		case uftrace.Enter:
			v.Enter(t, r, e)
		case uftrace.Leave:
			v.ended(v.Leave(t, r, e))
		case uftrace.Lost:
			v.Lose(t)
		default:
			v.Walker.Event(t, r)
		}
	}
	return nil
}

// Event implements callstack.Visitor.
func (v ends) Event(t *callstack.Task, r *record.Record) error {
	v.Walker.Event(t, r)
	return nil
}

// The total time of all calls, in ns, computed by several goroutines. Each follows the calls of a
// slice. Calls that began before the slice are added when the slices are joined.
func ExampleStretch() {
	rec, err := uftrace.Open("../../../cmd/internal/bench/calls/bench.data")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	type found struct {
		slice   record.Slice[uftrace.Entry]
		stretch *callstack.Stretch
		total   uint64
	}
	ctx, whole, sum := context.Background(), callstack.NewWalker(rec, &callstack.Options{}), uint64(0)
	slices := rec.StreamSlices(record.Options{Workers: 2}, 64)
	err = record.InSlices(ctx, slices, 2, func(_ int, s record.Slice[uftrace.Entry]) (found, error) {
		x, w := found{slice: s}, callstack.NewWalker(rec, &callstack.Options{})
		w.Stretches()
		err := w.Read(ctx, s.Merge(), ends{w, func(f *callstack.Frame) {
			if !f.Assumed() {
				x.total += f.Total
			}
		}})
		x.stretch = w.Stretch()
		return x, err
	}, func(x found) error {
		add := func(f *callstack.Frame) { sum += f.Total }
		if !whole.Fits(x.stretch) {
			return whole.Read(ctx, x.slice.MergeAgain(), ends{whole, add})
		}
		for i := range x.stretch.Ended {
			add(whole.EndCall(&x.stretch.Ended[i]))
		}
		whole.Join(x.stretch)
		sum += x.total
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(slices), "slices,", sum, "ns")
	// Output:
	// 5 slices, 19358 ns
}
