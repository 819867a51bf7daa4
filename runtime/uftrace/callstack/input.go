package callstack

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Source is the input of a player: runs of records of one stream, as record.Merger returns them.
type Source interface {
	NextRun() ([]record.Record, []uftrace.Entry, error)
}

// input is the run that a player reads.
type input struct {
	source Source
	// recs[pos:] and ents[pos:] are the rest of the run.
	recs []record.Record
	ents []uftrace.Entry
	pos  int
	task *Task // the thread of a run of User records
	kept kept
	end  error // error of the source, for the next call
}

// kept is the copy of a step's record while the next run is read.
type kept struct {
	rec  record.Record
	ent  uftrace.Entry
	data []byte
}

// record returns the next record of the run. There must be one.
func (in *input) record() (*record.Record, *uftrace.Entry) {
	return &in.recs[in.pos], &in.ents[in.pos]
}

// ended returns the error that the source returned during the search for a record. After errors
// other than io.EOF the source can be read again.
func (in *input) ended() error {
	err := in.end
	if err != nil && !errors.Is(err, io.EOF) {
		in.end = nil
	}
	return err
}

// keep copies the record of a step. The memory of a run is reused for the next one.
func (in *input) keep(s *Step) {
	k := &in.kept
	if s.Record == nil || s.Record == &k.rec {
		return
	}
	k.rec, k.ent = *s.Record, *s.Entry
	k.data = append(k.data[:0], s.Record.Data...)
	k.rec.Data = k.data
	s.Record, s.Entry = &k.rec, &k.ent
}

// read reads the next run. Before it waits for more data, it calls idle if that is not nil.
func (in *input) read(idle func()) error {
	in.recs, in.ents, in.pos = nil, nil, 0
	if m, ok := in.source.(*record.Merger[uftrace.Entry]); ok && idle != nil && !m.Ready() {
		idle()
	}
	recs, ents, err := in.source.NextRun()
	if err != nil {
		return err
	}
	in.recs, in.ents = recs, ents
	return nil
}
