package totals

import (
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/tables/sums"
)

// Curt has the summaries that curt of AIX prints in addition to the summary by mode:
// docs/spec/tables.md section 11.
type Curt struct {
	cpus, processes, threads, calls, pending, handlers *sums.Totals
	affinity
}

// AddCurt adds the tables of the summaries to a walk. After the walk, finish returns them.
func AddCurt(w *tables.Walk) (finish func() *Curt, err error) {
	c := &Curt{affinity: affinity{last: map[*tables.Thread]int32{}}}
	var after []func()
	for _, p := range []struct {
		to    **sums.Totals
		table tables.Any
		o     sums.Options
	}{
		{&c.cpus, tables.CPUModes, sums.Options{By: []string{"cpu", "mode"}}},
		{&c.processes, tables.CPUModes, sums.Options{By: []string{"pid", "process", "mode"},
			Where: []string{ofThreads}}},
		{&c.threads, tables.CPUModes, sums.Options{By: []string{"tid", "thread", "mode"}, Where: []string{ofThreads}}},
		{&c.calls, tables.Syscalls, sums.Options{By: []string{"name"}, Time: "on_cpu",
			Where: []string{`!(reason == "open_end")`}}},
		{&c.pending, tables.Syscalls, sums.Options{By: []string{"name", "tid", "thread"}, Time: "on_cpu",
			Where: []string{`reason == "open_end"`}}},
		{&c.handlers, tables.Interrupts, sums.Options{By: []string{"kind", "name"}, Time: "self"}},
	} {
		done, err := sums.Add(w, p.table, p.o)
		if err != nil {
			return nil, err
		}
		after = append(after, func() { *p.to = done() })
	}
	if err := tables.CPUModes.Collect(w, c.affinity.add); err != nil {
		return nil, err
	}
	return func() *Curt {
		for _, do := range after {
			do()
		}
		return c
	}, nil
}

// ofThreads selects the time of threads themselves.
const ofThreads = `mode == "APPLICATION" || mode == "SYSCALL" || mode == "KPROC"`

// affinity counts the dispatches of threads that were dispatched before.
type affinity struct {
	last     map[*tables.Thread]int32 // processor of the latest dispatch
	all, own int64                    // own counts dispatches on the same processor as before
}

func (a *affinity) add(m *tables.Mode) bool {
	switch {
	case m.NoBegin == tables.Lost || m.NoEnd == tables.Lost:
		clear(a.last)
	case m.Thread != nil && m.Mode == "DISPATCH":
		cpu, known := a.last[m.Thread]
		if known {
			a.all++
		}
		if known && cpu == m.CPU {
			a.own++
		}
		a.last[m.Thread] = m.CPU
	}
	return true
}
