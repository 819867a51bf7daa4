package aix

import "github.com/tracec/tracec/runtime/record"

// output is the batch that a stream returns next.
type output struct {
	records []record.Record
	entries []Entry
	n       int
	arena   []byte // rewritten entries of the batch
	half    ShortWord
	learned int // number of entries of the batch that are in known
	batches int // so far
}
