package process

import (
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// Threads is the record.Names of a recording of one or several traces. The names come from the
// State of the running process. Records need their threads, as set by [lttng.Recording.MergeTasks].
// Traces have no symbols.
type Threads struct{ states map[*lttng.Trace]*State }

var _ record.Names[lttng.Entry] = Threads{}

// Of returns the names of a recording, for use from its first record on.
func Of(*lttng.Recording) Threads { return Threads{map[*lttng.Trace]*State{}} }

// Follow implements record.Names.
func (t Threads) Follow(r *record.Record, x *lttng.Entry) {
	if x.Marker == nil {
		return
	}
	s := t.states[x.Marker.Trace()]
	if s == nil {
		s = New(x.Marker.Trace())
		t.states[x.Marker.Trace()] = s
	}
	s.Apply(r, x.Marker)
}

// Thread implements record.Names.
func (t Threads) Thread(r *record.Record, x *lttng.Entry) record.Thread {
	if x.Marker == nil || r.Task < 0 {
		return record.Unknown
	}
	s := t.states[x.Marker.Trace()]
	if s == nil {
		return record.Unknown
	}
	p := s.Running(r.CPU)
	if p == nil || p.PID != r.Task {
		return record.Unknown
	}
	return record.Thread{Comm: p.Name, Process: p.TGID}
}

// Symbol implements record.Names. It returns false.
func (t Threads) Symbol(*record.Record, uint64) (name string, offset uint64, ok bool) {
	return "", 0, false
}
