package view

import (
	"context"
	"errors"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/timeline"
)

// maxCauses bounds the number of causes of states. Later states lack the thread that woke them.
const maxCauses = 1 << 18

// cause is the common part of states with the same number. These numbers are the names of the items
// of the lane.
type cause struct {
	state, wait, context string // as in tables.State
	waker                int32  // track of the thread that woke it; -1 if unknown
	cpu                  int32  // the processor that it runs on, or the processor of the waker; -1 if unknown
	gap                  bool   // events were lost during the state
}

// states fills the lanes of thread states from the table thread_state.
type states struct {
	x     *index
	adds  bool     // threads without events of their own get a track
	known []member // by tables.Thread.Index
}

// member is the track of a thread.
type member struct {
	thread *tables.Thread
	track  int // -1 for none
}

// followStates reads the recording for the states of threads. It does nothing for a recording
// without events of the scheduler. With adds, threads without events of their own get a track.
func (s *Server) followStates(ctx context.Context, adds bool) error {
	x := s.index
	w := s.walk(ctx, 0, x.now+1)
	f := &states{x: x, adds: adds}
	err := tables.ThreadState.Collect(w, func(row *tables.State) bool {
		x.mu.Lock()
		f.add(row)
		x.mu.Unlock()
		return true
	})
	if missing := (*tables.MissingError)(nil); errors.As(err, &missing) {
		return nil
	}
	if err != nil {
		return err
	}
	return w.Run(ctx)
}

// add adds a state to the lane of its thread. If its begin or end is unknown, the state has no
// length, and is placed at the known time. A state that had not ended at the end of the recording
// lasted until then.
func (f *states) add(row *tables.State) {
	if row.NoBegin != tables.Known && row.NoEnd != tables.Known {
		return
	}
	i := f.track(row.Thread, row.CPU)
	if i < 0 {
		return
	}
	it := item{begin: row.Begin, end: row.End, name: f.cause(row)}
	switch {
	case row.NoBegin != tables.Known:
		it.begin, it.flags = row.End, unseen
	case row.NoEnd == tables.OpenEnd:
		it.end, it.flags = f.x.now, cut
	case row.NoEnd != tables.Known:
		it.end, it.flags = row.Begin, cut
	}
	f.x.append(&f.x.tracks[i].states, it)
	f.x.states++
}

// cause returns the number of a row's cause.
func (f *states) cause(row *tables.State) uint32 {
	c := cause{state: row.State, wait: row.Wait, context: row.Context, waker: -1, cpu: row.CPU, gap: row.GapInside}
	if row.Waker != nil {
		c.waker, c.cpu = int32(f.track(row.Waker, row.WakerCPU)), row.WakerCPU
	}
	n, ok := f.x.causeOf[c]
	if ok {
		return n
	}
	if len(f.x.causes) >= maxCauses {
		c.waker, c.cpu = -1, -1
		if n, ok = f.x.causeOf[c]; ok || len(f.x.causes) >= 2*maxCauses {
			return n
		}
	}
	n = uint32(len(f.x.causes))
	f.x.causes, f.x.causeOf[c] = append(f.x.causes, c), n
	return n
}

// track returns the track of a thread, or -1. cpu is its processor if it is an idle thread.
func (f *states) track(th *tables.Thread, cpu int32) int {
	for th.Index >= len(f.known) {
		f.known = append(f.known, member{})
	}
	m := &f.known[th.Index]
	if m.thread != th {
		*m = member{th, f.find(keyOf(th.TID, cpu))}
	}
	if m.track >= 0 {
		f.name(f.x.tracks[m.track], th)
	}
	return m.track
}

// find returns the track of a thread, or -1.
func (f *states) find(key threadKey) int {
	x := f.x
	if i, ok := x.threads[key]; ok {
		return i
	}
	if !f.adds || len(x.tracks) >= maxTracks {
		return -1
	}
	i := len(x.tracks)
	x.tracks = append(x.tracks, &track{kind: timeline.Thread, id: key.id, cpu: key.cpu, process: -1})
	x.threads[key] = i
	return i
}

// name sets the name and process of a track if its own events have not.
func (f *states) name(t *track, th *tables.Thread) {
	if t.name == "" {
		t.name = th.Name
	}
	if t.process < 0 {
		t.process = th.PID
	}
}
