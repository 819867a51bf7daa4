package tables

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
	"github.com/tracec/tracec/runtime/record"
)

// A Walk reads a recording once for several tables. It is for one goroutine.
//
//	w := tables.NewWalk(rec)
//	tables.ThreadState.Collect(w, func(row *tables.State) bool { … })
//	tables.Syscalls.Collect(w, func(row *tables.Syscall) bool { … })
//	err := w.Run(ctx)
type Walk struct {
	open       Open
	recording  string                                   // its name
	machine    record.Machine                           // the recorded machine
	strings    func(addr uint64) (text string, ok bool) // texts of its kernel; may be nil
	described  []name
	hooks      bool      // the recording is from AIX
	templates  templates // types of its hooks
	off        bool      // trace is switched off
	unplaced   bool      // some events have no processor
	collectors []collector
	patterns   []string
	alone      []func(ctx context.Context) error // tables that read the recording on their own

	threads threads
	rules   [][]rule // by Type.Number
	extent  Extent
	notes   []string
	stop    bool

	explained []Explained
}

// name is ftrace's name of an event that the recording describes.
type name struct {
	system, name string
	own          string // system:name in the recording, if that differs
}

// A rule handles the events of a type.
type rule func(ev *tracec.Event)

// A collector makes rows from events.
type collector interface {
	// rule returns the function for events of a type, or nil.
	rule(t *tracec.Type) rule
	// lost is called before an event after losses. cpu is the processor that lost events, or -1.
	lost(cpu int32, time uint64)
	// ended is called after the end of a thread. Another thread may then have its Index.
	ended(th *Thread, time uint64)
	// end is called at the end of the recording.
	end(time uint64)
}

// Extent is the part of a recording that a walk has read, according to the events of its tables.
type Extent struct {
	First, Last uint64 // times
	Events      int64
	Losses      int64 // number of places where events were lost
	Lost        int64 // number of events lost there, as far as known
	LostUnknown bool  // the number is unknown for some places
}

// see counts an event.
func (e *Extent) see(time uint64) {
	if e.Events == 0 {
		e.First = time
	}
	e.Events++
	e.Last = max(e.Last, time)
}

// Open returns a reader of a recording. A walk adds its options.
type Open func(ctx context.Context, opts ...tracec.Option) (*tracec.Reader, error)

// NewWalk returns a walk over the events that options select. The options may select processors and
// a window of time. A row that began before the window has no known begin. Do not select threads or
// events: rows need events of other threads.
func NewWalk(rec *tracec.Recording, opts ...tracec.Option) *Walk {
	return WalkOf(func(ctx context.Context, more ...tracec.Option) (*tracec.Reader, error) {
		return rec.Reader(ctx, append(slices.Clone(opts), more...)...)
	})
}

// WalkOf is NewWalk with a function that opens readers.
func WalkOf(open Open) *Walk { return &Walk{open: open} }

// add adds a collector. need lists the events of which at least one must be described, otherwise
// there are no rows. For a recording of AIX, all hooks must be described instead.
func (w *Walk) add(table string, c collector, need, also []string, hooks []hook) error {
	if w.described == nil {
		if err := w.describe(); err != nil {
			return err
		}
	}
	missing := w.lacks(hooks)
	switch {
	case w.hooks && len(hooks) > 0 && len(missing) == 0:
		w.follow(patternsOf(modeHooks))
		w.follow(breakHooks)
	case w.hooks || !w.selects(need):
		return &MissingError{Recording: w.recording, Table: table, Events: need, Hooks: missing}
	default:
		w.selects(also)
	}
	w.collectors = append(w.collectors, c)
	return nil
}

// A MissingError reports that a recording lacks the events of a table.
type MissingError struct {
	Recording, Table string
	Events           []string // at least one of them is needed; they may be patterns
	// Hooks are the hooks of AIX without a template or a required field. It is empty for other
	// recordings, and if the table does not use hooks.
	Hooks []string
}

func (e *MissingError) Error() string {
	if len(e.Hooks) > 0 {
		return fmt.Sprintf("%s: the table %s needs templates (-t) of hooks: %s", e.Recording, e.Table,
			strings.Join(e.Hooks, ", "))
	}
	list := e.Events
	if len(list) > maxNamed {
		list = nil
		for _, name := range e.Events {
			if system, _, _ := strings.Cut(name, ":"); system != "" {
				name = system + ":*"
			}
			list = append(list, strings.TrimPrefix(name, ":"))
		}
		slices.Sort(list)
		list = slices.Compact(list)
	}
	return fmt.Sprintf("%s has no events for the table %s, which needs %s", e.Recording, e.Table,
		strings.Join(list, " or "))
}

// maxNamed is the maximum number of events that a MissingError names. If there are more, it names
// their systems.
const maxNamed = 6

// describe lists the events of the recording.
func (w *Walk) describe() error {
	r, err := w.open(context.Background())
	if err != nil {
		return err
	}
	w.recording, w.machine, w.described = r.Recording().Name(), r.Recording().Machine(), []name{}
	if rec, ok := r.Recording().(interface{ Printk(uint64) (string, bool) }); ok {
		w.strings = rec.Printk
	}
	r.Names(func(system, event, alias string) {
		if w.hooks = w.hooks || system == "aix"; w.hooks { // all possible hooks
			return
		}
		if alias != "" {
			event = alias
		}
		n := name{system: system, name: event}
		var other bool
		if n.system, n.name, other = kernel.Title(system, event); other {
			n.own = system + ":" + event
		}
		w.described = append(w.described, n)
	})
	if w.hooks {
		return w.describeHooks()
	}
	return nil
}

