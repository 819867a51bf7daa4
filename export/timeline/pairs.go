package timeline

import (
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/syscalls"
)

// ends are the suffixes of names of events that begin and end something, in lower case. Start and
// done are not among them: started operations, such as block_io, overlap with others, and end where
// the completion is noticed.
var ends = [...][2]string{
	{"begin", "end"}, {"enter", "exit"}, {"entry", "exit"}, {"start", "end"}, {"start", "stop"},
}

// pairs are the events that begin and end something by their names.
type pairs struct {
	described map[string]bool   // system and name in lower case
	keys      map[string]uint32 // of pairs, by the common part of their names
}

func newPairs(r *tracec.Reader) pairs {
	p := pairs{described: map[string]bool{}, keys: map[string]uint32{}}
	r.Names(func(system, name, alias string) {
		if alias == "" {
			alias = name
		}
		if _, _, ok := cutEnd(strings.ToLower(alias)); ok {
			p.described[system+":"+strings.ToLower(alias)] = true
		}
	})
	return p
}

// cutEnd splits a name before its last word, if that is one of ends.
func cutEnd(name string) (stem, last string, ok bool) {
	i := strings.LastIndexAny(name, "_- ")
	if i <= 0 {
		return "", "", false
	}
	for _, e := range ends {
		if last := name[i+1:]; last == e[0] || last == e[1] {
			return name[:i+1], last, true
		}
	}
	return "", "", false
}

// of reports whether an event begins or ends a pair with another described event.
func (p *pairs) of(system, name string) (kind Kind, key uint32, stem string) {
	stem, last, ok := cutEnd(strings.ToLower(name))
	if !ok {
		return Instant, 0, ""
	}
	for _, e := range ends {
		switch {
		case last == e[0] && p.described[system+":"+stem+e[1]]:
			return Begin, p.key(system + ":" + stem), name[:len(stem)-1]
		case last == e[1] && p.described[system+":"+stem+e[0]]:
			return End, p.key(system + ":" + stem), name[:len(stem)-1]
		}
	}
	return Instant, 0, ""
}

// key returns the key of the spans of a pair. The keys of switches are threads.
func (p *pairs) key(name string) uint32 {
	k, ok := p.keys[name]
	if !ok {
		k = 1<<31 + uint32(len(p.keys))
		p.keys[name] = k
	}
	return k
}

// newRule returns the rule for the events of a type.
func (t *Timeline) newRule(typ *tracec.Type) *rule {
	ru := &rule{
		do: doInstant, name: t.names.of(typ.System, typ.Label), names: map[uint64]*Name{},
		field: -1, depth: -1, call: -1, ret: -1, flags: -1,
	}
	if special := t.special(ru, typ); special {
		return ru
	}
	kind, key, stem := t.pairs.of(typ.System, typ.Label)
	if kind == Instant {
		return ru
	}
	ru.key, ru.kind = key, trackOf(typ, stem)
	ru.do = doEnd
	if kind == Begin {
		ru.do, ru.name = doBegin, t.names.of(typ.System, stem)
		ru.naming(typ, stem)
		switch {
		case stem == "syscall":
			ru.do = doSyscall
		case ru.kind == Interrupt || tracepoint(typ):
			ru.do, ru.flags = doBeginOne, typ.Index("common_flags")
			ru.alone = tracepoint(typ) || stem == "softirq"
		}
	}
	return ru
}

// tracepoint reports whether events are of a place in the kernel's own source, which does not call
// itself. Probes are of any function; in a synthetic event, or one of a program, anything may be.
func tracepoint(typ *tracec.Type) bool {
	return typ.Index("common_flags") >= 0 && typ.System != "synthetic" && typ.System != "user_events" &&
		typ.Index("__probe_ip") < 0 && typ.Index("__probe_func") < 0
}

// trackOf returns the kind of track for the spans of a pair. Interrupts belong to the processor,
// whatever thread they interrupt.
func trackOf(typ *tracec.Type, stem string) TrackKind {
	if typ.System == "irq" || typ.System == "irq_vectors" || typ.System == "ipi" || stem == "irq" || stem == "softirq" ||
		stem == "hrtimer_expire" || stem == "timer_expire" {
		return Interrupt
	}
	return Thread
}

// spanNames are the fields that name spans, by the common part of the names of their events.
var spanNames = map[string]string{
	"irq_handler": "name", "softirq": "vec", "hrtimer_expire": "function", "timer_expire": "function", "workqueue_execute": "function",
	"syscall": "syscall_id", "irq": "irq_id",
}

// naming finds the field that names the spans of a pair.
func (ru *rule) naming(typ *tracec.Type, stem string) {
	name, ok := spanNames[stem]
	if !ok {
		return
	}
	if ru.field = typ.Index(name); ru.field >= 0 && typ.Fields[ru.field].Kind != tracec.Text && name != "function" {
		ru.prefix = stem + " "
	}
}

// rawSyscall is the flavour of system calls of raw_syscalls.
const rawSyscall = 1

// special makes the rules of events that are more than a pair of names.
func (t *Timeline) special(ru *rule, typ *tracec.Type) bool {
	switch system, name := typ.System, typ.Name; {
	case system == "ftrace" && (name == "funcgraph_entry" || name == "fgraph_retaddr_entry" || name == "funcgraph_exit"):
		g := graphRule(typ, name == "funcgraph_exit")
		if g == nil {
			return false
		}
		g.name, g.kind = ru.name, Functions
		*ru = *g
	case system == "syscalls" && strings.HasPrefix(name, "sys_enter_"):
		ru.do, ru.name, ru.key = doSyscall, t.names.of(system, strings.TrimPrefix(name, "sys_enter_")), t.pairs.key("syscall")
	case system == "syscalls" && strings.HasPrefix(name, "sys_exit_"):
		ru.do, ru.key = doEnd, t.pairs.key("syscall")
	case system == "raw_syscalls" && name == "sys_enter":
		ru.do, ru.key, ru.field, ru.prefix, ru.depth = doSyscall, t.pairs.key("syscall"), typ.Index("id"), "system call ", rawSyscall
		ru.calls = syscalls.Of(t.r.Recording().Machine().Arch)
	case system == "raw_syscalls" && name == "sys_exit":
		ru.do, ru.key, ru.field = doSyscallEnd, t.pairs.key("syscall"), typ.Index("id")
	case system == "ftrace" && name == "print" && typ.Index("buf") >= 0:
		ru.do, ru.field, ru.key = doPrint, typ.Index("buf"), t.pairs.key("print")
	case (name == "sched_process_exit" || name == "process_exit") && typ.Index("pid") >= 0:
		ru.do, ru.call = doExit, typ.Index("pid")
	case (name == "sched_process_fork" || name == "process_fork") && typ.Index("child_pid") >= 0:
		ru.do, ru.call = doFork, typ.Index("child_pid")
	case name == "task_newtask" && typ.Index("pid") >= 0:
		ru.do, ru.call = doFork, typ.Index("pid")
	case name == "sched_switch" || name == "sched_schedule":
		ru.field, ru.call, ru.ret = typ.Index("next_comm"), typ.Index("prev_pid"), typ.Index("next_pid")
		if ru.call < 0 || ru.ret < 0 {
			return false
		}
		ru.depth = typ.Index("prev_state")
		if ru.do = doSwitch; ru.field < 0 {
			ru.field, ru.prefix = ru.ret, "thread "
		}
	default:
		return false
	}
	return true
}
