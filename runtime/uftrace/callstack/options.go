package callstack

import (
	"math"
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Options select the calls and events to play, and how they become steps. The zero value plays the
// default output of uftrace replay.
type Options struct {
	Scope     Scope
	Functions Functions
	Limits    Limits
	Events    Events
	Kernel    Kernel
	Steps     Steps
	// Deltas makes Task.Before right, which needs all records. Without it, streams may skip the
	// calls below hidden calls.
	Deltas bool
	// Raw plays the output of replay --flat: no filters on functions, and stacks that ignore exec,
	// setjmp and fork.
	Raw   bool
	Hooks Hooks
}

// Scope selects threads and times. Records outside of it change no stack.
type Scope struct {
	TIDs  []int32 // --tid; if empty, all threads
	Range Range   // -r
	// PerfZero is for Single: elapsed times count from the first event of the first perf file, as
	// in dump --chrome.
	PerfZero bool
	// Ahead is for Single: ranges count as with looking ahead, as in uftrace report and graph.
	Ahead bool
}

// HasTask reports whether a thread is selected.
func (s *Scope) HasTask(tid int32) bool { return len(s.TIDs) == 0 || slices.Contains(s.TIDs, tid) }

// Functions select calls by their functions.
type Functions struct {
	Filters  []string // -F
	NoTrace  []string // -N
	Callers  []string // -C
	Hide     []string // -H
	Locs     []string // -L
	Triggers []string // -T
	Match    Syntax   // --match
	// Name converts mangled names to the names that patterns match. If nil, patterns match
	// Symbol.Shown.
	Name func(mangled string) string
	// Only is an additional filter: it selects the functions for which it returns true. If nil,
	// there is no such filter.
	Only      func(*uftrace.Symbol) bool
	NoFiles   bool // -L of files that contain no function
	NoLibcall bool // --no-libcall
	Disable   bool // --disable: nothing is shown until a trigger trace_on
}

// Syntax is the syntax of patterns for functions.
type Syntax uint8

// The syntaxes.
const (
	Regex Syntax = iota
	Glob
	Simple // patterns are names
)

// Limits select calls by their depth, time and size.
type Limits struct {
	Depth int    // -D; 0 means no limit
	Time  uint64 // -t: the least time, in ns
	Size  uint64 // -Z: the least size of the function, in bytes
}

// Events select events.
type Events struct {
	None           bool // --no-event
	NoSched        bool // --no-sched
	NoSchedPreempt bool // --no-sched-preempt
	Full           bool // --event-full: also outside of functions
}

// Kernel selects functions of the kernel. By default they are shown within functions of the
// program.
type Kernel struct {
	Only bool // --kernel-only: no functions of the program
	Full bool // --kernel-full: also outside of them
}

// Steps is the way in which records become steps.
type Steps uint8

// The ways to make steps.
const (
	// LookAhead reads a record ahead, so that Step.Open is known.
	LookAhead Steps = iota
	// Whole is LookAhead, but makes one step of a call without calls of its own if its end is
	// available. Step.End is then set.
	Whole
	// Unmerged does not look ahead, for replay --no-merge: Step.Open is true.
	Unmerged
	// Single is Unmerged with the differences of uftrace dump, chrome, flame graphs and graphviz
	// from replay. Ranges count from the first record read, and events are shown while tracing is
	// off.
	Single
)

// Hooks are called while records are read. Each may be nil.
type Hooks struct {
	// Watch is called with all records that the player reads for a thread, in order: after -t, -Z,
	// -C, --tid and -r, before any other filter. If there are several records, they are calls and
	// ends of calls in the thread's own file. They are valid during the call.
	Watch func(task int, recs []record.Record, ents []uftrace.Entry)
	// Read is called with all records of a thread's own file before -t, -Z and -C leave some out. A
	// later call has later records. Without such filters it is not called.
	Read func(task int, recs []record.Record, ents []uftrace.Entry)
	// Before is called for every record that Range leaves out, for threads that are not left out.
	Before func(task int, r *record.Record, e *uftrace.Entry)
	// Dark is called for every event that is left out only because tracing is off, unless the
	// player reads it while looking ahead.
	Dark func(task *Task)
	// Idle is called before the player waits for more data, in a followed recording.
	Idle func()
}

// Range is -r. A bound that is Elapsed counts from the first record. If To is 0, there is no bound.
type Range struct {
	From, To               uint64
	FromElapsed, ToElapsed bool
	// Ends hides losses after To in their files. uftrace shows them, since a loss has no time. With
	// Ends, records after the range need not be read.
	Ends bool
}

// RangeOf returns the range of a time window, as in record.Options: [since, until), where until 0
// means no end.
func RangeOf(since, until uint64) Range {
	switch {
	case until == 0:
		return Range{From: since}
	case until == 1 || until <= since: // nothing can be selected, and a To of 0 means no bound
		return Range{From: math.MaxUint64, To: 1}
	}
	return Range{From: since, To: until - 1, Ends: true}
}

// Window returns the time window of a range whose bounds are times, as in record.Options.
func (r Range) Window() (since, until uint64) {
	if r.To == math.MaxUint64 {
		return r.From, 0
	}
	if r.To > 0 {
		until = r.To + 1
	}
	return r.From, until
}

// lists are the filters and triggers in the order of uftrace's options.
func (f *Functions) lists() [6][]string {
	return [...][]string{f.Filters, f.NoTrace, f.Callers, f.Hide, f.Locs, f.Triggers}
}

// Patterns reports whether there are filters or triggers.
func (f *Functions) Patterns() bool {
	for _, list := range f.lists() {
		if len(list) > 0 {
			return true
		}
	}
	return false
}

// selective reports whether some functions may be hidden.
func (f *Functions) selective() bool {
	return f.Patterns() || f.Only != nil || f.NoFiles || f.NoLibcall || f.Disable
}

// Selective reports whether options hide some functions.
func Selective(o *Options) bool { return o.Functions.selective() || o.Limits != (Limits{}) }

// apart reports whether steps are made without looking ahead.
func (o *Options) apart() bool { return o.Raw || o.Steps >= Unmerged }

// HidesSchedules reports whether times off the processor are hidden. -C and -L imply that.
func (o *Options) HidesSchedules() bool {
	return o.Events.NoSched || len(o.Functions.Callers)+len(o.Functions.Locs) > 0
}

// replays reports whether the player is for uftrace replay. In replay, a call that --no-libcall
// hides is hidden before filters and triggers are applied. Exceptions are trace_on and trace_off if
// replay looks ahead. The other commands hide it afterwards.
func (o *Options) replays() bool { return o.Steps == Whole || o.Steps == Unmerged }
