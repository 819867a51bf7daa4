package stacks

import (
	"context"
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// Threads are the stacks of all tasks of a recording.
type Threads struct {
	List     []Thread // in the order of Recording.Tasks, which is that of Record.Stream
	byTID    map[int32]*Thread
	lastPerf uint64
}

// New makes the stacks of a recording, all empty.
func New(rec *uftrace.Recording) *Threads {
	tasks := rec.Tasks()
	ts := &Threads{List: make([]Thread, len(tasks)), byTID: make(map[int32]*Thread, len(tasks))}
	for i, t := range tasks {
		ts.List[i] = Thread{Task: t, Index: i, Comm: t.Comm, Unsettled: true}
		ts.byTID[t.TID] = &ts.List[i]
	}
	return ts
}

// Plain says whether the calls of a recording can be followed without the player: no filter asks for more than the stacks.
func Plain(rec *uftrace.Recording, o *callstack.Options) bool {
	return o.Only == nil && len(o.Filters)+len(o.NoTrace)+len(o.Callers)+len(o.Hide)+len(o.Locs)+len(o.Triggers)+len(o.TIDs) == 0 &&
		o.Depth == 0 && o.Time == 0 && o.Size == 0 && o.Range == (callstack.Range{}) && !o.Disable && !o.NoLibcall &&
		!o.KernelOnly && !o.KernelFull && !o.KernelSkipOut && o.KernelDepth == 0 &&
		rec.Info().Features&(uftrace.FeatKernel|uftrace.FeatEstimateReturn) == 0
}

// Visitor gets the records of threads in time order.
type Visitor interface {
	// Calls gets a run of records of one thread's own file.
	Calls(t *Thread, recs []record.Record, ents []uftrace.Entry)
	// Event gets an event of a perf file.
	Event(t *Thread, r *record.Record)
}

// Each reads a recording and hands it out a run of records at a time. What cannot be read is left to Recording.Damage;
// the error is that of the context.
func (ts *Threads) Each(ctx context.Context, rec *uftrace.Recording, v Visitor) error {
	merged := rec.Merge(uftrace.MergeOptions{NoExtern: true})
	defer merged.Close()
	for n := 0; ; n++ {
		if n&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		records, entries, err := merged.NextRun()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || len(records) == 0 {
			continue
		}
		if entries[0].Source == uftrace.User && uint(records[0].Stream) < uint(len(ts.List)) {
			t := &ts.List[records[0].Stream]
			v.Calls(t, records, entries)
			t.read, t.perf = records[len(records)-1].Time, false
			continue
		}
		for i := range records {
			t := ts.byTID[records[i].Task]
			if t == nil {
				continue
			}
			ts.see(t, &records[i], &entries[i])
			if entries[i].Kind == uftrace.Event {
				v.Event(t, &records[i])
			} else if entries[i].Kind != uftrace.Lost && t.user > 0 { // of the kernel, which counts within functions
				v.Calls(t, records[i:i+1], entries[i:i+1])
			}
		}
	}
}

// see notes that an event was read, whether it counts or not. A child of fork that is scheduled before it returns has no
// open calls, since events of perf files are recorded at depth 0.
func (ts *Threads) see(t *Thread, r *record.Record, e *uftrace.Entry) {
	t.read, t.perf = r.Time, e.Source == uftrace.Perf
	if !t.lost && IsSchedule(r.ID) {
		t.Unsettled = false
	}
	if t.perf {
		ts.lastPerf = r.Time
		if r.ID == callstack.TaskName {
			t.Comm = string(r.Data)
		}
	}
}

// Last is the time that calls which are still open are taken to end. uftrace keeps the last record of a thread, and
// one record for all perf files together, so that a thread whose last record is a perf event has the time of the last
// perf event of any thread.
func (ts *Threads) Last(t *Thread) uint64 {
	if t.perf {
		return ts.lastPerf
	}
	return t.read
}

// IsSchedule says whether an event takes the thread off its processor or back.
func IsSchedule(id uint32) bool {
	return id == callstack.SchedIn || id == callstack.SchedOut || id == callstack.SchedOutPreempt
}

// ScheduleName is the name under which the time off the processor is shown, by the id of the event that began it.
func ScheduleName(id uint64) string {
	if id == callstack.SchedOutPreempt {
		return "linux:schedule (pre-empted)"
	}
	return "linux:schedule"
}
