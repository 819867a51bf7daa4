package record

import (
	"context"
	"errors"
	"runtime"
	"slices"
)

// Options select the records of a recording to read. They have the same meaning in every container.
// The zero value selects all records.
type Options struct {
	// CPUs selects records by Record.CPU. If nil, all records are selected. Otherwise records
	// without a processor are skipped. If no record of a stream has one, the stream ends with
	// ErrNoCPU.
	CPUs []int32
	// Tasks selects records by Record.Task. If nil, all records are selected. Otherwise records
	// without a thread are skipped. If no record of a stream has one, the stream ends with
	// ErrNoTask. This is the case for LTTng traces without scheduler events.
	Tasks []int32
	// IDs selects records by Record.ID. If nil, all records are selected.
	IDs []uint32
	// After names further kinds to read if IDs is set, such as the stacks of events. A record of
	// such a kind is read only directly after a selected record of its stream.
	After []uint32
	// Since and Until are times on the clock of Record.Time. Records in [Since, Until) are read. If
	// Until is 0, there is no end. Containers read no more of a recording than necessary, as far as
	// its records are in time order.
	Since, Until uint64
	// LostSince is the time from which losses before skipped records count. Losses before earlier
	// records are ignored. Only records skipped for their processor, thread or kind matter here. It
	// is for readers that need earlier records to understand a window of time and therefore do not
	// set Since. If 0, all losses count.
	LostSince uint64
	// Workers limits the number of goroutines that work for the streams at once. They unpack data
	// ahead of the reader. If 0, it is runtime.GOMAXPROCS(0). If 1, the caller's goroutine does
	// everything. The records do not depend on it.
	Workers int
	// Cut limits the selection to a [Slice]. If nil, there is no limit.
	Cut *Cut
	// Context, when it is done, ends streams with its error instead of their next batch. It ends a
	// merge with the first such error. If nil, nothing ends early.
	Context context.Context
}

// Errors of streams without a single record that can be selected, because their records lack the
// number.
var (
	ErrNoCPU  = errors.New("records of this kind have no CPU")
	ErrNoTask = errors.New("records of this kind have no thread")
)

// Parallel returns the number of goroutines that may work at once. It is at least 1.
func (o *Options) Parallel() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// HasCPU reports whether records of a processor are selected.
func (o *Options) HasCPU(cpu int32) bool { return o.CPUs == nil || slices.Contains(o.CPUs, cpu) }

// HasTask reports whether records of a thread are selected.
func (o *Options) HasTask(task int32) bool { return o.Tasks == nil || slices.Contains(o.Tasks, task) }

// HasID reports whether records of a kind are selected.
func (o *Options) HasID(id uint32) bool { return o.IDs == nil || slices.Contains(o.IDs, id) }

// AddLost returns the sum of two values of Record.Lost.
func AddLost(a, b int64) int64 {
	if a == LostUnknown || b == LostUnknown {
		return LostUnknown
	}
	return a + b
}
