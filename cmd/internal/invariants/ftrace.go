package main

import (
	"github.com/tracec/tracec"
)

// ftraceSystem checks recordings of ftrace.
type ftraceSystem struct {
	found   *findings
	streams streams
	graphs  map[graphKey][]uint64 // open functions by depth; 0 if unknown
}

// graphKey identifies a stack of calls: a task, or the idle task of a processor.
type graphKey struct {
	task int32
	cpu  int32
}

func (f *ftraceSystem) event(ev *tracec.Event) {
	s := f.streams.at(ev.Stream)
	if ev.Lost != 0 {
		s.lose()
		clear(f.graphs) // during the loss a task may have moved to this processor and away
	}
	s.time(f.found, ev.Time, ev.Type.Name)
	switch ev.Type.Name {
	case "sched_switch":
		prev, ok := ev.Field("prev_pid")
		next, known := ev.Field("next_pid")
		if !ok || !known {
			break
		}
		if int64(ev.Task) != prev.Int() {
			f.found.add("switch by another task", "task %d switches out %d at %d", ev.Task, prev.Int(), ev.Time)
		}
		s.swap(f.found, ev.Time, prev.Int(), next.Int())
	case "funcgraph_entry":
		f.graph(ev, true)
	case "funcgraph_exit":
		f.graph(ev, false)
	}
}

// graph checks that a function is left at the depth at which it was entered.
func (f *ftraceSystem) graph(ev *tracec.Event, entry bool) {
	fn, ok := ev.Field("func")
	depth, known := ev.Field("depth")
	if !ok || !known || depth.Uint() > 1<<12 {
		return
	}
	key := graphKey{task: ev.Task}
	if ev.Task == 0 {
		key.cpu = ev.CPU
	}
	open, d := f.graphs[key], int(depth.Uint())
	for len(open) <= d {
		open = append(open, 0)
	}
	f.found.checked("graph entries and exits")
	switch {
	case entry:
		open = append(open[:d], fn.Uint())
	case open[d] != 0 && open[d] != fn.Uint():
		f.found.add("exit of another function", "%x of task %d at depth %d, %d; %x was entered", fn.Uint(), ev.Task, d,
			ev.Time, open[d])
		fallthrough
	default:
		open = open[:d]
	}
	f.graphs[key] = open
}

func (f *ftraceSystem) finish() {}
