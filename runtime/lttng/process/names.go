package process

import (
	"maps"
	"slices"
	"strconv"

	"github.com/tracec/tracec/runtime/render"
)

// The kinds of names that textDump shows after numbers.
const (
	NoteSyscall = "syscall"
	NoteSoftirq = "softirq"
	NoteKprobe  = "kprobe"
)

// Names are the tables that a trace dumps at its start. It is the render.Hooks of the fields that
// textDump shows with a name after the number.
type Names struct {
	syscalls, softirqs table
	kprobes            map[uint64]string
	frozen             *Names // a copy; nil since the last change
}

// Frozen returns a copy of the current names, which never changes, and the number of names that
// were copied for it. If there were no changes since the last call, nothing is copied. Any number
// of goroutines may use the copy.
func (n *Names) Frozen() (frozen *Names, copied int) {
	if n.frozen == nil {
		n.frozen = &Names{syscalls: slices.Clone(n.syscalls), softirqs: slices.Clone(n.softirqs),
			kprobes: maps.Clone(n.kprobes)}
		copied = len(n.syscalls) + len(n.softirqs) + len(n.kprobes) + 1
	}
	return n.frozen, copied
}

var _ render.Hooks = (*Names)(nil)

// Call appends ` [name]`.
func (n *Names) Call(dst []byte, name string, args render.HookArgs) []byte {
	v := args.V[0]
	switch name {
	case NoteSyscall:
		return n.syscalls.append(dst, NoteSyscall, v)
	case NoteSoftirq:
		return n.softirqs.append(dst, NoteSoftirq, v)
	case NoteKprobe:
		if symbol, ok := n.kprobes[v]; ok {
			return append(append(append(dst, " ["...), symbol...), ']')
		}
	}
	return dst
}

// StartTimer, EndTimer and ProcessPath are for AIX.

// StartTimer does nothing.
func (n *Names) StartTimer(_, _ uint64) {}

// EndTimer returns false: there are no timers.
func (n *Names) EndTimer(_, _ uint64) (microseconds uint64, ok bool) { return 0, false }

// ProcessPath returns false: there are no paths.
func (n *Names) ProcessPath(dst []byte, _ uint64) (out []byte, ok bool) { return dst, false }

// maxNames limits the tables of a hostile trace.
const maxNames = 1 << 16

// kprobe names the probe at an address.
func (n *Names) kprobe(addr uint64, symbol string) {
	if n.kprobes == nil {
		n.kprobes = map[uint64]string{}
	}
	if len(n.kprobes) < maxNames {
		n.kprobes[addr] = symbol
	}
}

// table has names by number. A number without a name in the trace is part of its own name.
type table []string

func (t *table) set(id uint64, name string) {
	if id >= maxNames {
		return
	}
	for uint64(len(*t)) <= id {
		*t = append(*t, "")
	}
	(*t)[id] = name
}

func (t table) append(dst []byte, kind string, id uint64) []byte {
	dst = append(dst, " ["...)
	if id < uint64(len(t)) && t[id] != "" {
		return append(append(dst, t[id]...), ']')
	}
	dst = append(append(dst, kind...), ' ')
	return append(strconv.AppendUint(dst, id, 10), ']')
}
