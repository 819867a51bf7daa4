// Package play plays a recording of uftrace: it merges the records of all tasks, applies the filters and keeps the
// call stacks. What it yields is what replay, dump --chrome, report and graph show.
package play

import (
	"errors"

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
	Glob     bool     // --match=glob
	Depth    int      // -D; 0 is no limit
	Time     uint64   // -t, in ns
	Size     uint64   // -Z, in bytes
	Range    Range    // -r
	Disable  bool     // --disable
	TIDs     []int32  // --tid

	NoEvent, NoSched, NoSchedPreempt, NoLibcall, EventFull bool
	KernelOnly, KernelFull, KernelSkipOut                  bool
	KernelDepth                                            int
}

// Range is -r. A bound that is Elapsed counts from the first record.
type Range struct {
	From, To               uint64
	FromElapsed, ToElapsed bool
}

// Frame is one open call.
type Frame struct {
	Addr  uint64
	Sym   *uftrace.Symbol // nil: unknown
	Start uint64
	Total uint64 // set when the call ends
	Child uint64 // time of the calls below
	Event bool   // not a function: off the processor, from sched-out to sched-in
}

// Task is the state of one thread.
type Task struct {
	*uftrace.Task
	Comm  string  // as it is now
	Stack []Frame // open calls, outermost first
	Depth int     // at which the next call is shown
	Last  uint64  // time of its last record
}

// Step is one thing to show. It and all it points to are valid until the next call of Next.
type Step struct {
	Record *record.Record
	Entry  *uftrace.Entry
	Task   *Task
	// Depth is the level of indentation.
	Depth int
	// Frame is the call that begins (Enter) or has ended (Leave, with Total and Child); nil for events.
	Frame *Frame
	// Open says of an Enter that something else is shown before its exit, or that there is none.
	Open bool
}

// Player plays one recording, once.
type Player struct{}

// New begins to play.
func New(rec *uftrace.Recording, opts Options) (*Player, error) { return &Player{}, nil }

// Next is the next thing to show, io.EOF behind the last.
func (p *Player) Next() (*Step, error) { return nil, errors.ErrUnsupported }

// Tasks are the states of all threads seen, in the order of the recording.
func (p *Player) Tasks() []*Task { return nil }
