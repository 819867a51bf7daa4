// Package plugin holds the texts that `trace-cmd report` prints in place of an event's own print
// fmt: what libtraceevent's plugins and trace-cmd's function graph handler do. Everything here was
// found by comparing outputs of trace-cmd 3.1.6 (with and without -N) on real and on synthetic
// recordings.
//
// A plugin's layout is kept even where the kernel's differs. Values are not: where the reference
// prints something that is not in the record (an obsolete state letter, bytes after the record, a
// negative offset of a symbol), the right value is printed and testdata/differences.md lists it.
package plugin

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/ftrace/btf"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Handler appends the text of r to dst, without the line end. It must not keep r or r.Data. A
// record that is too short for the event gives a text that says so.
type Handler func(dst []byte, r *record.Record) []byte

// Context is what handlers need to know about the recording. Members may be nil when the comment
// says so. Handlers made from one Context share state (the stacks of function indentation): a
// Context and its handlers belong to one goroutine and one recording. The reference shares them
// among the buffers (instances) of a recording too.
type Context struct {
	Target ir.Target
	// Env finds symbols; nil when there are none.
	Env *render.Env
	// Plain returns the handler of ev's own print fmt, for plugins that add to it. It is called by
	// New only. Nil, or a nil Handler: there is no such text, and New returns no handler either.
	Plain func(ev *ir.Event) Handler
	// Event returns the event with that id, nil when there is none. Nil: function graph leaves are
	// not merged.
	Event func(id uint32) *ir.Event
	// Comm returns the name of a thread, "<...>" for one without. It must not allocate. Nil: no
	// names.
	Comm func(pid int32) string
	// SetComm offers the name of a thread, as sched_switch and sched_wakeup record it; comm aliases
	// the record. A thread that has a name already keeps it. Nil: names are not collected.
	SetComm func(pid int32, comm []byte)
	// Peek returns the record that follows the current one in the time order of the same buffer, of
	// whatever CPU, nil at the end. That is what decides about leaves of the function graph in the
	// reference: an event on another CPU between entry and return keeps them apart. The record is
	// valid until the handler returns. Nil: leaves are not merged.
	Peek func() *record.Record
	// Consume marks the peeked record as printed. Never called without a Peek that returned one.
	Consume func()
	// Options of -O; nil for the defaults.
	Options *Options
	// GuestSymbol names an address of the guest whose virtual CPU a thread of the host runs; ok is
	// false for other threads and addresses. Nil: there are no guests.
	GuestSymbol func(hostPID int32, addr uint64) (name string, offset uint64, ok bool)
	// Style is the version of trace-cmd whose texts are wanted.
	Style Style
	// Types returns the kernel's type information, nil when the recording has none or it is
	// damaged. Nil: there is none.
	Types func() *btf.Types
	// Reference keeps to trace-cmd 3.1 where the kernel marks more: long durations, and ftrace's
	// own code in stacks.
	Reference bool
	// Kernel asks for the texts of the kernel's own trace file: see NewKernel.
	Kernel bool

	stacks callStacks
	exits  graphExits
}

// Stateful reports whether a text depended on the events before it: an indentation of function
// events.
func (c *Context) Stateful() bool { return c.stacks.byCPU != nil }

// Forget has texts depend on the events from now on alone.
func (c *Context) Forget() { c.stacks.byCPU = nil }

// maker makes the handler of one event. It returns nil when it has nothing to say about this form
// of the event; fields that it asks for and that are not there have the same effect.
type maker func(c *Context, l *layout) Handler

// makers by group and name. Events that are not listed have no plugin text, although trace-cmd
// ships a plugin that concerns them:
//
//   - cfg80211_*_mlme_mgmt, scsi_dispatch_cmd_*, xen_mc_*: the plugins only lend functions to the print
//     fmt (__le16_to_cpup, scsi_trace_parse_cdb, xen_hypercall_name); compiler/ftrace knows them.
//   - kvm_mmu_*_page: the plugin reads the bits of role as old kernels laid them out. Today's print
//     fmt decodes them itself.
//   - kvm_nested_vmexit: the plugin prints an error text before the print fmt's.
//   - mac80211 drv_bss_info_changed: 6.1 and later have no such event.
var makers = map[string]maker{
	"ftrace:function":              newFunction,
	"ftrace:func_repeats":          newFuncRepeats,
	"ftrace:kernel_stack":          newKernelStack,
	"ftrace:raw_data":              newRawData,
	"ftrace:funcgraph_entry":       newGraphEntry,
	"ftrace:funcgraph_exit":        newGraphExit,
	"ftrace:fgraph_retaddr_entry":  newGraphRetaddrEntry,
	"ftrace:" + BlkTrace:           newBlkTrace,
	"sched:sched_switch":           newSchedSwitch,
	"sched:sched_wakeup":           newSchedWakeup,
	"sched:sched_wakeup_new":       newSchedWakeup,
	"timer:hrtimer_start":          newHrtimerStart,
	"timer:hrtimer_expire_entry":   newHrtimerExpire,
	"tlb:tlb_flush":                newTLBFlush,
	"kmem:kmalloc":                 newCallSite,
	"kmem:kmalloc_node":            newCallSite,
	"kmem:kmem_cache_alloc":        newCallSite,
	"kmem:kmem_cache_alloc_node":   newCallSite,
	"kmem:kfree":                   newCallSite,
	"kmem:kmem_cache_free":         newCallSite,
	"syscalls:sys_enter_futex":     newFutex,
	"jbd2:jbd2_run_stats":          newJBD2RunStats,
	"jbd2:jbd2_checkpoint_stats":   newJBD2Checkpoint,
	"kvm:kvm_exit":                 newKVMExit,
	"kvm:kvm_entry":                newKVMEntry,
	"kvm:kvm_emulate_insn":         newKVMEmulate,
	"kvm:kvm_nested_vmexit_inject": newKVMInject,
}

// New returns the handler of ev, or nil when ev has no plugin text. It also returns nil when a
// field that the plugin reads is missing or has an unexpected shape: another machine's event of the
// same name.
//
// The text of BlkTrace holds with -N too: no print fmt gives it.
func New(ev *ir.Event, c *Context) Handler {
	m := makers[ev.Group+":"+ev.Name]
	if m == nil || ev.Group == "jbd2" && !c.Reference {
		return nil // jbd2's shows jiffies where the print fmt, and so the kernel, has milliseconds
	}
	return build(m, ev, c)
}

func (c *Context) wordSize() int {
	if c.Target.WordSize == 4 {
		return 4
	}
	return 8
}

func build(m maker, ev *ir.Event, c *Context) Handler {
	l := &layout{ev: ev, target: c.Target}
	h := m(c, l)
	if h == nil || l.missing {
		return nil
	}
	need := l.end
	return func(dst []byte, r *record.Record) []byte {
		if len(r.Data) < need {
			return short(dst, len(r.Data), need)
		}
		return h(dst, r)
	}
}

// short appends that a record ends before its fields do, in the words of compiler/interp.
func short(dst []byte, have, need int) []byte {
	dst = append(dst, "[short record: "...)
	dst = render.Dec(dst, int64(have))
	dst = append(dst, " of "...)
	dst = render.Dec(dst, int64(need))
	return append(dst, " bytes]"...)
}
