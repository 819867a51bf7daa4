package tables

import "slices"

// Explained is the part of the recorded time that rows explain: docs/spec/tables.md section 1.
type Explained struct {
	What  string // processors or threads
	Count int64  // their number
	// Known is the time of states with a known begin and end. Whole is the time of processors or
	// threads within the recording. Both are durations, as in rows.
	Known, Whole uint64
}

// Explained returns the part of the time of processors and threads that the rows of the scheduler's
// tables explain. It is empty for a walk without them, and before its end.
func (w *Walk) Explained() []Explained { return w.explained }

// known sums up the known time of processors and threads.
type known struct {
	cpus                []bool // processors with switches
	processors, threads Explained
}

// switches notes a processor.
func (k *known) switches(cpu int32) {
	for int(cpu) >= len(k.cpus) {
		k.cpus = append(k.cpus, false)
	}
	k.cpus[cpu] = true
}

// add adds a state that has ended.
func (k *known) add(row *State) {
	dur, ok := row.Dur()
	if !ok {
		return
	}
	if row.State == running {
		k.processors.Known += dur
	}
	if !row.Thread.Idle() {
		k.threads.Known += dur
	}
}

// left adds the lifetime of a thread that has ended, or is alive at the end of the recording.
func (k *known) left(st *sched, time uint64) {
	if !st.thread.Idle() {
		k.threads.Count++
		k.threads.Whole += time - min(time, st.since)
	}
	st.thread = nil
}

// explain sets the result of the walk. Several tables of a walk may have the same states.
func (k *known) explain(w *Walk) {
	if len(w.explained) > 0 || len(k.cpus) == 0 {
		return
	}
	k.processors.What, k.threads.What = "processors", "threads"
	k.processors.Count = int64(len(slices.DeleteFunc(k.cpus, func(switched bool) bool { return !switched })))
	k.processors.Whole = uint64(k.processors.Count) * (w.extent.Last - w.extent.First)
	w.explained = []Explained{k.processors, k.threads}
}
