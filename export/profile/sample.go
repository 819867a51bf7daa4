package profile

import (
	"path/filepath"
	"slices"
	"strconv"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/lookup"
)

// owner is the last event of a stream. The stack samples after it belong to it.
type owner struct {
	has    bool
	task   int32
	kind   timeline.Kind
	track  *timeline.Track
	depth  int   // number of open spans of the track
	frame  int32 // frame of the event; -1 for a stack without its event
	at     int32 // its stack without samples, if it has a value
	value  int64
	valued bool // the event has the field to sum up
	// The frames of samples, innermost first.
	kernel, user       []int32
	hasKernel, hasUser bool
}

// trampoline represents ftrace's own code in stacks (kernel/trace/trace.h:
// FTRACE_TRAMPOLINE_MARKER, INT_MAX).
const trampoline = 1<<31 - 1

// kernelModule is perf's name of the kernel among the files of a process.
const kernelModule = "[kernel.kallsyms]"

// own makes an event the owner of later samples. The samples of the previous owner are complete.
func (c *collector) own(it *timeline.Item, value int64, valued bool) {
	o := c.owner(it)
	o.frame, o.value, o.valued = c.frame(it.Name), value, valued
	if valued {
		o.at = c.event(it)
	}
}

// owner returns the owner of a stream, reset for an item.
func (c *collector) owner(it *timeline.Item) *owner {
	i := max(0, int(it.Event.Stream))
	for len(c.samples.owners) <= i {
		c.samples.owners = append(c.samples.owners, owner{})
	}
	o := &c.samples.owners[i]
	c.flush(o)
	*o = owner{
		has: true, task: it.Event.Task, kind: it.Kind, track: it.Track, depth: len(it.Track.Open), frame: -1,
		kernel: o.kernel[:0], user: o.user[:0],
	}
	return o
}

// sample adds a stack to the previous event.
func (c *collector) sample(it *timeline.Item) {
	ev, kind := it.Event, it.Event.Type.Stack()
	c.counts.stacks++
	var o *owner
	if i := int(ev.Stream); i >= 0 && i < len(c.samples.owners) {
		o = &c.samples.owners[i]
	}
	if o == nil || !o.has || o.task != ev.Task || kind == tracec.KernelStack && o.hasKernel || o.hasUser {
		o = c.owner(it) // the event of the stack was lost, or is not selected
	}
	c.samples.stack = ev.AppendStack(c.samples.stack[:0])
	if kind == tracec.KernelStack {
		o.hasKernel, o.kernel = true, c.symbolise(o.kernel[:0], ev, &c.samples.kernel, c.kernelFrame)
	} else {
		if c.samples.known > c.tree.max { // limit the addresses of many processes
			c.samples.known = 0
			clear(c.samples.users)
		}
		pid := ev.StackProcess()
		t := c.samples.users[pid]
		if t == nil {
			t = &lookup.Table{}
			c.samples.users[pid] = t
		}
		o.hasUser, o.user = true, c.symbolise(o.user[:0], ev, t, c.userFrame)
	}
	c.move(o)
}

// symbolise appends the frames of the addresses of a sample.
func (c *collector) symbolise(
	dst []int32, ev *tracec.Event, known *lookup.Table, find func(*tracec.Event, uint64) frame,
) []int32 {
	for _, a := range c.samples.stack {
		f, ok := known.Find(a)
		switch {
		case ok:
		case !c.tree.room():
			f = otherFrame
		default:
			f = c.tree.frame(find(ev, a))
			known.Add(a, f)
			c.samples.known++
		}
		dst = append(dst, f)
	}
	return dst
}

func (c *collector) kernelFrame(ev *tracec.Event, addr uint64) frame {
	if addr == trampoline {
		return frame{name: "[FTRACE TRAMPOLINE]", module: kernelModule}
	}
	if name, _, ok := ev.Symbol(addr); ok {
		return frame{name: name, module: kernelModule}
	}
	return frame{name: hex(addr), module: kernelModule}
}

func (c *collector) userFrame(ev *tracec.Event, addr uint64) frame {
	if file, offset, ok := c.samples.library(ev.StackProcess(), addr); ok {
		return frame{name: filepath.Base(file) + "+" + hex(offset), module: file}
	}
	return frame{name: hex(addr)}
}

func hex(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

// sampled returns the stack of an owner, with its samples.
func (c *collector) sampled(o *owner) int32 {
	at := c.track(o.track).root
	for _, list := range [...][]int32{o.user, o.kernel} {
		for _, f := range slices.Backward(list) {
			at = c.tree.child(at, f)
		}
	}
	if o.frame >= 0 {
		at = c.tree.child(at, o.frame)
	}
	return at
}

// move moves the span that an owner has begun to the stack of its samples.
func (c *collector) move(o *owner) {
	if o.kind != timeline.Begin || o.frame < 0 || c.field.name != "" {
		return
	}
	if t := c.track(o.track); len(t.open) >= o.depth && len(o.track.Open) >= o.depth {
		t.open[o.depth-1].node = c.sampled(o)
	}
}

// flush counts the last event of a stream, after its samples.
func (c *collector) flush(o *owner) {
	switch {
	case !o.has:
	case !o.hasKernel && !o.hasUser:
		if o.valued {
			c.count(o.at, o.value)
		}
	case c.field.name != "":
		if o.valued {
			c.count(c.sampled(o), o.value)
		}
	case o.kind == timeline.Instant || o.frame < 0:
		c.count(c.sampled(o), 0)
	}
	o.has = false
}

// finish counts the events that still wait for samples, or for an end.
func (c *collector) finish() {
	c.lasting()
	for i := range c.samples.owners {
		c.flush(&c.samples.owners[i])
	}
}
