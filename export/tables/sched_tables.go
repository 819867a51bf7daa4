package tables

import "github.com/tracec/tracec/export/internal/kernel"

// ThreadState has a row for each period of a thread in a state.
var ThreadState = &Table[State]{
	name: "thread_state",
	doc:  "states of threads: running, waiting for a processor, or blocked",
	need: kernel.SwitchEvents, also: wakeEvents, hooks: stateHooks,
	columns: spans(stateRow, stateColumns...),
	collect: func(w *Walk, yield func(*State) bool) collector { return newScheduler(w, yield) },
}

// SchedLatency has a row for each wait of a thread for a processor: the rows of [ThreadState] with
// a Wait, or with an unknown begin.
var SchedLatency = &Table[State]{
	name: "sched_latency",
	doc:  "waits of threads for a processor after a wakeup or preemption",
	need: kernel.SwitchEvents, also: wakeEvents,
	columns: spans(stateRow, latencyColumns...),
	collect: func(w *Walk, yield func(*State) bool) collector {
		s := newScheduler(w, func(row *State) bool {
			if row.State[0] != 'R' || row.State == running {
				return true
			}
			row.CPU = row.Next
			return yield(row)
		})
		return s
	},
}

func stateRow(s *State) *Row { return &s.Row }

var stateColumns = append([]column[State]{
	{
		Column{"state", "Running, R, R+ (preempted), or the letters of a blocked thread", Text},
		func(s *State) Value { return text(s.State) },
	},
}, latencyColumns...)

var latencyColumns = []column[State]{
	{
		Column{"wait", "why it is on a run queue: woken, new, preempted or yielded", Text},
		func(s *State) Value { return text(s.Wait) },
	},
	{Column{"waker_tid", "the thread that woke it", Integer}, func(s *State) Value { return s.Waker.tid() }},
	{Column{"waker", "the name of that thread", Text}, func(s *State) Value { return s.Waker.text() }},
	{Column{"waker_cpu", "the processor of that thread", Integer}, func(s *State) Value { return id(s.WakerCPU) }},
	{
		Column{"gap_inside", "events were lost between its begin and its end", Bool},
		func(s *State) Value { return boolean(s.GapInside) },
	},
	{
		Column{"waker_context", "irq, softirq or idle; NULL if the waker itself woke it", Text},
		func(s *State) Value { return text(s.Context) },
	},
}
