package ctf

import (
	"slices"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/record"
)

// threads are the fields of an event about threads: about its own thread in contexts, and about
// other threads (docs/spec/ctf.md 5.5, 6.6).
type threads struct {
	id, process, name place // the event's own thread
	// prev and next are the threads of a switch of a processor.
	prev, next, prevName, nextName place
	// other is a thread that the event names: a new thread, or one that existed before.
	other, otherProcess, otherName place
}

// switchEvent is lttng-modules' event for a switch of a processor to another thread.
const switchEvent = "sched_switch"

// threadsOf finds the fields.
func threadsOf(e *Event) (t threads) {
	context := *e.Event // the tid of a payload is another thread
	context.Payload = nil
	of := Event{Event: &context, Stream: e.Stream, Form: e.Form}
	t.id, t.process, t.name = of.place("tid", "vtid"), of.place("pid", "vpid"), of.place("procname")
	switch e.trace.Variable("tracer_name").Text {
	case "perf":
		t.id, t.process = e.place("perf_tid"), e.place("perf_pid")
		if e.Name.Name == "perf_comm" {
			t.other, t.otherProcess, t.otherName = e.place("tid"), e.place("pid"), e.place("comm")
		}
	case "lttng-modules":
		t.scheduler(e)
	}
	return t
}

// scheduler finds the fields of lttng-modules that name other threads.
func (t *threads) scheduler(e *Event) {
	switch e.Name.Name {
	case switchEvent:
		t.prev, t.next, t.prevName, t.nextName = e.place("prev_tid"), e.place("next_tid"), e.place("prev_comm"),
			e.place("next_comm")
	case "sched_process_fork":
		t.other, t.otherProcess, t.otherName = e.place("child_tid"), e.place("child_pid"), e.place("child_comm")
	case "lttng_statedump_process_state":
		t.other, t.otherProcess, t.otherName = e.place("tid"), e.place("pid"), e.place("name")
	}
}

// task returns the thread that an event has in its fields, or -1.
func (e *Event) task(data []byte) int32 {
	if n, ok := e.threads.id.number(data); ok {
		return n
	}
	return -1
}

// hasTasks reports whether some events have their thread, or whether there are scheduler events.
func (r *Recording) hasTasks() bool {
	return slices.ContainsFunc(r.events, func(e *Event) bool {
		return e.threads.id.class != nil || e.threads.next.class != nil
	})
}

// Scheduled reports whether there are events of the scheduler, and other events that do not have
// their thread.
func (r *Recording) Scheduled() bool {
	return slices.ContainsFunc(r.events, func(e *Event) bool {
		return e.threads.next.class != nil && e.threads.id.class == nil
	})
}

// follower finds the thread of each record: the thread to which its processor has switched last. It
// is for one merge.
type follower struct {
	rec     *Recording
	running map[onProcessor]int32
	choices []*choice.Choice // by Record.Stream; nil if everything is selected
}

type onProcessor struct {
	trace *Trace
	cpu   int32
}

// MergeTasks is like [Recording.Merge], but also sets Record.Task for events that do not have their
// thread. It is the thread that runs on their processor according to the scheduler's events, or -1
// before the first of them. Recordings with such events are read from their beginning.
func (r *Recording) MergeTasks(opts record.Options) *record.Merger[Entry] {
	if !r.Scheduled() {
		return merge(r.Streams(opts))
	}
	f := &follower{rec: r, running: map[onProcessor]int32{}}
	chosen, all := opts, opts
	chosen.Context = nil // streams use it
	if choice.Of(&chosen) != nil {
		f.choices = make([]*choice.Choice, len(r.chains)+1) // one for files that appear later
		for i := range f.choices {
			f.choices[i] = choice.Of(&chosen)
		}
		all = record.Options{Until: opts.Until, CPUs: opts.CPUs, Workers: opts.Workers, Context: opts.Context}
	}
	return merge(r.Streams(all)).Through(f.pass)
}

// pass sets the threads of a run and selects records. A run is from one stream.
func (f *follower) pass(records []record.Record, entries []Entry) ([]record.Record, []Entry) {
	at := onProcessor{entries[0].Event.trace, records[0].CPU}
	task, ok := f.running[at]
	if !ok {
		task = -1
	}
	for i := range records {
		r, x := &records[i], &entries[i]
		if r.CPU != at.cpu {
			f.running[at] = task
			at.cpu = r.CPU
			if task, ok = f.running[at]; !ok {
				task = -1
			}
		}
		if r.Task >= 0 {
			continue
		}
		if prev, ok := x.Event.threads.prev.number(r.Data); ok {
			task = prev
		}
		r.Task = task
		if next, ok := x.Event.threads.next.number(r.Data); ok {
			task = next
		}
	}
	f.running[at] = task
	if f.choices == nil {
		return records, entries
	}
	b := choice.Filter(f.choices[records[0].Stream], record.Batch[Entry]{Records: records, Entries: entries})
	return b.Records, b.Entries
}
