// Package callstack follows the calls in a recording of uftrace: it merges the records of all
// threads, applies filters and keeps the call stacks.
//
// A [Player] yields the output of uftrace replay, dump --chrome, report and graph, one [Step] at a
// time:
//
//	player, err := callstack.New(rec, callstack.Options{})
//	for step := range player.All(ctx) {
//		if step.Entry.Kind == uftrace.Leave { // step.Frame has ended; step.Callers are the calls around it
//			self[step.Frame.Name()] += step.Frame.Self()
//		}
//	}
//
// A [Walker] follows the same calls without filters in half of the time, a run of records at a
// time. Several goroutines can follow a slice of the recording each, as a [Stretch].
//
// Times are in nanoseconds, of the clock of the recording. A player reads its recording once and
// keeps only the open calls. Unreadable parts are in [uftrace.Recording.Damage].
package callstack

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Color is the color of a trigger color=.
type Color uint8

// The colours.
const (
	ColorNone Color = iota
	ColorRed
	ColorGreen
	ColorBlue
	ColorYellow
	ColorMagenta
	ColorCyan
	ColorBold
	ColorGray
)

// Task is the state of one thread.
type Task struct {
	*uftrace.Task
	// Index is its position in Player.Tasks.
	Index int
	Comm  string  // the current name
	Stack []Frame // open calls, outermost first
	Depth int     // depth at which the next call is shown
	// Last and Before are the times of its last two records, shown or not. Records that Next read
	// ahead to see whether a call is open do not count, as in uftrace's column of differences.
	// Before is right only with Options.Deltas, because skipped records do not count. The same
	// holds for Last, except in the thread's own steps.
	Last, Before uint64

	taskState
}

// Step is one thing to show. It is valid until the next call of Next, with everything to which it
// points.
type Step struct {
	Record *record.Record
	Entry  *uftrace.Entry
	Task   *Task
	// Depth is the level of indentation.
	Depth int
	// Frame is the call that begins (Enter) or has ended (Leave, with Total and Child). For a
	// sched-out it is the frame that begins, for a sched-in the frame that has ended. For other
	// events it is nil.
	Frame *Frame
	// Total is the duration that uftrace shows for a Leave or a sched-in: the duration of the
	// frame. For a leaf whose exit belongs to another frame, it is the time since the clock began.
	Total uint64
	// Open reports for an Enter or a sched-out that another step comes before its end, or that
	// there is no end. If it is false, the next step is the end.
	Open bool
	// End and EndEntry are the end of a call that is one step, by [Whole]. Otherwise they are nil.
	// The step is the step of the Enter, with the Total of the end. Frame has ended.
	End      *record.Record
	EndEntry *uftrace.Entry
	// Inverted reports that time has gone backwards: the data are broken.
	Inverted bool
	// Backtrace reports whether a trigger asks for the callers of the Enter.
	Backtrace bool
	// Color is the color by a trigger for the Enter, and for its events.
	Color Color

	left []Frame // the callers of a call that does not return to them
}

// Callers returns the open calls around the call that begins or has ended, outermost first,
// including calls hidden by filters. For other steps they are the open calls of the task. They are
// valid until the next step.
func (s *Step) Callers() []Frame {
	if s.left != nil {
		return s.left
	}
	if s.Entry.Kind == uftrace.Enter || s.Entry.Kind == uftrace.Event &&
		(s.Record.ID == SchedOut || s.Record.ID == SchedOutPreempt) {
		return s.Task.Callers()
	}
	return s.Task.Stack
}
