package record

import (
	"context"
	"errors"
	"runtime"
	"slices"
)

// Options choose which records of a recording are read, and how long. They mean the same in every
// container. The zero value is all.
type Options struct {
	// CPUs are the processors whose records are read, as Record.CPU has them; nil is all. A choice
	// leaves out the records that do not say their processor, and is ErrNoCPU where none does.
	CPUs []int32
	// Tasks are the threads whose records are read, as Record.Task has them; nil is all. A choice
	// leaves out the records that do not say their thread, and is ErrNoTask where none does: in a
	// trace of LTTng without events of the scheduler.
	Tasks []int32
	// IDs are the kinds of records that are read, as Record.ID has them; nil is all.
	IDs []uint32
	// After are kinds of records that are read besides where IDs are chosen, each directly after a
	// record of its stream that is read: the stacks of events.
	After []uint32
	// Since and Until are times as Record.Time has them: records in [Since, Until) are read. Until
	// 0 has no end. Containers read no more of a recording than they need for that, as far as its
	// records are in the order of time.
	Since, Until uint64
	// LostSince is a time from which on losses count before records that are left out for their
	// processor, thread or kind: what was lost before an earlier one is forgotten. It is for
	// readers that need records from before a window of time to understand those in it, and have no
	// Since therefore. 0 is all.
	LostSince uint64
	// Workers is how many goroutines may work for the streams at once: they unpack what is packed
	// before it is asked for. 0 is runtime.GOMAXPROCS(0), 1 has the goroutine of the caller do
	// everything. What streams return does not depend on it.
	Workers int
	// Cut is what of the records that the other options choose is in a [Slice]. nil is everything.
	Cut *Cut
	// Context, when it is done, ends streams with its error in place of their next batch, and a
	// merge with the first of them. nil is never done.
	Context context.Context
}

// Errors of streams none of whose records could be chosen: records of their kind never say what
// they are chosen by.
var (
	ErrNoCPU  = errors.New("records of this kind do not say their processor")
	ErrNoTask = errors.New("records of this kind do not say their thread")
)

// Parallel returns how many goroutines may work at once, 1 at least.
func (o *Options) Parallel() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// HasCPU reports whether records of a processor are read.
func (o *Options) HasCPU(cpu int32) bool { return o.CPUs == nil || slices.Contains(o.CPUs, cpu) }

// HasTask reports whether records of a thread are read.
func (o *Options) HasTask(task int32) bool { return o.Tasks == nil || slices.Contains(o.Tasks, task) }

// HasID reports whether records of a kind are read.
func (o *Options) HasID(id uint32) bool { return o.IDs == nil || slices.Contains(o.IDs, id) }

// AddLost returns the sum of two values of Record.Lost.
func AddLost(a, b int64) int64 {
	if a == LostUnknown || b == LostUnknown {
		return LostUnknown
	}
	return a + b
}
