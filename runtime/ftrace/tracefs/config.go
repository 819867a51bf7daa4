package tracefs

import (
	"time"
)

// Config says what is recorded and how. The zero value records nothing but markers.
type Config struct {
	// Root is where tracefs is mounted; "" finds it.
	Root string
	// Name begins the name of the instance; "" is tracec.
	Name string
	// Events are recorded.
	Events []Event
	// Tracer is one of available_tracers, such as function or function_graph; "" is none. Instances
	// may lack some that the top one has.
	Tracer string
	// Functions and NotFunctions are globs for the functions that a function tracer traces
	// (set_ftrace_filter, set_ftrace_notrace).
	Functions, NotFunctions []string
	// Clock is one of trace_clock; "" leaves that of the kernel, which is local.
	Clock string
	// BufferSize is that of each processor's buffer, in bytes; 0 is DefaultBuffer.
	BufferSize int64
	// SubBufferSize is that of what the kernel hands out at once, in bytes; 0 leaves that of the
	// kernel, a page. Other sizes need Linux 6.8.
	SubBufferSize int
	// PIDs are the threads whose events are recorded; nil is all. Switches from and to them count
	// as theirs.
	PIDs []int
	// Children has threads and processes that those of PIDs start recorded, too.
	Children bool
	// Stacks and UserStacks record the stack of the kernel and of the program after each event.
	Stacks, UserStacks bool
	// CPUs are the processors that record; nil is all.
	CPUs []int
	// Options are names of trace_options, such as record-tgid or, to switch off what is on,
	// nomarkers.
	Options []string
	// Delay is how long records wait for earlier ones of other processors; 0 is
	// record.DefaultDelay.
	Delay time.Duration
	// Ahead is how many bytes are read before they can be passed on; 0 is DefaultAhead.
	Ahead int64
}

// Event chooses events.
type Event struct {
	// Pattern is SYSTEM:NAME, both of which may be globs; without the colon a name, of any system.
	Pattern string
	// Filter is in the language of the kernel's own filters (Documentation/trace/events.rst); "" is
	// none.
	Filter string
	// Triggers are lines for the file trigger (Documentation/trace/events.rst), such as
	// stacktrace:1.
	Triggers []string
}

// Sizes in bytes, where a Config does not say.
const (
	DefaultBuffer = 4 << 20  // of a processor's buffer
	DefaultAhead  = 64 << 20 // read before it can be passed on
)

// prefix is what names of instances begin with.
const prefix = "tracec"
