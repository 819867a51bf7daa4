package main

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// visit reads batches until there are none and looks at every record.
func visit(next func() ([]record.Record, error)) (events int64, err error) {
	for {
		batch, err := next()
		for i := range batch {
			sink += uint64(batch[i].ID) + batch[i].Time + uint64(len(batch[i].Data))
		}
		events += int64(len(batch))
		if errors.Is(err, io.EOF) {
			return events, nil
		}
		if err != nil {
			return events, err
		}
	}
}

// visitAll visits one stream after the other.
func visitAll[S record.Stream](streams []S) (events int64, err error) {
	for _, s := range streams {
		n, err := visit(s.Next)
		if events += n; err != nil {
			return events, err
		}
	}
	return events, nil
}

// merged is a merge of streams with entries of type E.
type merged[E any] interface {
	NextRun() ([]record.Record, []E, error)
}

// visitMerged visits records in time order.
func visitMerged[E any](m merged[E]) (events int64, err error) {
	return visit(func() ([]record.Record, error) {
		run, _, err := m.NextRun()
		return run, err
	})
}
