package callstack

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Walker follows the calls of all threads without filters, a run of records at a time, as uftrace
// report and graph do without options. It is about twice as fast as a Player. It is not safe for
// several goroutines.
//
// Its behavior in rare cases (losses, surplus exits, setjmp, perf events first) was found by
// comparing several hundred synthetic recordings with uftrace 0.13. The rest is in uftrace.md 2.3.
type Walker struct {
	threads
	rec   *uftrace.Recording
	opts  *Options
	byTID tidTable
	ends  *Ends
	jumps jumpTable
	// single follows the calls as a Player with [Single] does.
	single bool
	source Source // the source that is read
	errs   []error
	// previous is the thread of the previous record, to which lines of extern.dat belong.
	previous *Task

	jumper *Task // the last thread that called setjmp or longjmp
	mixed  bool  // other threads have called them as well
}

// Plain reports whether a Walker follows the calls of a recording as a Player with these options
// does: filters need only the stacks. Lines of extern.dat are shown with the records of threads,
// and may end the calls that are open at the end.
func Plain(rec *uftrace.Recording, o *Options) bool {
	return !Selective(o) && len(o.Scope.TIDs) == 0 && o.Scope.Range == (Range{}) && o.Kernel == (Kernel{}) &&
		rec.Info().Features&(uftrace.FeatKernel|uftrace.FeatEstimateReturn) == 0 && !has(rec, "extern.dat")
}

// has reports whether a recording has a file.
func has(rec *uftrace.Recording, name string) bool {
	_, err := fs.Stat(rec.FS(), name)
	return err == nil
}

// NewWalker returns a walker of a recording. It uses only Raw and the selection of events from the
// options.
func NewWalker(rec *uftrace.Recording, opts *Options) *Walker {
	w := &Walker{threads: threads{tasks: newTasks(rec)}, rec: rec, opts: opts, ends: newEnds(len(rec.Tasks()))}
	w.byTID = newTIDTable(w.tasks)
	if !opts.Raw {
		w.jumps = newJumpTable(rec.Symbols())
	}
	return w
}

// PlainSingle reports whether a walker that [NewSingleWalker] returns follows the calls of a
// recording as a Player with Single does.
func PlainSingle(rec *uftrace.Recording, o *Options) bool {
	// Kernel records are shown with the records of threads.
	return Plain(rec, o) && !rec.Follows() && !has(rec, "kernel_header")
}

// NewSingleWalker is NewWalker for the output of uftrace dump, chrome, flame graphs and graphviz.
// They differ from report and graph when setjmp returns, and when a thread is scheduled before its
// first call.
func NewSingleWalker(rec *uftrace.Recording, opts *Options) *Walker {
	w := NewWalker(rec, opts)
	w.single = true
	return w
}

// newTasks returns the threads of a recording, all outside of functions.
func newTasks(rec *uftrace.Recording) []*Task {
	all := make([]Task, len(rec.Tasks()))
	tasks := make([]*Task, len(all))
	for i, t := range rec.Tasks() {
		all[i] = Task{Task: t, Index: i, Comm: t.Comm, taskState: unseen()}
		tasks[i] = &all[i]
	}
	return tasks
}

// End returns the assumed end of the calls that a thread leaves open, in ns.
func (w *Walker) End(t *Task) uint64 { return w.ends.Of(t.Index) }

// Visitor receives the records of threads in time order. An error that it returns ends the walk.
type Visitor interface {
	// Calls receives a run of records of one thread: its own, or one of the kernel. It must call
	// [Walker.Enter], [Walker.Leave], [Walker.Lose] or [Walker.Event] for each.
	Calls(t *Task, recs []record.Record, ents []uftrace.Entry) error
	// Event receives an event that is not in a thread's own file. It must call [Walker.Event].
	Event(t *Task, r *record.Record) error
}

// Err returns the errors of streams that Each found, joined. Unreadable parts are also in
// [uftrace.Recording.Damage].
func (w *Walker) Err() error { return errors.Join(w.errs...) }

// Each reads the recording and passes it to v. Err returns the errors of reading. Each returns the
// error of v or of ctx; for [record.ErrStop] it returns nil.
func (w *Walker) Each(ctx context.Context, v Visitor) error {
	merged := w.rec.Merge(uftrace.MergeOptions{})
	defer merged.Close()
	return w.Read(ctx, merged, v)
}

