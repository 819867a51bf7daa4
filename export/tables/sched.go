package tables

import (
	"slices"

	"github.com/tracec/tracec"
)

// A State is a row of [ThreadState] and of [SchedLatency]: a period of a thread in one state.
type State struct {
	Row
	// State is Running, R (on a run queue), R+ (preempted), or letters for a blocked thread. The
	// letters are as printed by the recording's own format, such as S and D.
	State string
	// Wait is the reason why a thread is on a run queue. It is "" for other states.
	Wait string
	// Waker is the thread that woke it, or nil if unknown. In the context of an interrupt, it is
	// the interrupted thread.
	Waker *Thread
	// WakerCPU is the processor of the waker, or -1. Context is irq, softirq or idle, or "" if the
	// waker itself woke it.
	WakerCPU int32
	Context  string
	// Next is the processor on which the thread runs next, or -1 if unknown.
	Next int32
	// GapInside is set if events were lost between the begin and the end. The thread may have done
	// something else in between.
	GapInside bool
}

// The causes of a wait.
const (
	woken     = "woken"
	created   = "new"
	preempted = "preempted"
	yielded   = "yielded"
)

const running = "Running"

// phase is the known activity of a thread.
type phase uint8

const (
	unseen phase = iota
	onCPU
	waiting // on a run queue
	blocked
)

// sched is the current state of a thread.
type sched struct {
	thread *Thread // owner; another thread with its index starts without a state
	phase  phase
	row    State
	losses int64  // number of losses when the state began
	since  uint64 // begin of the thread, or of the recording
}

// scheduler follows the states of threads: docs/spec/tables.md section 2.
type scheduler struct {
	w       *Walk
	rows    func(*State) bool
	states  byThread[sched]
	running []*Thread
	letters letters
	strays  int64 // number of switches from a thread that was not known to run
	total   int64 // number of switches
	known   known
}

func newScheduler(w *Walk, rows func(*State) bool) *scheduler {
	return &scheduler{w: w, rows: rows}
}

// of returns the state of a thread.
func (s *scheduler) of(th *Thread) *sched {
	st := s.states.at(th)
	if st.thread != th {
		*st = sched{thread: th, since: s.w.extent.First}
	}
	return st
}

// at returns the slot of the thread that runs on a processor, or nil without a processor.
func (s *scheduler) at(cpu int32) **Thread {
	if cpu < 0 || cpu >= maxCPUs {
		return nil
	}
	for int(cpu) >= len(s.running) {
		s.running = append(s.running, nil)
	}
	return &s.running[cpu]
}

// maxCPUs bounds the numbers of processors. Linux has at most 8,192 (NR_CPUS).
const maxCPUs = 1 << 16

// begin puts a thread into a state on no processor. It returns the row with only these values. It
// sets the fields one by one, since a composite literal would be built and copied.
func (s *scheduler) begin(st *sched, p phase, state string, time uint64) *State {
	st.phase, st.losses = p, s.w.extent.Losses
	row := &st.row
	row.Begin, row.NoBegin, row.NoEnd, row.CPU, row.Thread = time, Known, Known, -1, st.thread
	row.State, row.Wait, row.Context = state, "", ""
	row.Waker, row.WakerCPU, row.Next = nil, -1, -1
	return row
}

// finish ends the current state of a thread, and makes a row of it.
func (s *scheduler) finish(st *sched, time uint64, why Reason) {
	if st.phase == unseen {
		return
	}
	st.row.End, st.row.NoEnd, st.row.GapInside = max(time, st.row.Begin), why, st.losses != s.w.extent.Losses
	st.phase = unseen
	s.known.add(&st.row)
	if !st.thread.Idle() || st.row.State == running {
		s.rows(&st.row)
	}
}

// why returns the reason for a missing event after a state began.
func (s *scheduler) why(st *sched) Reason {
	if s.w.extent.Losses != st.losses {
		return Lost
	}
	return NotRecorded
}

// orLost returns the reason for a missing begin, or Lost if events were lost before.
func (s *scheduler) orLost(why Reason) Reason {
	if s.w.extent.Losses > 0 {
		return Lost
	}
	return why
}

// switched handles a switch: prev leaves a processor in a state, and next runs on it.
func (s *scheduler) switched(ev *tracec.Event, prev, next *Thread, state uint64) {
	cpu := s.at(ev.CPU)
	if cpu == nil || prev == nil || next == nil {
		return
	}
	prev.ran, next.ran = true, true
	s.total++
	s.known.switches(ev.CPU)
	if *cpu != nil && *cpu != prev {
		s.strays++
		if st := s.of(*cpu); st.phase == onCPU && st.row.CPU == ev.CPU {
			s.finish(st, 0, s.why(st))
		}
	}
	s.leaves(ev, prev, state, *cpu == nil)
	if prev == next { // from a damaged record; leaves may have ended the thread
		if next = s.w.threads.at(next.TID, ev.CPU); next == nil {
			*cpu = nil
			return
		}
		next.ran = true
	}
	s.runs(ev, next)
	*cpu = next
}

