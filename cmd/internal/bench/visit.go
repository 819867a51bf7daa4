package main

import "github.com/tracec/tracec/runtime/record"

// visitAll visits every record, one stream after the other.
func visitAll[E any, S record.Stream[E]](streams []S) (events int64, err error) {
	err = record.InStreamOrder(streams, func(records []record.Record, _ []E) error {
		visit(records)
		events += int64(len(records))
		return nil
	})
	return events, err
}

// visitMerged visits every record in time order.
func visitMerged[E any](m *record.Merger[E]) (events int64, err error) {
	err = m.EachRun(func(records []record.Record, _ []E) error {
		visit(records)
		events += int64(len(records))
		return nil
	})
	return events, err
}

func visit(records []record.Record) {
	for i := range records {
		sink += uint64(records[i].ID) + records[i].Time + uint64(len(records[i].Data))
	}
}
