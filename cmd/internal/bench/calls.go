package main

import (
	"context"

	"github.com/tracec/tracec/cmd/internal/bench/calls"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Names that the table of uftrace refers to.
const (
	callWalk   = "uftrace walk, task order"
	callMerge  = "uftrace walk, time order"
	callTyped  = "uftrace typed, task order"
	callTimely = "uftrace typed, time order"
)

// callMeasurements are those of uftrace's recordings.
var callMeasurements = []measurement{
	{callWalk, "every record, its time, function and payload found", walkCalls},
	{callMerge, "the same in time order", mergeCalls},
	{callTyped, "every call and return to a callback of its function, which reads the argument if there is one", decodeTasks},
	{callTimely, "the same in time order", decodeCalls},
	{fewCalls, "calls of `" + fewCallFunction + "` and returns from it, at both ends of each thread, in time order", fewCallsPlain},
	{fewCallIndex, "that `tracec index` writes", fewCallsIndexed},
}

// walkCalls visits every record, thread after thread.
func walkCalls(path string) (events int64, err error) {
	rec, err := uftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	return visitAll(rec.Streams(record.Options{}))
}

// mergeCalls visits every record in time order.
func mergeCalls(path string) (events int64, err error) {
	rec, err := uftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	return visitMerged(rec.Merge(uftrace.MergeOptions{}))
}

func decodeTasks(path string) (int64, error) { return typedCalls(path, (*calls.Decoder).RunStreams) }

func decodeCalls(path string) (int64, error) { return typedCalls(path, (*calls.Decoder).Run) }

// typedCalls hands every record to a typed callback. Recordings without arguments get the two callbacks that have none.
func typedCalls(path string, run func(*calls.Decoder, context.Context, *uftrace.Recording) error) (int64, error) {
	rec, err := uftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	type (
		rp = *record.Record
		xp = *uftrace.Entry
	)
	var sum, events uint64
	d := &calls.Decoder{
		Leaf:       func(r rp, _ xp, v *calls.LeafArgs) error { sum += uint64(v.Arg1) + r.Time; events++; return nil },
		Node:       func(r rp, _ xp, v *calls.NodeArgs) error { sum += uint64(v.Arg1) + r.Time; events++; return nil },
		LeafReturn: func(r rp, _ xp) error { sum += r.Time; events++; return nil },
		NodeReturn: func(r rp, _ xp) error { sum += r.Time; events++; return nil },
		Missing:    func(string, error) {}, // a recording without arguments
	}
	if err := run(d, context.Background(), rec); err != nil {
		return 0, err
	}
	sink += sum
	return int64(events), nil
}
