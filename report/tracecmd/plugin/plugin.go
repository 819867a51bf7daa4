// Package plugin holds the texts that `trace-cmd report` prints instead of an event's own print
// fmt: the texts of libtraceevent's plugins and of trace-cmd's function graph handler. Everything
// here was found by comparing outputs of trace-cmd 3.1.6 (with and without -N) on real and on
// synthetic recordings.
//
// A plugin's layout is kept even where the kernel's differs. Wrong values are not kept. Where the
// reference prints something that is not in the record (an obsolete state letter, bytes after the
// record, a negative offset of a symbol), this package prints the right value, and
// testdata/differences.md lists it.
package plugin

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/ftrace/btf"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// A Handler appends the text of r to dst, without the line end. It must not keep r or r.Data. For a
// record that is too short for the event, the text reports that.
type Handler func(dst []byte, r *record.Record) []byte

// Context holds the properties of the recording that handlers need. Members may be nil where their
// comment mentions it. Handlers from one Context share state (the stacks of function indentation).
// So a Context and its handlers belong to one goroutine and one recording. The reference also
// shares them among the buffers (instances) of a recording.
type Context struct {
	Target ir.Target
	// Env finds symbols. It is nil without symbols.
	Env *render.Env
	// Plain returns the handler of ev's own print fmt, for plugins that add to it. Only New calls
	// it. If it is nil or returns nil, there is no such text, and New returns nil.
	Plain func(ev *ir.Event) Handler
	// Event returns the event with that id, or nil. If Event is nil, function graph leaves are not
	// merged.
	Event func(id uint32) *ir.Event
	// Comm returns the name of a thread, "<...>" for one without. It must not allocate. Nil: no
	// names.
	Comm func(pid int32) string
	// SetComm offers the name of a thread, as sched_switch and sched_wakeup record it; comm aliases
	// the record. A thread that has a name already keeps it. Nil: names are not collected.
	SetComm func(pid int32, comm []byte)
	// Peek returns the next record in the time order of the same buffer, on any CPU. It returns nil
	// at the end. The reference uses this record for leaves of the function graph: an event on
	// another CPU between entry and return separates them. The record is valid until the handler
	// returns. If Peek is nil, leaves are not merged.
	Peek func() *record.Record
	// Consume marks the peeked record as printed. Never called without a Peek that returned one.
	Consume func()
	// Options of -O; nil for the defaults.
	Options *Options
	// GuestSymbol names an address of the guest whose virtual CPU a thread of the host runs. ok is
	// false for other threads and addresses. It is nil without guests.
	GuestSymbol func(hostPID int32, addr uint64) (name string, offset uint64, ok bool)
	// Style is the version of trace-cmd for texts.
	Style Style
	// Types returns the kernel's type information, or nil if it is missing or damaged. Types may be
	// nil.
	Types func() *btf.Types
	// Reference keeps to trace-cmd 3.1 where the kernel marks more: long durations, and ftrace's
	// own code in stacks.
	Reference bool
	// Kernel selects the texts of the kernel's own trace file: see NewKernel.
	Kernel bool

	stacks callStacks
	exits  graphExits
}

// Stateful reports whether a text depended on the events before it: an indentation of function
// events.
func (c *Context) Stateful() bool { return c.stacks.byCPU != nil }

// Forget has texts depend on the events from now on alone.
func (c *Context) Forget() { c.stacks.byCPU = nil }

// A maker makes the handler of one event. It returns nil if it does not support this form of the
// event. It also returns nil if a field that it requests is missing.
type maker func(c *Context, l *layout) Handler

// makers by group and name. Other events have no plugin text, although trace-cmd has a plugin that
// concerns the following:
//
//   - cfg80211_*_mlme_mgmt, scsi_dispatch_cmd_*, xen_mc_*: the plugins define functions for the
//     print fmt (__le16_to_cpup, scsi_trace_parse_cdb, xen_hypercall_name). compiler/ftrace knows
//     them.
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

// New returns the handler of ev, or nil if ev has no plugin text. It also returns nil if a field
// that the plugin reads is missing or has an unexpected shape: another machine's event of the same
// name.
//
// The text of BlkTrace is also valid with -N, since there is no print fmt for it.
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
