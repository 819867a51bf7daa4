package aix

import "github.com/tracec/tracec/runtime/record"

// Context is what the events so far tell about the one at hand: the process and the processor it belongs to. It
// is for one goroutine.
//
// How the payloads of the hooks look that tell it (106, 10C, 134, 139, 465, and all of 00A but the clock) is not
// published. Layouts says what is known; without layouts the thread id of each entry and the processor of entries and
// files that have one are all there is.
type Context struct{}

// NewContext returns the context of a recording's beginning. Layouts are those of NewLayouts; nil is none.
func NewContext(info *Info, layouts *Layouts) *Context { return &Context{} }

// Layouts says where hooks have what a Context keeps.
type Layouts struct{}

// Update takes in one event, which is the current one from then on. Events must come in time order.
func (c *Context) Update(r *record.Record, e *Entry) {}

// CPU is the processor of the current event; -1 when unknown.
func (c *Context) CPU() int { return -1 }

// TID is the thread of the current event.
func (c *Context) TID() uint64 { return 0 }

// PID is the process of the current event; -1 when unknown.
func (c *Context) PID() int64 { return -1 }

// Process is the name of the current event's process; empty when unknown.
func (c *Context) Process() string { return "" }

// ExecPath is the path of the program that the current process runs; empty when unknown.
func (c *Context) ExecPath() string { return "" }

// SVC is the name of the system call that the current thread is in, or its address in hexadecimal; empty when
// unknown.
func (c *Context) SVC() string { return "" }

// Priority of the current thread; -1 when unknown.
func (c *Context) Priority() int { return -1 }

// Depth is the interrupt depth of the current processor.
func (c *Context) Depth() int { return 0 }

// Interrupt and Resume change the interrupt depth of the current processor: what flih() and resume() do in templates.
func (c *Context) Interrupt() {}

// Resume is the other half of Interrupt.
func (c *Context) Resume() {}

// PathOf returns the path of the program that a process runs; empty when unknown.
func (c *Context) PathOf(pid int64) string { return "" }

// TotalCPUs and TracedCPUs are counts of processors, 0 when unknown.
func (c *Context) TotalCPUs() int { return 0 }

// TracedCPUs is how many processors are traced, 0 when unknown.
func (c *Context) TracedCPUs() int { return 0 }