// Read is [Walker.Each] for records from another source, such as the records of a slice.
func (w *Walker) Read(ctx context.Context, merged Source, v Visitor) error {
	w.source = merged
	for n := 0; ; n++ {
		if n&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		records, entries, err := merged.NextRun()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			w.errs = append(w.errs, err)
			continue
		}
		if len(records) == 0 {
			continue
		}
		if entries[0].Source == uftrace.User && uint(records[0].Stream) < uint(len(w.tasks)) {
			t := w.tasks[records[0].Stream]
			if err := v.Calls(t, records, entries); err != nil {
				return stopped(err)
			}
			w.saw(t, &records[len(records)-1], &entries[0])
			w.previous = t
			continue
		}
		for i := range records {
			t := w.byTID.find(records[i].Task)
			if entries[i].Source == uftrace.Extern {
				t = w.previous
			}
			if t != nil {
				w.previous = t
				if err := w.foreign(t, records[i:i+1], entries[i:i+1], v); err != nil {
					return stopped(err)
				}
			}
		}
	}
}

// stopped returns the result of a walk that an error has ended.
func stopped(err error) error {
	if errors.Is(err, record.ErrStop) {
		return nil
	}
	return err
}

// saw notes the last record of a thread.
func (w *Walker) saw(t *Task, r *record.Record, e *uftrace.Entry) {
	w.ends.see(t.Index, r, e)
	if w.stretch != nil {
		w.stretch.saw(t.Index, r, e)
	}
}

// foreign passes on a record of a perf or kernel file. A child of fork that is scheduled before it
// returns has no open calls, since events of perf files are recorded at depth 0.
func (w *Walker) foreign(t *Task, recs []record.Record, ents []uftrace.Entry, v Visitor) error {
	r, e := &recs[0], &ents[0]
	w.saw(t, r, e)
	if w.stretch != nil && !t.begun && IsSchedule(r.ID) {
		t.foresee(w.source, w.opts, r)
	}
	if IsSchedule(r.ID) {
		t.begun = true
	}
	if r.ID == TaskName && e.Source == uftrace.Perf {
		t.Comm = string(r.Data)
	}
	if e.Kind == uftrace.Event {
		return v.Event(t, r)
	}
	if e.Kind != uftrace.Lost && t.user > 0 { // calls of the kernel count within functions
		return v.Calls(t, recs, ents)
	}
	return nil
}

// Enter follows a call that begins, and returns its frame.
func (w *Walker) Enter(t *Task, r *record.Record, e *uftrace.Entry) *Frame {
	if t.unsynced {
		t.sync(r.Time, e)
	}
	t.user++
	n := len(t.Stack)
	if n == cap(t.Stack) && !t.room() {
		return &t.spare
	}
	t.Stack, t.leaf = t.Stack[:n+1], n // inlined push: calling it costs a tenth of the report
	f := &t.Stack[n]
	f.open(e.Addr, r.Time, e.Sym)
	if n > 0 {
		f.under(&t.Stack[n-1])
	}
	if k := w.jumps.of(e.Sym); k != ordinary {
		w.special(t, k)
	}
	return f
}

// Leave follows a call that ends, and returns its frame; see [Task.Stack] for a call that never
// began.
func (w *Walker) Leave(t *Task, r *record.Record, e *uftrace.Entry) *Frame {
	if t.unsynced {
		t.sync(r.Time, e)
	}
	if t.user > 0 {
		t.user--
	}
	f := t.pop(r.Time)
	if f.Event { // the thread did not come back
		t.doubt()
	}
	if !w.single && w.jumps.of(e.Sym) == setsJump {
		w.jumpsIn(t)
		w.jumps.slot = jumpSlot{frames: len(t.Stack) + 1, user: t.user + 1}
	}
	return f
}

// Lose notes that records of the thread are missing.
func (w *Walker) Lose(t *Task) {
	t.doubt()
	t.lost, t.unsynced = true, true
}

// sync finds the place in the calls for the first entry or exit of a thread, and for the first one
// after a loss.
func (t *Task) sync(time uint64, e *uftrace.Entry) {
	if t.lost {
		t.regain(time, e)
	} else if !t.begun {
		t.begin(time, e)
	}
	t.unsynced = false
}

// Event follows an event. The time off the processor is a frame. Event returns the frame that
// begins or has ended, or nil for other events. It also reports whether the options show the event.
func (w *Walker) Event(t *Task, r *record.Record) (f *Frame, shown bool) {
	t.ask()
	shown = w.opts.wants(t, r.ID)
	if w.single && IsSchedule(r.ID) {
		t.begun = true
	}
	if !t.begun && IsSchedule(r.ID) {
		t.doubt()
	}
	switch r.ID {
	case SchedOut, SchedOutPreempt:
		f = t.off(r, !shown)
	case SchedIn:
		shown = shown && !t.muted()
		if f = t.on(r); !shown {
			t.hid(f)
		}
	}
	return f, shown
}
