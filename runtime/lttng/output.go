package lttng

import "github.com/tracec/tracec/runtime/record"

// output is the batch that a stream returns next.
type output struct {
	records []record.Record
	entries []Entry
	n       int // of the last batch
	room    int // maximum number of events in a batch
}

// lossy reports whether events were lost before an event of the batch. That can only be the first
// event of the batch and of its sub-buffer.
func (o *output) lossy() bool { return o.n > 0 && o.records[0].Lost != 0 }

func (o *output) allocate() {
	o.records, o.entries = make([]record.Record, o.room), make([]Entry, o.room)
}

func (o *output) batch() record.Batch[Entry] {
	return record.Batch[Entry]{Records: o.records[:o.n], Entries: o.entries[:o.n]}
}