// leaves ends the running state of a thread. first is set for the first switch of the processor,
// and the first one after a loss.
func (s *scheduler) leaves(ev *tracec.Event, prev *Thread, state uint64, first bool) {
	st := s.of(prev)
	if st.phase != onCPU || st.row.CPU != ev.CPU {
		begun := NotRecorded
		if first {
			begun = OpenBegin
		}
		s.finish(st, 0, s.why(st))
		row := s.begin(st, onCPU, running, 0)
		row.NoBegin, row.CPU = s.orLost(begun), ev.CPU
	}
	s.finish(st, ev.Time, Known)
	l := s.letters.of(ev, state)
	switch {
	case l.dead:
		s.w.end(prev, ev.Time)
	case l.preempted:
		s.begin(st, waiting, l.text, ev.Time).Wait = preempted
	case state == 0:
		s.begin(st, waiting, l.text, ev.Time).Wait = yielded
	default:
		s.begin(st, blocked, l.text, ev.Time)
	}
}

// runs begins the running state of a thread.
func (s *scheduler) runs(ev *tracec.Event, next *Thread) {
	st := s.of(next)
	switch st.phase {
	case waiting:
		st.row.Next = ev.CPU
		s.finish(st, ev.Time, Known)
	case onCPU, blocked: // a wakeup, or leaving another processor, was not recorded
		why := s.why(st)
		s.finish(st, 0, why)
		s.waited(ev, st, why)
	case unseen:
		s.waited(ev, st, s.orLost(OpenBegin))
	}
	s.begin(st, onCPU, running, ev.Time).CPU = ev.CPU
}

// waited makes a row for a wait without a recorded begin: before a thread runs, it is on a run
// queue.
func (s *scheduler) waited(ev *tracec.Event, st *sched, why Reason) {
	row := s.begin(st, waiting, "R", 0)
	row.NoBegin, row.Next = why, ev.CPU
	s.finish(st, ev.Time, Known)
}

// wakes handles a wakeup by the thread of an event. Of several wakeups the first one counts, since
// later ones must not shorten a wait.
func (s *scheduler) wakes(ev *tracec.Event, th *Thread, wait string, flags int) {
	if th == nil || th.Idle() {
		return
	}
	st := s.of(th)
	switch st.phase {
	case onCPU, waiting:
		return
	case blocked:
		s.finish(st, ev.Time, Known)
	case unseen:
		if wait == created && st.row.Thread == nil { // it had no state yet
			st.since = ev.Time
		}
	}
	row := s.begin(st, waiting, "R", ev.Time)
	row.Wait, row.Context, row.Waker, row.WakerCPU = wait, contextOf(ev, flags), s.w.current(ev), ev.CPU
}

// lost implements collector. The running thread of the processor may have left it.
func (s *scheduler) lost(cpu int32, time uint64) {
	for i := range s.running {
		th := s.running[i]
		if th == nil || cpu >= 0 && int(cpu) != i {
			continue
		}
		if st := s.of(th); st.phase == onCPU && int(st.row.CPU) == i {
			s.finish(st, 0, Lost)
		}
		s.running[i] = nil
	}
}

// ended implements collector.
func (s *scheduler) ended(th *Thread, time uint64) {
	if st := s.states.at(th); st.thread == th {
		s.finish(st, 0, Unpaired)
		s.known.left(st, time)
	}
	for i := range s.running {
		if s.running[i] == th {
			s.running[i] = nil
		}
	}
}

// end implements collector.
func (s *scheduler) end(time uint64) {
	for i := range s.states {
		st := &s.states[i]
		if st.thread != nil {
			s.finish(st, 0, OpenEnd)
			s.known.left(st, time)
		}
	}
	s.known.explain(s.w)
	switch {
	case s.w.extent.Losses > 0:
	case s.strays > s.total/4:
		s.w.note("the switches to threads are missing, as in a recording of one process: %d of %d switches leave a thread that was not seen to run", s.strays, s.total)
	case s.strays > 0:
		s.w.note("%d of %d switches leave a thread that was not seen to run", s.strays, s.total)
	}
	if !s.w.hooks && !slices.ContainsFunc(wakeEvents, s.w.has) {
		s.w.note("the recording has no wakeups of threads: waits begin only at preemptions")
	}
}
