package callstack

import (
	"errors"
	"fmt"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Source is the input of a player: runs of records of one stream, as record.Merger returns them.
type Source interface {
	NextRun() ([]record.Record, []uftrace.Entry, error)
}

// New begins to play.
func New(rec *uftrace.Recording, opts Options) (*Player, error) {
	p, err := NewSource(rec, opts, nil)
	if err != nil {
		return nil, err
	}
	if rec.Follows() && (p.queues() || rec.Info().Features&uftrace.FeatEstimateReturn != 0) {
		return nil, fmt.Errorf("%s: filters on times, and exits that are estimated, need all of a recording: %w", rec.Name(), errors.ErrUnsupported)
	}
	merge := uftrace.MergeOptions{NoExtern: opts.Events.None, EarlyGaps: true}
	if rec.Info().Features&uftrace.FeatEstimateReturn != 0 && opts.Limits.Time == 0 {
		times, err := p.schedules()
		if err != nil {
			return nil, err
		}
		merge.Wrap = func(t *uftrace.Task, r uftrace.Reader) uftrace.Reader {
			// As in uftrace, only times of the calls that pass -C, -Z and -L count; all times of
			// time= triggers do.
			early := p.actions.all&doTime == 0
			if early {
				r = p.Wrap(t, r)
			}
			if t != nil {
				r = &estimate{Reader: r, times: times[p.byTID.find(t.TID).Index]}
			}
			if early {
				return r
			}
			return p.Wrap(t, r)
		}
	} else if p.queues() {
		merge.Wrap = func(t *uftrace.Task, r uftrace.Reader) uftrace.Reader { return p.Wrap(t, r) }
	}
	// A time or a function cannot be selected in the container: the depth of a call follows from
	// all records of its thread. Threads cannot be selected there if other files have records.
	// These belong to the thread of the record before them.
	if len(opts.Scope.TIDs) > 0 && rec.OnlyThreads() {
		merge.Tasks = opts.Scope.TIDs
		if !rec.Follows() {
			p.first, _ = firstTime(rec) // also of the other threads, see leavesOut; damage of theirs does not matter
		}
	}
	if err := p.narrow(&merge); err != nil {
		return nil, err
	}
	p.source = rec.Merge(merge)
	return p, nil
}

// NewSource is New for records from another source, such as a single thread. Filters on times and
// sizes are left out. They need a thread's records before the merge.
func NewSource(rec *uftrace.Recording, opts Options, src Source) (*Player, error) {
	p := &Player{threads: threads{tasks: newTasks(rec)}, rec: rec, opts: opts, source: src}
	p.byTID = newTIDTable(p.tasks)
	for _, t := range p.tasks {
		t.ignored = !opts.Scope.HasTask(t.TID)
		if t.PPID > 0 {
			t.parent = p.byTID.find(t.PPID)
		}
	}
	if p.symbols = len(rec.Symbols()); !opts.Raw {
		p.jumps = newJumpTable(rec.Symbols())
	}
	p.prepareFilters()
	var err error
	p.ranged = opts.Scope.Range != (Range{})
	p.late = opts.Scope.Range.From != 0
	if p.span, p.first, err = opts.Scope.Range.resolve(rec); err == nil && opts.Limits.Time > 0 {
		err = p.surveyPerf()
	}
	p.skimming = p.skims()
	p.quick = (!p.limited || p.byPlace()) && !p.ranged && (opts.Hooks.Watch == nil || p.opts.apart()) && !opts.Kernel.Only
	if opts.Steps == Single {
		p.first = 0 // the first record that is read sets it
		if p.ranged && opts.Scope.PerfZero {
			p.first = p.firstPerf()
		}
	}
	return p, err
}

// Wrap puts the filters on single calls before the records of a thread, or of a kernel file if t is
// nil. It is for callers that read the files themselves. New does it for the files it merges.
func (p *Player) Wrap(t *uftrace.Task, r uftrace.Reader) uftrace.Reader {
	if !p.queues() {
		return r
	}
	if t == nil {
		return p.newQueue(nil, r)
	}
	return p.newQueue(p.byTID.find(t.TID), r)
}

// nextRun reads on. The record of the step stays valid.
func (p *Player) nextRun() error {
	s := &p.step
	if s.Record != nil && s.Record != &p.keptRec {
		p.keptRec = *s.Record
		p.keptEnt = *s.Entry
		p.keptData = append(p.keptData[:0], s.Record.Data...)
		p.keptRec.Data = p.keptData
		s.Record, s.Entry = &p.keptRec, &p.keptEnt
	}
	p.recs, p.ents, p.pos = nil, nil, 0
	if m, ok := p.source.(*record.Merger[uftrace.Entry]); ok && p.opts.Hooks.Idle != nil && !m.Ready() {
		p.opts.Hooks.Idle()
	}
	recs, ents, err := p.source.NextRun()
	if err != nil {
		return err
	}
	p.recs, p.ents = recs, ents
	if n := len(p.rec.Symbols()); n != p.symbols {
		p.renew(n)
	}
	if len(ents) > 0 && ents[0].Source == uftrace.User {
		p.runTask = p.byTID.find(recs[0].Task)
		if p.runTask == nil {
			p.runTask = p.arrive(recs[0].Task)
		}
		if p.runTask == nil { // cannot be: threads with a file are tasks
			p.recs, p.ents = nil, nil
		}
	}
	return nil
}

// arrive adds a thread that was not there when the player began, of a recording that is followed.
func (p *Player) arrive(tid int32) *Task {
	known := p.rec.Task(tid)
	if known == nil {
		return nil
	}
	t := &Task{Task: known, Index: len(p.tasks), Comm: known.Comm, taskState: taskState{unsynced: true}}
	t.ignored = !p.opts.Scope.HasTask(tid)
	t.limit = p.depthLimit()
	t.left = t.limit
	p.tasks = append(p.tasks, t)
	p.byTID = newTIDTable(p.tasks)
	for _, t := range p.tasks { // which may have come before their parents
		if t.PPID > 0 {
			t.parent = p.byTID.find(t.PPID)
		}
	}
	return t
}

// renew finds the special functions among those that have joined a recording that is followed.
func (p *Player) renew(symbols int) {
	p.symbols = symbols
	if !p.opts.Raw {
		p.jumps.bySymbol = newJumpTable(p.rec.Symbols()).bySymbol
	}
	p.actions = compile(p.rec, &p.opts.Functions)
}

// foreignTask is the thread that a record of a kernel, perf or extern file belongs to; nil when it
// is unknown. A line of extern.dat is shown with the thread of the record before it.
func (p *Player) foreignTask(r *record.Record, e *uftrace.Entry) *Task {
	if e.Source != uftrace.Extern {
		return p.byTID.find(r.Task)
	}
	if p.lastTask != nil {
		return p.lastTask
	}
	if len(p.tasks) > 0 {
		return p.tasks[0]
	}
	return nil
}
