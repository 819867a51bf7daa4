// Package hooks is what generated decoders of AIX templates stand on, beside package bind: the loops that hand the
// records of a recording to them.
package hooks

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// Batch takes records that follow each other and their entries, one for each. Both are valid until it returns.
type Batch func(records []record.Record, entries []aix.Entry)

// InTimeOrder hands over all records of rec in time order. A file that cannot be read any further is left out from
// then on; the errors are joined.
func InTimeOrder(rec *aix.Recording, batch Batch) error {
	files := len(rec.Info().Files)
	m := rec.Merge(aix.StreamOptions{})
	var errs []error
	for {
		records, entries, err := m.NextRun()
		if len(records) > 0 {
			batch(records, entries)
		}
		if err == nil {
			continue
		}
		if errors.Is(err, io.EOF) {
			return errors.Join(errs...)
		}
		if errs = append(errs, err); len(errs) > files {
			return errors.Join(errs...)
		}
	}
}

// InStreamOrder hands over the records of one file after the other, which is faster. Record.Stream is the position
// of the file. A file that cannot be read any further is left; the errors are joined.
func InStreamOrder(rec *aix.Recording, batch Batch) error {
	var errs []error
	for i, s := range rec.Streams(aix.StreamOptions{}) {
		for {
			records, err := s.Next()
			for j := range records {
				records[j].Stream = int32(i)
			}
			if len(records) > 0 {
				batch(records, s.Entries())
			} else if err == nil {
				err = io.ErrNoProgress
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					errs = append(errs, err)
				}
				break
			}
		}
	}
	return errors.Join(errs...)
}
