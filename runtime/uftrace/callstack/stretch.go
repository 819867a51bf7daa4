package callstack

import (
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Stretch is the result of following the calls in a slice of a recording without knowing which
// calls were open before it. Several goroutines can each follow a slice. The depth of the first
// call of a thread gives the number of open calls, even if an event of perf comes before it. They
// are assumed to be ordinary calls. The slice is assumed to contain only calls that nest, events,
// times off the processor, and ends of calls that began before.
//
// A stretch is made by a [Walker] or [Player] with Stretches. Another one, which knows the calls
// before it, continues at its end: Fits checks the assumptions, EndCall ends the calls that began
// before, Join sets the threads to their state at the end.
type Stretch struct {
	Ended []Ended // in order

	failed  bool
	names   []string // assumed names of threads, by Task.Index; if nil, the names of the recording
	touched []*Task  // the threads with calls in the stretch
	tasks   []stretched
	read    []lastRead // for a Walker
	first   uint64     // for a Player: the earliest time of a record
	last    uint64     // and the last time of a step; 0 if there is none
}

// threads is the state that a Walker and a Player share.
type threads struct {
	tasks   []*Task
	stretch *Stretch // nil if all calls are known
}

// Tasks returns the states of all threads, in the order of the recording. Record.Stream uses the
// same order.
func (x *threads) Tasks() []*Task { return x.tasks }

// Stretches makes a walker or player follow stretches. Calls before the first record read are
// unknown, and again after each call of Stretch. It must be called before anything is read, and
// only without filters: see [Plain]. A walker or player that continues may have Limits.Depth if no
// deeper calls are followed. Times of a Frame that is Assumed are unknown.
func (x *threads) Stretches() { x.stretch = newStretch(x.tasks) }

// Halt notes that the current records depend on earlier state in a way that a stretch does not
// record. The stretch will not fit.
func (x *threads) Halt() { x.stretch.failed = true }

// Halted reports whether Halt was called or such a dependency was found. The rest need not be
// followed. Without stretches it returns false.
func (x *threads) Halted() bool { return x.stretch != nil && x.stretch.failed }

// EndCall ends a call that began before a stretch that fits and ended in it: the next one of Ended.
// It returns nil for a time off the processor of a thread that had not been on a processor.
func (x *threads) EndCall(e *Ended) *Frame { return x.tasks[e.Task].end(e) }

// lastRead is the time of the last record of a thread.
type lastRead struct {
	task int
	time uint64
	perf bool
}

// Ended is the end of a call that began before the stretch, or of a time off the processor.
type Ended struct {
	Task   int    // Task.Index
	Time   uint64 // of the end, in ns
	Hidden bool   // no step shows it
	away   bool   // the call is assumed to be a time off the processor
	// child is the time of the calls below that ended in the stretch.
	child uint64
}

// stretched is the result for one thread.
type stretched struct {
	task int
	assumption
	frames       []Frame // open and former frames; of calls that began before, only Child is known
	open         int     // number of open frames
	user, depth  int
	last, before uint64
	name         string // Task.Comm, if renamed
}

// doubt marks the stretch, if there is one, as dependent on earlier state in a way that it does not
// record.
func (t *Task) doubt() {
	if s := t.stretch; s != nil {
		s.failed = true
		t.touch()
	}
}

// touch notes that the state of the thread must be cleared at the end of the stretch.
func (t *Task) touch() {
	if !t.touched {
		t.touched = true
		t.stretch.touched = append(t.stretch.touched, t)
	}
}

// Assumed reports whether a call began before the stretch that is followed. EndCall returns it with
// its times.
func (f *Frame) Assumed() bool { return f.flags&frameAssumed != 0 }

// newStretch makes threads follow stretches, one after the other.
func newStretch(tasks []*Task) *Stretch {
	s := &Stretch{}
	for _, t := range tasks {
		t.stretch = s
		t.forget()
	}
	return s
}

// forget prepares a thread for a new stretch.
func (t *Task) forget() {
	all := t.Stack[:cap(t.Stack)]
	for i := range all {
		all[i] = Frame{flags: frameAssumed, depth: t.limit}
	}
	t.Stack, t.Depth, t.Last, t.Before, t.Comm = all[:0], 0, 0, 0, t.stretch.nameOf(t)
	state := unseen()
	state.parent, state.stretch = t.parent, t.stretch
	state.limit, state.left = t.limit, t.limit
	t.taskState = state
}

// end returns the stretch followed since the last call, and clears it from the threads.
func (s *Stretch) end() *Stretch {
	made := &Stretch{Ended: s.Ended, read: s.read, failed: s.failed, names: s.names}
	for _, t := range s.touched {
		all := t.Stack[:cap(t.Stack)]
		top := len(all)
		for top > len(t.Stack) && all[top-1].Assumed() {
			top--
		}
		if !s.failed {
			made.tasks = append(made.tasks, stretched{t.Index, t.assumption, slices.Clone(all[:top]), len(t.Stack),
				t.user, t.Depth, t.Last, t.Before, t.Comm})
		}
		t.forget()
	}
	*s = Stretch{touched: s.touched[:0], names: s.names}
	return made
}

// saw notes the last record of a thread.
func (s *Stretch) saw(task int, r *record.Record, e *uftrace.Entry) {
	last := lastRead{task, r.Time, e.Source == uftrace.Perf}
	if n := len(s.read); n > 0 && s.read[n-1].task == task {
		s.read[n-1] = last
		return
	}
	s.read = append(s.read, last)
}

// later reports whether a thread begins after the first record in the stretch, unless it has begun
// before the stretch.
func (p *stretched) later() bool {
	e := &p.assumption.first
	return e.Kind == uftrace.Event && !IsSchedule(uint32(e.Addr))
}

// fits reports whether a thread is in the state that the stretch assumes. Calls that were open when
// it began are not counted in Task.user. If fresh is set and the thread is assumed to be off its
// processor, it may also have had no processor yet, and be outside of functions.
func (p *stretched) fits(t *Task, fresh bool) bool {
	if !p.known {
		return true
	}
	open := p.calls
	if p.away {
		open++
	}
	if len(t.Stack) != open && !(fresh && p.away && p.calls == 0 && len(t.Stack) == 0) || t.over > 0 {
		return false
	}
	if away := len(t.Stack) > p.calls; away && !t.Stack[p.calls].Event {
		return false
	}
	unseen := p.calls - t.user
	return p.asked == 0 || unseen >= 0 && unseen < p.asked
}

// end ends a call that ended in a stretch.
func (t *Task) end(e *Ended) *Frame {
	if e.away && len(t.Stack) == 0 {
		return nil
	}
	t.Stack[len(t.Stack)-1].Child += e.child
	return t.pop(e.Time)
}

// join advances threads to the end of the stretch.
func (s *Stretch) join(tasks []*Task) {
	for i := range s.tasks {
		p := &s.tasks[i]
		tasks[p.task].follow(p)
	}
}

// nameOf returns the name that a thread is assumed to have.
func (s *Stretch) nameOf(t *Task) string {
	if s.names == nil {
		return t.Task.Comm
	}
	return s.names[t.Index]
}

// Names returns the current names of threads, by Task.Index.
func (x *threads) Names() []string {
	names := make([]string, len(x.tasks))
	for i, t := range x.tasks {
		names[i] = t.Comm
	}
	return names
}

// Suppose sets the names that stretches assume for threads, as returned by Names. By default, they
// are the names at the start of the recording. It must be called between stretches.
func (x *threads) Suppose(names []string) {
	x.stretch.names = names
	for _, t := range x.tasks {
		t.Comm = names[t.Index]
	}
}

// Named reports whether the threads of a stretch have the names that it assumes at its begin. Fits
// does not check that.
func (x *threads) Named(s *Stretch) bool {
	for i := range s.tasks {
		if t := x.tasks[s.tasks[i].task]; t.Comm != s.nameOf(t) {
			return false
		}
	}
	return true
}

// follow continues at the end of a stretch. The calls that began in it are put in their places,
// including ended calls, because they may reappear.
func (t *Task) follow(p *stretched) {
	if p.renamed {
		t.Comm = p.name
	}
	if !p.known {
		return
	}
	if n := len(p.frames); n > cap(t.Stack) {
		t.grow(n)
	}
	all := t.Stack[:cap(t.Stack)]
	for i := range p.frames {
		f := &p.frames[i]
		if !f.Assumed() {
			depth := all[i].depth
			if all[i] = *f; !f.called() { // by a time off the processor, which keeps the depth of the previous call
				all[i].depth = depth
			}
			if i > 0 {
				all[i].under(&all[i-1])
			}
		} else if i < p.open {
			all[i].Child += f.Child
		}
	}
	left := min(p.assumed, p.calls)
	t.Stack, t.Depth, t.user = all[:p.open], p.depth, max(t.user-(p.calls-left), 0)+p.user-left
	switch {
	case p.before != 0:
		t.Last, t.Before = p.last, p.before
	case p.last != 0:
		t.Last, t.Before = p.last, t.Last
	}
}
