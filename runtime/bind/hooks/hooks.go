// Package hooks supports generated decoders of AIX templates, beside package bind: the loops that hand the
// records of a recording to them.
package hooks

import (
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// Batch takes records that follow each other and their entries, one for each. Both are valid until it returns.
type Batch func(records []record.Record, entries []aix.Entry)

// InTimeOrder passes on all records of rec in time order. A file that cannot be read any further is left out from
// then on; the errors are joined.
func InTimeOrder(rec *aix.Recording, batch Batch) error {
	return rec.Merge(record.Options{}).EachRun(batch)
}

// InStreamOrder passes on the records of one file after the other, which is faster. Record.Stream is the position
// of the file. A file that cannot be read any further is left; the errors are joined.
func InStreamOrder(rec *aix.Recording, batch Batch) error {
	return record.InStreamOrder(rec.Streams(record.Options{}), batch)
}
