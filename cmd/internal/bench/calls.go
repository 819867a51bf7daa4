package main

import (
	"iter"

	"github.com/tracec/tracec/cmd/internal/bench/calls"
	"github.com/tracec/tracec/runtime/bind"
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

// callMeasurements are the measurements of uftrace recordings.
var callMeasurements = []measurement{
	{callWalk, "every record, its time, function and payload found", walkCalls},
	{callMerge, "the same in time order", mergeCalls},
	{callTyped, "every call and return decoded, and the argument read if there is one", decodeTasks},
	{callTimely, "the same in time order", decodeCalls},
	{fewCalls, "calls of `" + fewCallFunction + "` and returns from it, at both ends of each thread, in time order",
		fewCallsPlain},
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

func decodeTasks(path string) (int64, error) {
	return typedCalls(path, func(rec *uftrace.Recording, d *calls.Decoder, s *sums) error {
		return record.InStreamOrder(rec.Streams(d.Select(record.Options{})),
			func(records []record.Record, entries []uftrace.Entry) error {
				for i := range records {
					s.call(&records[i], d.Decode(&records[i], &entries[i]))
				}
				return nil
			})
	})
}

func decodeCalls(path string) (int64, error) {
	return typedCalls(path, inTime[*uftrace.Recording, uftrace.Entry]((*sums).calls))
}

// typedCalls decodes every record. In recordings without arguments it decodes the two events that
// have no arguments.
func typedCalls(path string, run func(*uftrace.Recording, *calls.Decoder, *sums) error) (int64, error) {
	return typed(func() (*uftrace.Recording, error) { return uftrace.Open(path) },
		func(rec *uftrace.Recording) (*calls.Decoder, error) {
			return calls.Bind(rec, bind.Unfit(func(string, error) {}))
		}, run)
}

// calls adds the events of a loop.
func (s *sums) calls(events iter.Seq2[*record.Record, any]) {
	for r, e := range events {
		s.call(r, e)
	}
}

func (s *sums) call(r *record.Record, e any) {
	s.events++
	s.sum += r.Time
	switch e := e.(type) {
	case *calls.LeafArgs:
		s.sum += uint64(e.Arg1)
	case *calls.NodeArgs:
		s.sum += uint64(e.Arg1)
	}
}
