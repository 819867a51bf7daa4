package bind

import (
	"maps"
	"slices"

	"github.com/tracec/tracec/runtime/record"
)

// losses adds the losses before skipped records to the next record of their stream.
type losses struct {
	run []record.Record // the records that are yielded now
	// owed is indexed by Record.Stream. It holds the losses before the last record of the stream's
	// last run, which was not yielded.
	owed   map[int32]int64
	losers []*record.Record // records of run whose Lost is changed for now
	before []int64          // their recorded Lost
}

// reset begins a walk. owed holds the losses of streams before it.
func (l *losses) reset(owed map[int32]int64) {
	*l = losses{owed: map[int32]int64{}}
	maps.Copy(l.owed, owed)
}

// begin begins a run of records of one stream.
func (l *losses) begin(records []record.Record) {
	l.run = records
	if len(l.owed) == 0 || len(records) == 0 {
		return
	}
	if n, ok := l.owed[records[0].Stream]; ok {
		l.lose(&records[0], n)
		delete(l.owed, records[0].Stream)
	}
}

// end restores the Lost of the records of a run: streams reuse them.
func (l *losses) end() {
	for i, r := range slices.Backward(l.losers) {
		r.Lost = l.before[i]
	}
	l.losers, l.before, l.run = l.losers[:0], l.before[:0], nil
}

// pass moves the losses before record i of the run, which is not yielded, to the next record.
func (l *losses) pass(i int) {
	r := &l.run[i]
	switch {
	case r.Lost == 0:
	case i+1 < len(l.run):
		l.lose(&l.run[i+1], r.Lost)
	default:
		l.owed[r.Stream] = r.Lost
	}
}

// lose adds losses to a record, until the end of the run.
func (l *losses) lose(r *record.Record, n int64) {
	l.losers, l.before = append(l.losers, r), append(l.before, r.Lost)
	r.Lost = record.AddLost(n, r.Lost)
}
