// Package callstack follows the calls in a recording of uftrace: it merges the records of all
// threads, applies filters and keeps the call stacks.
//
// A [Player] yields what uftrace replay, dump --chrome, report and graph show, one [Step] at a
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
// Times are in nanoseconds, of the clock that the recording was made with. A player reads its
// recording once and keeps the open calls only. What cannot be read is in
// [uftrace.Recording.Damage].
package callstack

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Options choose what is shown. The zero value shows everything that uftrace shows by default.
type Options struct {
	Filters  []string // -F
	NoTrace  []string // -N
	Callers  []string // -C
	Hide     []string // -H
	Locs     []string // -L
	Triggers []string // -T
	// Only is a filter, too: the functions that it reports true for. Nil is none.
	Only    func(*uftrace.Symbol) bool
	Glob    bool    // --match=glob
	Plain   bool    // --match=simple: patterns are names
	Depth   int     // -D; 0 is no limit
	Time    uint64  // -t, in ns
	Size    uint64  // -Z, in bytes
	Range   Range   // -r
	Disable bool    // --disable
	TIDs    []int32 // --tid

	NoEvent, NoSched, NoSchedPreempt, NoLibcall, EventFull bool
	KernelOnly, KernelFull, KernelSkipOut                  bool
	KernelDepth                                            int

	// Raw plays what replay --flat shows: no filters on functions, and stacks that know nothing of
	// exec, setjmp and fork.
	Raw bool
	// Watch is called for every record that the player takes for a thread: after what -t, --tid and
	// -r leave out, before anything else is decided. Nil is nothing.
	Watch func(task int, r *record.Record, e *uftrace.Entry)
	// Before is called for every record that Range leaves out, of threads that are not left out.
	// Nil is nothing.
	Before func(task int, r *record.Record, e *uftrace.Entry)
	// Unmerged does not look ahead, for replay --no-merge: Step.Open is true.
	Unmerged bool
	// Whole makes one step of a call that has no calls of its own, where its end is at hand:
	// Step.End says so.
	Whole bool
	// Single is Unmerged with what uftrace dump, chrome, flame graphs and graphviz do otherwise
	// than replay: ranges count from the first record read, and events are shown while tracing is
	// off.
	Single bool
	// Idle is called before the player waits for what has not been recorded yet, in a recording
	// that is followed. Nil is nothing.
	Idle func()
	// EarlyZero is for Single: elapsed times count from the first event of the first perf file, as
	// in dump --chrome.
	EarlyZero bool
}

// Color is what a trigger color= asks for.
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

// Range is -r. A bound that is Elapsed counts from the first record. To 0 is no bound.
type Range struct {
	From, To               uint64
	FromElapsed, ToElapsed bool
	// Ends says that gaps that come after To in their files are not shown. As uftrace has it, they
	// are: a gap has no time. What comes after the range need not be read then.
	Ends bool
}

// Task is the state of one thread.
type Task struct {
	*uftrace.Task
	// Index is its place in Player.Tasks.
	Index int
	Comm  string  // as it is now
	Stack []Frame // open calls, outermost first
	Depth int     // at which the next call is shown
	// Last and Before are the times of its last two records, shown or not. Those that Next took to
	// see whether a call is open do not count, as in uftrace's column of differences.
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
	// Total is what uftrace shows as the duration of a Leave and of a sched-in: that of the frame,
	// except for a leaf whose exit belongs to another frame, where it is the time since the clock
	// began.
	Total uint64
	// Open says of an Enter and of a sched-out that something else is shown before its end, or that
	// there is none. When it is false the next step is the end.
	Open bool
	// End and EndEntry are the end of a call that this step is all of, which Options.Whole asks
	// for; otherwise nil. The step is that of the Enter, with the Total of the end; Frame has
	// ended.
	End      *record.Record
	EndEntry *uftrace.Entry
	// Inverted says that time has gone backwards: the data is broken.
	Inverted bool
	// Backtrace says that a trigger asks for the callers of the Enter.
	Backtrace bool
	// Color is what a trigger gives the Enter, and the events that were recorded for it.
	Color Color

	left []Frame // the callers of a call that does not return to them
}

// Callers returns the open calls around the one that begins or has ended, outermost first, also
// those that filters hide. They are those of the task where a step is of neither. They are valid
// until the next step.
func (s *Step) Callers() []Frame {
	if s.left != nil {
		return s.left
	}
	if s.Entry.Kind == uftrace.Enter || s.Entry.Kind == uftrace.Event && (s.Record.ID == SchedOut || s.Record.ID == SchedOutPreempt) {
		return s.Task.Callers()
	}
	return s.Task.Stack
}
