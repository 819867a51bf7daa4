package aix

import "github.com/tracec/tracec/runtime/record"

// output is the batch that a stream returns next.
type output struct {
	records []record.Record
	entries []Entry
	n       int
	arena   []byte // rewritten entries of the batch
	half    ShortWord
	learned int // how many entries of the batch are in known
	batches int // so far
}
