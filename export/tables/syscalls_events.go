package tables

import (
	"slices"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
	"github.com/tracec/tracec/runtime/syscalls"
)

// A family is a group of events that report the begin and the end of calls. A set of families has a
// bit for each.
type family uint8

const (
	raw   family = 1 << iota // raw_syscalls, and the markers of LTTng
	named                    // syscalls
)

// half describes how events of a type report the begin or the end of a call.
type half struct {
	family family
	number int   // the field with the number of the call; -1 for none
	ret    int   // the field with the result; -1 for none
	call   *call // the call of the type; nil if the number identifies it
	// other is set if the events for the other half of the call are described.
	other bool
	args  *tracec.Type // type with the arguments, or nil
	hook  *hookHalf    // for AIX; nil for others
}

// rule implements collector.
func (c *callers) rule(t *tracec.Type) rule {
	if id := hookID(t); id != "" {
		return c.hookRule(t, id)
	}
	if c.numbers.table == nil {
		c.numbers.table = syscalls.Of(c.w.machine.Arch)
		own := func(arch string) bool { return strings.HasPrefix(c.w.machine.Arch, arch) }
		// From arch/*/include/uapi/asm/errno.h.
		c.errors = slices.ContainsFunc([]string{"mips", "alpha", "sparc", "parisc"}, own)
	}
	if pid, ok := kernel.ExitOf(t); ok {
		return c.exitRule(pid)
	}
	if kernel.Is(t, "sched:sched_process_exec") {
		return c.execRule(t)
	}
	of, ok := kernel.SyscallOf(t)
	if !ok {
		return nil
	}
	h := half{family: raw, other: c.w.has(of.Other)}
	if of.Name != "" {
		h.family, h.call = named, &call{name: of.Name, traits: traitsOf(of.Name)}
	}
	if !of.Begins {
		return c.leaveRule(t, h)
	}
	if !of.Marker {
		h.args = t
	}
	if h.call != nil && h.call.sigreturn {
		h.other = false // the number is -1 at the end: the kernel finds no event for it
	}
	return c.enterRule(t, h)
}

func (c *callers) enterRule(t *tracec.Type, h half) rule {
	if h.number = kernel.NumberField(t); h.number < 0 && h.call == nil {
		c.w.note("%s has no field with the number of the system call: its calls have no begin", t.Name)
		return nil
	}
	return func(ev *tracec.Event) { c.enter(ev, &h) }
}

func (c *callers) leaveRule(t *tracec.Type, h half) rule {
	h.number, h.ret = kernel.NumberField(t), t.Index("ret")
	return func(ev *tracec.Event) { c.leave(ev, &h) }
}

// exitRule returns the rule for threads that exit. They do not return from a call.
func (c *callers) exitRule(pid int) rule {
	return func(ev *tracec.Event) {
		if th := c.w.thread(ev, pid); th != nil {
			c.ended(th, ev.Time)
		}
	}
}

// execRule handles an exec by a thread other than the first of its process. It has the number of
// the first one when it returns.
func (c *callers) execRule(t *tracec.Type) rule {
	pid, old := kernel.Index(t, "pid"), kernel.Index(t, "old_pid")
	if pid < 0 || old < 0 {
		return nil
	}
	return func(ev *tracec.Event) {
		from, to := c.w.thread(ev, old), c.w.thread(ev, pid)
		if from != nil && to != nil && from != to {
			c.moves(from, to)
		}
	}
}

// identify returns the number and the kind of the call of an event. The kind is nil if neither is
// recorded.
func (c *callers) identify(ev *tracec.Event, h *half) (number int64, numbered bool, k *call) {
	number = -1
	if h.number >= 0 {
		var bits uint64
		if bits, numbered = ev.Bits(h.number); numbered {
			number = int64(bits)
		}
	}
	switch {
	case h.hook != nil:
		return number, false, h.hook.call(ev)
	case h.call != nil:
		return number, numbered, h.call
	case numbered:
		return number, numbered, c.numbers.of(number)
	}
	return number, numbered, nil
}
