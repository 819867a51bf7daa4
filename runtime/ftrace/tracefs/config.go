package tracefs

import (
	"time"
)

// Config selects what to record and how. The zero value records markers only.
type Config struct {
	// Root is the mount point of tracefs. If "", it is searched for.
	Root string
	// Name is the first part of the name of the instance. If "", it is tracec.
	Name string
	// Events are the events to record.
	Events []Event
	// Tracer is one of available_tracers, such as function or function_graph. If "", no tracer is
	// used. Instances may lack some tracers of the top instance.
	Tracer string
	// Functions and NotFunctions are globs for the functions that a function tracer traces
	// (set_ftrace_filter, set_ftrace_notrace).
	Functions, NotFunctions []string
	// Clock is one of trace_clock. If "", it is the default of the kernel, local.
	Clock string
	// BufferSize is the size of each processor's buffer, in bytes. If 0, it is DefaultBuffer.
	BufferSize int64
	// SubBufferSize is the size of a sub-buffer, in bytes. The kernel delivers whole sub-buffers.
	// If 0, it is the default of the kernel, a page. Other sizes need Linux 6.8.
	SubBufferSize int
	// PIDs are the threads whose events are recorded. If nil, all are recorded. Switches from and
	// to these threads count as their events.
	PIDs []int
	// Children also records threads and processes that the threads of PIDs start.
	Children bool
	// Stacks and UserStacks record the stack of the kernel and of the program after each event.
	Stacks, UserStacks bool
	// CPUs are the processors that record. If nil, all do.
	CPUs []int
	// Options are names of trace_options, such as record-tgid. The prefix no switches an option
	// off, as in nomarkers.
	Options []string
	// Delay is the time that records wait for earlier ones of other processors. If 0, it is
	// record.DefaultDelay.
	Delay time.Duration
	// Ahead is the number of bytes that are read before they can be passed on. If 0, it is
	// DefaultAhead.
	Ahead int64
}

// An Event selects events.
type Event struct {
	// Pattern is SYSTEM:NAME, both of which may be globs. Without the colon, it is a name in any
	// system.
	Pattern string
	// Filter is an expression in the kernel's own filter language (Documentation/trace/events.rst).
	// If "", events are not filtered.
	Filter string
	// Triggers are lines for the file trigger (Documentation/trace/events.rst), such as
	// stacktrace:1.
	Triggers []string
}

// Default sizes of a Config, in bytes.
const (
	DefaultBuffer = 4 << 20  // of a processor's buffer
	DefaultAhead  = 64 << 20 // of data read before they can be passed on
)

// prefix is the first part of the default names of instances.
const prefix = "tracec"
