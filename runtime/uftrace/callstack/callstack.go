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

// Options select the output. The zero value is the default output of uftrace.
type Options struct {
	Filters  []string // -F
	NoTrace  []string // -N
	Callers  []string // -C
	Hide     []string // -H
	Locs     []string // -L
	Triggers []string // -T
	// Only is also a filter: it selects the functions for which it returns true. If nil, there is
	// no such filter.
	Only    func(*uftrace.Symbol) bool
	Glob    bool    // --match=glob
	Plain   bool    // --match=simple: patterns are names
	Depth   int     // -D; 0 means no limit
	Time    uint64  // -t, in ns
	Size    uint64  // -Z, in bytes
	Range   Range   // -r
	Disable bool    // --disable
	TIDs    []int32 // --tid

	NoEvent, NoSched, NoSchedPreempt, NoLibcall, EventFull bool
	KernelOnly, KernelFull, KernelSkipOut                  bool
	KernelDepth                                            int

	// Raw plays the output of replay --flat: no filters on functions, and stacks that ignore exec,
	// setjmp and fork.
	Raw bool
	// Watch, if not nil, is called with all records that the player reads for a thread, in order:
	// after -t, --tid and -r, before any other filter. Several records are calls and ends of calls
	// in the thread's own file. They are valid during the call.
	Watch func(task int, recs []record.Record, ents []uftrace.Entry)
	// Before, if not nil, is called for every record that Range leaves out, of threads that are not
	// left out.
	Before func(task int, r *record.Record, e *uftrace.Entry)
	// Unmerged does not look ahead, for replay --no-merge: Step.Open is true.
	Unmerged bool
	// Whole makes one step of a call without calls of its own, if its end is available: Step.End is
	// then set.
	Whole bool
	// Single is Unmerged with the differences of uftrace dump, chrome, flame graphs and graphviz
	// from replay. Ranges count from the first record read, and events are shown while tracing is
	// off.
	Single bool
	// Idle, if not nil, is called before the player waits for more data, in a recording that is
	// followed.
	Idle func()
	// EarlyZero is for Single: elapsed times count from the first event of the first perf file, as
	// in dump --chrome.
	EarlyZero bool
}

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

// Range is -r. A bound that is Elapsed counts from the first record. To 0 means no bound.
type Range struct {
	From, To               uint64
	FromElapsed, ToElapsed bool
	// Ends hides gaps after To in their files. uftrace shows them, since a gap has no time. With
	// Ends, records after the range need not be read.
	Ends bool
}

// Task is the state of one thread.
type Task struct {
	*uftrace.Task
	// Index is its place in Player.Tasks.
	Index int
	Comm  string  // the current name
	Stack []Frame // open calls, outermost first
	Depth int     // at which the next call is shown
	// Last and Before are the times of its last two records, shown or not. Records that Next read
	// ahead to see whether a call is open do not count, as in uftrace's column of differences.
	Last, Before uint64

	taskState
}

// Step is one thing to show. It and all it points to are valid until the next call of Next.
type Step struct {
	Record *record.Record
	Entry  *uftrace.Entry
	Task   *Task
	// Depth is the level of indentation.
	Depth int
	// Frame is the call that begins (Enter) or has ended (Leave, with Total and Child). A sched-out
	// has the frame that begins, a sched-in the one that has ended; it is nil for other events.
	Frame *Frame
	// Total is the duration that uftrace shows for a Leave or a sched-in: the duration of the
	// frame. For a leaf whose exit belongs to another frame, it is the time since the clock began.
	Total uint64
	// Open reports for an Enter or a sched-out whether another step comes before its end, or there
	// is no end. If it is false, the next step is the end.
	Open bool
	// End and EndEntry are the end of a call that is one step, with Options.Whole; otherwise nil.
	// The step is the step of the Enter, with the Total of the end; Frame has ended.
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

// Callers returns the open calls around the one that begins or has ended, outermost first,
// including calls hidden by filters. For other steps they are the open calls of the task. They are
// valid until the next step.
func (s *Step) Callers() []Frame {
	if s.left != nil {
		return s.left
	}
	if s.Entry.Kind == uftrace.Enter || s.Entry.Kind == uftrace.Event && (s.Record.ID == SchedOut || s.Record.ID == SchedOutPreempt) {
		return s.Task.Callers()
	}
	return s.Task.Stack
}
