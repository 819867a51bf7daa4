// Package plugin holds the texts that `trace-cmd report` prints instead of an event's own print
// fmt: the texts of libtraceevent's plugins and of trace-cmd's function graph handler. All of them
// were found by comparing outputs of trace-cmd 3.1.6 (with and without -N) on real and on synthetic
// recordings.
//
// A plugin's layout is kept even if it differs from the kernel's. Wrong values are not kept. If the
// reference prints a value that is not in the record (an obsolete state letter, bytes after the
// record, a negative offset of a symbol), this package prints the right value, and
// testdata/differences.md lists it.
package plugin

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/ftrace/btf"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// A Handler appends the text of r to dst, without the line end. It must not keep r or r.Data. If a
// record is too short for the event, the text reports that.
type Handler func(dst []byte, r *record.Record) []byte

// Context holds the properties of the recording that handlers need. Members may be nil where their
// comment mentions it. Handlers from one Context share state (the stacks of function indentation).
// So a Context and its handlers belong to one goroutine and one recording. The reference also
// shares them among the buffers (instances) of a recording.
type Context struct {
	Target ir.Target
	// Env finds symbols. It is nil without symbols.
	Env *render.Env
	// Plain returns the handler of ev's own print fmt, for plugins that extend it. Only New calls
	// it. If it is nil or returns nil, there is no such text, and New returns nil.
	Plain func(ev *ir.Event) Handler
	// Event returns the event with that id, or nil. If Event is nil, function graph leaves are not
	// merged.
	Event func(id uint32) *ir.Event
	// Comm returns the name of a thread, or "<...>" if it is unknown. It must not allocate. If nil,
	// threads have no names.
	Comm func(pid int32) string
	// SetComm reports the name of a thread from sched_switch or sched_wakeup. comm aliases the
	// record. A thread that already has a name keeps it. If nil, names are not collected.
	SetComm func(pid int32, comm []byte)
	// Peek returns the next record in the time order of the same buffer, on any CPU. It returns nil
	// at the end. Like the reference, leaves of the function graph use this record: an event on
	// another CPU separates entry and return. The record is valid until the handler returns. If
	// Peek is nil, leaves are not merged.
	Peek func() *record.Record
	// Consume marks the record from Peek as printed. It is called only after Peek has returned a
	// record.
	Consume func()
	// Options holds the options of -O. If nil, the defaults apply.
	Options *Options
	// GuestSymbol names an address of the guest whose virtual CPU a thread of the host runs. ok is
	// false for other threads and addresses. It is nil without guests.
	GuestSymbol func(hostPID int32, addr uint64) (name string, offset uint64, ok bool)
	// Style is the version of trace-cmd for texts.
	Style Style
	// Types returns the kernel's type information, or nil if it is missing or damaged. Types may be
	// nil.
	Types func() *btf.Types
	// Reference prints the texts of trace-cmd 3.1 where the kernel marks more: long durations, and
	// ftrace's own code in stacks.
	Reference bool
	// Kernel selects the texts of the kernel's own trace file: see NewKernel.
	Kernel bool

	stacks callStacks
	exits  graphExits
}

// Stateful reports whether a text depended on earlier events, by the indentation of function
// events.
func (c *Context) Stateful() bool { return c.stacks.byCPU != nil }

// Forget drops the state from earlier events. Later texts do not depend on them.
func (c *Context) Forget() { c.stacks.byCPU = nil }

// A maker makes the handler of one event. It returns nil if it does not support this form of the
// event. New also returns nil if a field that the maker requests is missing.
type maker func(c *Context, l *layout) Handler

// makers holds the makers by group and name. Other events have no plugin text, although trace-cmd
// has a plugin for the following:
//
//   - cfg80211_*_mlme_mgmt, scsi_dispatch_cmd_*, xen_mc_*: the plugins define functions for the
//     print fmt (__le16_to_cpup, scsi_trace_parse_cdb, xen_hypercall_name). compiler/ftrace knows
//     them.
//   - kvm_mmu_*_page: the plugin reads the bits of role in the layout of old kernels. Today's print
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
// that the plugin reads is missing or has an unexpected shape: the event may be another machine's
// event of the same name.
//
// The text of BlkTrace is also valid with -N, since there is no print fmt for it.
func New(ev *ir.Event, c *Context) Handler {
	m := makers[ev.Group+":"+ev.Name]
	if m == nil || ev.Group == "jbd2" && !c.Reference {
		return nil // the plugin of jbd2 prints jiffies; the print fmt, and so the kernel, milliseconds
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

// short appends the message of compiler/interp for a record that ends before its fields do.
func short(dst []byte, have, need int) []byte {
	dst = append(dst, "[short record: "...)
	dst = render.Dec(dst, int64(have))
	dst = append(dst, " of "...)
	dst = render.Dec(dst, int64(need))
	return append(dst, " bytes]"...)
}
