package tracecmd

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/tracec/tracec/runtime/render"
)

// print appends the profile: global entries first, then tasks by pid or groups by name.
func (pr *profile) print() {
	for _, cpu := range slices.Sorted(maps.Keys(pr.cpus)) {
		if len(pr.cpus[cpu].entries) == 0 {
			continue
		}
		if cpu < 0 {
			pr.p.buf = append(pr.p.buf, "Global Events\n"...)
		} else {
			pr.p.buf = fmt.Appendf(pr.p.buf, "Global CPU[%d] Events\n", cpu)
		}
		pr.printEntries(pr.cpus[cpu])
	}
	if pr.opts.ByComm {
		pr.printGroups()
		return
	}
	pr.printTasks(slices.Sorted(maps.Keys(pr.tasks)))
}

func (pr *profile) printTasks(pids []int32) {
	for _, pid := range pids {
		pr.p.buf = fmt.Appendf(pr.p.buf, "\ntask: %s-%d\n", pr.comm(pid), pid)
		pr.printEntries(pr.tasks[pid])
	}
}

// printGroups prints sums of tasks with the same name. As in trace-cmd, some tasks are not summed
// up.
func (pr *profile) printGroups() {
	groups := map[string]*account{}
	for _, pid := range slices.Sorted(maps.Keys(pr.tasks)) {
		name := pr.comm(pid)
		g := groups[name]
		if g == nil {
			g = &account{entries: map[entryKey]*entry{}}
			groups[name] = g
		}
		for key, e := range pr.tasks[pid].entries {
			if key.label == "sched_wakeup" { // its value is the number of the task
				key.value, e.key.value = 0, 0
			}
			if sum := g.entries[key]; sum != nil {
				sum.merge(e)
			} else {
				g.entries[key] = e
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		pr.p.buf = fmt.Appendf(pr.p.buf, "\ngroup: %s\n", name)
		pr.printEntries(groups[name])
	}
}

// merge adds another entry to this one.
func (e *entry) merge(o *entry) {
	e.durations.merge(&o.durations)
	switch {
	case e.stacks == nil:
		e.stacks = o.stacks
	case o.stacks != nil:
		e.stacks.merge(o.stacks)
	}
}

func (n *stackNode) merge(o *stackNode) {
	n.durations.merge(&o.durations)
	for _, c := range o.children {
		i := slices.IndexFunc(n.children, func(x *stackNode) bool { return x.addr == c.addr })
		if i < 0 {
			n.children = append(n.children, c)
			continue
		}
		n.children[i].merge(c)
	}
}

// printEntries prints the largest entries first. trace-cmd prints them in the order of a hash
// table.
func (pr *profile) printEntries(a *account) {
	list := slices.SortedFunc(maps.Values(a.entries), func(a, b *entry) int {
		return cmp.Or(
			cmp.Compare(b.sum, a.sum), cmp.Compare(b.count, a.count),
			cmp.Compare(a.key.label, b.key.label), cmp.Compare(a.key.value, b.key.value),
		)
	})
	for _, e := range list {
		pr.p.buf = pr.appendEntry(pr.p.buf, e)
		if len(pr.p.buf) >= flushSize {
			if pr.p.flush() != nil {
				return // the last flush returns the error again
			}
		}
	}
}

func (pr *profile) appendEntry(dst []byte, e *entry) []byte {
	dst = append(dst, "  Event: "...)
	dst = append(dst, e.key.label...)
	dst = append(dst, ':')
	switch {
	case e.key.label == "func":
		dst = append(dst, ' ')
		if name, _, ok := pr.in.values.env.Symbols.Symbol(e.key.value); ok {
			dst = append(append(dst, name...), "()"...)
		} else {
			dst = render.HexLower(append(dst, "0x"...), e.key.value)
		}
	case e.kind != nil && e.kind.format != nil:
		dst = append(dst, e.kind.format(e.key.value)...)
	default:
		dst = render.HexLower(append(dst, "0x"...), e.key.value)
	}
	dst = fmt.Appendf(dst, " (%d)", e.count)
	if e.kind != nil {
		dst = fmt.Appendf(dst, " Total: %d Avg: %d Max: %d(ts:%s) Min:%d(ts:%s)",
			e.sum, e.sum/e.count, e.max, seconds(e.maxAt), e.min, seconds(e.minAt))
	}
	dst = append(dst, '\n')
	if e.stacks != nil {
		dst = pr.appendTree(dst, e.stacks, "          ", e.kind != nil)
	}
	return dst
}
