package main

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// visitAll looks at every record, one stream after the other.
func visitAll[E any, S record.Stream[E]](streams []S) (events int64, err error) {
	for _, s := range streams {
		for {
			batch, err := s.Next()
			visit(batch.Records)
			events += int64(len(batch.Records))
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return events, err
			}
		}
	}
	return events, nil
}

// visitMerged looks at every record in time order.
func visitMerged[E any](m *record.Merger[E]) (events int64, err error) {
	for {
		records, _, err := m.NextRun()
		visit(records)
		events += int64(len(records))
		if errors.Is(err, io.EOF) {
			return events, nil
		}
		if err != nil {
			return events, err
		}
	}
}

func visit(records []record.Record) {
	for i := range records {
		sink += uint64(records[i].ID) + records[i].Time + uint64(len(records[i].Data))
	}
}