// selects selects the events of patterns, which are system:name with at most a * at the end. It
// reports whether there are any.
func (w *Walk) selects(patterns []string) bool {
	any := false
	for _, p := range patterns {
		for _, n := range w.described {
			if !n.matches(p) {
				continue
			}
			if any = true; n.own != "" {
				w.follow([]string{n.own})
			} else {
				w.follow([]string{p})
			}
		}
	}
	return any
}

// follow selects the events of patterns.
func (w *Walk) follow(patterns []string) {
	for _, p := range patterns {
		if !slices.Contains(w.patterns, p) {
			w.patterns = append(w.patterns, p)
		}
	}
}

// has reports whether the recording describes an event that a pattern matches.
func (w *Walk) has(pattern string) bool {
	return slices.ContainsFunc(w.described, func(n name) bool { return n.matches(pattern) })
}

func (n *name) matches(pattern string) bool {
	system, event, _ := strings.Cut(pattern, ":")
	prefix, glob := strings.CutSuffix(event, "*")
	return n.system == system && (n.name == event || glob && strings.HasPrefix(n.name, prefix))
}

// Run reads the recording once. Unreadable parts are in the recording's Damage.
func (w *Walk) Run(ctx context.Context) error {
	if len(w.collectors) > 0 {
		if err := w.together(ctx); err != nil || w.stop {
			return err
		}
	}
	for _, run := range w.alone {
		w.threads = threads{}
		if err := run(ctx); err != nil || w.stop {
			return err
		}
	}
	return nil
}

// lossEvents are records of losses. A perf.data stream is a file with the events of all processors.
// So the next event after a loss may be from another processor.
var lossEvents = []string{":PERF_RECORD_LOST"}

// together reads the recording once for all collectors.
func (w *Walk) together(ctx context.Context) error {
	w.selects(lifetimeEvents)
	w.selects(lossEvents)
	r, err := w.open(ctx, tracec.WithEvents(w.patterns...), tracec.WithThreads())
	if err != nil {
		return err
	}
	for ev := range r.All() {
		if w.event(ev); w.stop {
			return r.Err()
		}
	}
	for _, c := range w.collectors {
		c.end(w.extent.Last)
	}
	return r.Err()
}

// event passes an event to the collectors.
func (w *Walk) event(ev *tracec.Event) {
	w.extent.see(ev.Time)
	if ev.Lost != 0 {
		cpu := ev.CPU
		if w.hooks { // processors may share a buffer
			cpu = -1
		}
		w.lose(ev.Lost, cpu, ev.Time)
	}
	n := ev.Type.Number
	if n >= len(w.rules) || w.rules[n] == nil {
		w.learn(ev.Type)
	}
	for _, do := range w.rules[n] {
		do(ev)
	}
}

// lose reports to the collectors that n events were lost before a time on a processor, or on all if
// cpu is -1.
func (w *Walk) lose(n int64, cpu int32, time uint64) {
	w.extent.lose(n)
	for _, c := range w.collectors {
		c.lost(cpu, time)
	}
}

// lose counts a place where events were lost.
func (e *Extent) lose(n int64) {
	e.Losses++
	if n == record.LostUnknown {
		e.LostUnknown = true
		return
	}
	e.Lost += n
}

// learn asks the collectors for their rules for a type.
func (w *Walk) learn(t *tracec.Type) {
	for len(w.rules) <= t.Number {
		w.rules = append(w.rules, nil)
	}
	rules := []rule{}
	for _, do := range []rule{w.birth(t), w.breaks(t)} {
		if do != nil {
			rules = append(rules, do)
		}
	}
	for _, c := range w.collectors {
		if do := c.rule(t); do != nil {
			rules = append(rules, do)
		}
	}
	if do := w.death(t); do != nil {
		rules = append(rules, do)
	}
	w.rules[t.Number] = rules
}

// Extent returns the part that the walk has read so far.
func (w *Walk) Extent() Extent { return w.extent }

// Notes returns messages about events that the recording lacks for the tables.
func (w *Walk) Notes() []string { return w.notes }

// note adds a note once.
func (w *Walk) note(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(w.notes, s) {
		w.notes = append(w.notes, s)
	}
}

// current returns the thread of an event, or nil. It updates the thread's name and process.
func (w *Walk) current(ev *tracec.Event) *Thread {
	th := w.threads.at(ev.Task, ev.CPU)
	if th == nil {
		return nil
	}
	if th.Name == "" || th.inherited {
		if comm := ev.Comm(); comm != "" {
			th.Name = comm
		}
		th.inherited = false
	}
	if th.PID < 0 {
		if pid := ev.Process(); pid >= 0 {
			th.PID = pid
			if th.main = th; !w.hooks { // AIX only has names of processes
				th.main = w.threads.at(pid, ev.CPU)
			}
		}
	}
	return th
}

// thread returns the thread whose id is in a field of an event, or nil.
func (w *Walk) thread(ev *tracec.Event, field int) *Thread {
	bits, ok := ev.Bits(field)
	if !ok {
		return nil
	}
	return w.threads.at(int32(bits), ev.CPU)
}
