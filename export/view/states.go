package view

import (
	"context"
	"errors"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/timeline"
)

// maxCauses bounds the kinds of states. States beyond them lack the thread that woke it.
const maxCauses = 1 << 18

// cause is what the states of threads have in common that have the same number: the names of the
// items of the lane.
type cause struct {
	state, wait, context string // as in tables.State
	waker                int32  // the track of the thread that woke it; -1 if not known
	cpu                  int32  // where it runs, or the processor of the waker; -1 if not known
	gap                  bool   // events were lost meanwhile
}

// states fills the lanes of thread states, from the table thread_state.
type states struct {
	x     *index
	adds  bool     // threads without events of their own get a track
	known []member // by tables.Thread.Index
}

// member is the track of a thread.
type member struct {
	thread *tables.Thread
	track  int // -1 without one
}

// followStates reads the recording for the states of threads. A recording without events of the
// scheduler has none. With adds, threads without events of their own get a track.
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

// add adds a state to the lane of its thread. Without a known begin it is where it ended, without a
// known end where it began, and without a length: it lasted for some time. A state that had not
// ended when the recording did has lasted until then.
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

// track returns the track of a thread, -1 without one. cpu is its processor if it is an idle one.
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

// find looks for the track of a thread.
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

// name gives a track the name and process of a thread, when its own events have not.
func (f *states) name(t *track, th *tables.Thread) {
	if t.name == "" {
		t.name = th.Name
	}
	if t.process < 0 {
		t.process = th.PID
	}
}
