package process

import "github.com/tracec/tracec/runtime/lttng"

// kind is the effect of an event on the state.
type kind uint8

const (
	nothing kind = iota
	push         // enter a mode
	pop          // leave a mode
	schedule
	fork
	exec
	brand
	free
	dump
	dumpEnd
	enterFunction
	leaveFunction
	nameSyscall
	nameSoftirq
	nameKprobe
)

// action is a kind with the fields that it needs.
type action struct {
	kind   kind
	mode   Mode
	fields []*lttng.Reader
}

// rule lists the fields that a kind needs, in all spellings of the versions.
type rule struct {
	kind   kind
	mode   Mode
	fields [][]string
}

var (
	functionFields = [][]string{{"this_fn", "field 1"}}
	nameFields     = [][]string{{"id"}, {"symbol"}}
)

// rules are by the name of an event. Up to 2.2 names begin with the later channel name:
// kernel_arch_syscall_entry.
var rules = map[string]rule{
	"kernel.syscall_entry":          {kind: push, mode: Syscall},
	"kernel.syscall_exit":           {kind: pop, mode: Syscall},
	"kernel.trap_entry":             {kind: push, mode: Trap},
	"kernel.trap_exit":              {kind: pop, mode: Trap},
	"kernel.page_fault_entry":       {kind: push, mode: Trap},
	"kernel.page_fault_exit":        {kind: pop, mode: Trap},
	"kernel.page_fault_nosem_entry": {kind: push, mode: Trap},
	"kernel.page_fault_nosem_exit":  {kind: pop, mode: Trap},
	"kernel.irq_entry":              {kind: push, mode: IRQ},
	"kernel.irq_exit":               {kind: pop, mode: IRQ},
	"kernel.softirq_entry":          {kind: push, mode: SoftIRQ},
	"kernel.softirq_exit":           {kind: pop, mode: SoftIRQ},
	"kernel.process_fork":           {kind: fork, fields: [][]string{{"parent_pid"}, {"child_pid"}, {"child_tgid"}}},
	"kernel.process_free":           {kind: free, fields: [][]string{{"pid"}}},
	"fs.exec":                       {kind: exec, fields: [][]string{{"filename"}}},
	"userspace.thread_brand":        {kind: brand, fields: [][]string{{"name", "string", "field 1"}}},
	"userspace.function_entry":      {kind: enterFunction, fields: functionFields},
	"userspace.function_exit":       {kind: leaveFunction},
	"task_state.process_state": {kind: dump, fields: [][]string{{"pid"}, {"parent_pid"}, {"name"}, {"type"},
		{"tgid"}}},
	"global_state.statedump_end":   {kind: dumpEnd},
	"syscall_state.sys_call_table": {kind: nameSyscall, fields: nameFields},
	"softirq_state.softirq_vec":    {kind: nameSoftirq, fields: nameFields},
	"kprobe_state.kprobe_table":    {kind: nameKprobe, fields: [][]string{{"ip"}, {"symbol"}}},
}

// aliases are the names in other versions: facilities up to 0.8, joined to the name of the event in
// 1.0 to 2.2.
var aliases = map[string]string{
	"kernel_arch.syscall_entry":         "kernel.syscall_entry",
	"kernel_arch.syscall_exit":          "kernel.syscall_exit",
	"kernel_arch.trap_entry":            "kernel.trap_entry",
	"kernel_arch.trap_exit":             "kernel.trap_exit",
	"user_generic.thread_brand":         "userspace.thread_brand",
	"user_generic.function_entry":       "userspace.function_entry",
	"user_generic.function_exit":        "userspace.function_exit",
	"list.process_state":                "task_state.process_state",
	"list.statedump_end":                "global_state.statedump_end",
	"statedump.enumerate_process_state": "task_state.process_state",
	"statedump.state_dump_end":          "global_state.statedump_end",
}

// actionOf returns the action of a marker. A marker without the needed fields has no action.
func actionOf(m *lttng.Marker) action {
	if prev, next, ok := m.Switch(); ok {
		return action{kind: schedule, fields: []*lttng.Reader{prev, next}}
	}
	r, ok := ruleOf(m)
	if !ok {
		return action{}
	}
	a := action{kind: r.kind, mode: r.mode}
	for _, spellings := range r.fields {
		f, ok := m.Reader(spellings...)
		if !ok {
			return action{}
		}
		a.fields = append(a.fields, f)
	}
	return a
}

// ruleOf finds the rule of a marker by its name as in 2.3 to 2.6, channel.marker.
func ruleOf(m *lttng.Marker) (rule, bool) {
	var room [64]byte
	name := append(room[:0], m.Channel...)
	if m.Channel != "" {
		name = append(append(name, '.'), m.Name...)
		return known(name)
	}
	name = append(name, m.Name...)
	for i := range name { // kernel_arch_syscall_entry: facility names contain underscores
		if name[i] != '_' {
			continue
		}
		name[i] = '.'
		if r, ok := known(name); ok {
			return r, true
		}
		name[i] = '_'
	}
	return known(name)
}

// known finds the rule of a name.
func known(name []byte) (rule, bool) {
	if n, ok := aliases[string(name)]; ok {
		return rules[n], true
	}
	r, ok := rules[string(name)]
	return r, ok
}
