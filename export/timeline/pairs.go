package timeline

import (
	"slices"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
	"github.com/tracec/tracec/runtime/syscalls"
)

// ends are the suffixes of names of events that begin and end something, in lower case. Start and
// done are not in the list: started operations, such as block_io, overlap with others, and end
// where the completion is noticed.
var ends = [...][2]string{
	{"begin", "end"}, {"enter", "exit"}, {"entry", "exit"}, {"start", "end"}, {"start", "stop"},
}

// pairs finds the events that begin and end something by their names.
type pairs struct {
	described map[string]bool   // system and name in lower case
	keys      map[string]uint32 // keys of pairs, by the common part of their names
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

// cutEnd splits a name before its last word, if that is in ends.
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

// of reports whether an event begins or ends a pair, and another described event is the other end.
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
	pair, _, known := kernel.PairOf(typ)
	ru.key = key
	if known && pair.Kind != "work" { // a span of the processor, regardless of the interrupted thread
		ru.kind = Interrupt
	}
	ru.do = doEnd
	if kind == Begin {
		ru.do, ru.name = doBegin, t.names.of(typ.System, stem)
		_, call := kernel.SyscallOf(typ)
		switch {
		case call:
			ru.do = doSyscall
			ru.naming(typ, kernel.NumberField(typ), stem)
		case strings.HasPrefix(typ.System, "lttng_ust_cyg_profile"): // gcc -finstrument-functions
			ru.field = typ.Index("addr")
		case known:
			ru.naming(typ, typ.Index(pair.Name), stem)
			fallthrough
		case tracepoint(typ):
			ru.do, ru.flags = doBeginOne, typ.Index("common_flags")
			ru.alone = tracepoint(typ) || pair.Alone
		}
	}
	return ru
}

// tracepoint reports whether events are from the kernel's own source, where they are not nested in
// themselves. Probes may be in any function, and synthetic events and events of programs may be
// anywhere.
func tracepoint(typ *tracec.Type) bool {
	return typ.Index("common_flags") >= 0 && typ.System != "synthetic" && typ.System != "user_events" &&
		typ.Index("__probe_ip") < 0 && typ.Index("__probe_func") < 0
}

// naming selects a field for the names of a pair's spans. The value of a function's field is its
// whole name.
func (ru *rule) naming(typ *tracec.Type, field int, stem string) {
	if ru.field = field; field >= 0 && typ.Fields[field].Kind != tracec.Text &&
		!strings.HasPrefix(typ.Fields[field].Name, "func") {
		ru.prefix = stem + " "
	}
}

// rawSyscall marks system calls from raw_syscalls.
const rawSyscall = 1

// special sets the rules of events other than a pair of names.
func (t *Timeline) special(ru *rule, typ *tracec.Type) bool {
	call, calls := kernel.SyscallOf(typ)
	pid, exits := kernel.ExitOf(typ)
	child, _, forks := kernel.BirthOf(typ)
	next, switches := kernel.SwitchOf(typ)
	switch i := slices.Index(kernel.GraphEvents[:], typ.System+":"+typ.Name); {
	case i >= 0:
		g := graphRule(typ, i == len(kernel.GraphEvents)-1)
		if g == nil {
			return false
		}
		g.name, g.kind = ru.name, Functions
		*ru = *g
	case calls && call.Name != "" && call.Begins:
		ru.do, ru.name, ru.key = doSyscall, t.names.of(typ.System, call.Name), t.pairs.key("syscall")
	case calls && call.Name != "":
		ru.do, ru.key = doEnd, t.pairs.key("syscall")
	case calls && !call.Marker && call.Begins:
		ru.do, ru.key, ru.field, ru.prefix, ru.depth = doSyscall, t.pairs.key("syscall"), kernel.NumberField(typ),
			"system call ", rawSyscall
		ru.calls = syscalls.Of(t.r.Recording().Machine().Arch)
	case calls && !call.Marker:
		ru.do, ru.key, ru.field = doSyscallEnd, t.pairs.key("syscall"), kernel.NumberField(typ)
	case typ.System == "ftrace" && typ.Name == "print" && typ.Index("buf") >= 0:
		ru.do, ru.field, ru.key = doPrint, typ.Index("buf"), t.pairs.key("print")
	case exits:
		ru.do, ru.call = doExit, pid
	case forks:
		ru.do, ru.call = doFork, child
	case switches && next.Prev >= 0 && next.Next >= 0:
		ru.field, ru.call, ru.ret, ru.depth = next.NextComm, next.Prev, next.Next, next.State
		if ru.do = doSwitch; ru.field < 0 {
			ru.field, ru.prefix = ru.ret, "thread "
		}
	default:
		return false
	}
	return true
}
