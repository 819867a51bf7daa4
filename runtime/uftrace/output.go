package uftrace

import "github.com/tracec/tracec/runtime/record"

// output is the batch that a stream returns next.
type output struct {
	room  int
	dirty bool // recs have payloads or losses
	recs  []record.Record
	ents  []Entry
}
