package uftrace

import "github.com/tracec/tracec/runtime/record"

// kernelOutput is the batch that a stream returns next. raws are the records as recorded, offs
// their offsets in the file.
type kernelOutput struct {
	recs []record.Record
	ents []Entry
	raws [][]byte
	offs []int64
}

// advance moves record i of the batch, a loss, before the tracepoints that precede it. It cannot
// move it before tracepoints of an earlier batch.
func (o *kernelOutput) advance(i int) {
	for ; i > 0 && o.ents[i-1].Kind == Event; i-- {
		o.recs[i], o.recs[i-1] = o.recs[i-1], o.recs[i]
		o.ents[i], o.ents[i-1] = o.ents[i-1], o.ents[i]
		o.raws[i], o.raws[i-1] = o.raws[i-1], o.raws[i]
		o.offs[i], o.offs[i-1] = o.offs[i-1], o.offs[i]
	}
}
