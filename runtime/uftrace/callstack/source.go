package callstack

import (
	"errors"
	"fmt"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// New begins to play.
func New(rec *uftrace.Recording, opts Options) (*Player, error) {
	p, err := NewSource(rec, opts, nil)
	if err != nil {
		return nil, err
	}
	if rec.Follows() && (p.queues() || rec.Info().Features&uftrace.FeatEstimateReturn != 0) {
		return nil, fmt.Errorf("%s: filters on times, and exits that are estimated, need all of a recording: %w",
			rec.Name(), errors.ErrUnsupported)
	}
	merge := uftrace.MergeOptions{EarlyGaps: true}
	if rec.Info().Features&uftrace.FeatEstimateReturn != 0 && opts.Limits.Time == 0 {
		if merge.Wrap, err = p.corrected(); err != nil {
			return nil, err
		}
	} else if p.queues() || p.hidden != nil {
		merge.Wrap = p.Wrap
	}
	if p.filter.actions.all&doTime != 0 && len(rec.KernelFormats()) > 0 {
		if p.kernel, err = p.kernelLimits(); err != nil {
			return nil, err
		}
	}
	// The container cannot select times or functions: the depth of a call follows from all records
	// of its thread. It cannot select threads if other files have records, because these belong to
	// the thread of the previous record.
	if len(opts.Scope.TIDs) > 0 && rec.OnlyThreads() {
		merge.Tasks = opts.Scope.TIDs
		if !rec.Follows() && !p.window.early {
			// also of the other threads, see leavesOut; their damage does not matter
			p.window.first, _ = firstTime(rec, nil)
		}
	}
	if err := p.narrow(&merge); err != nil {
		return nil, err
	}
	p.in.source = rec.Merge(merge)
	return p, nil
}

// corrected returns Wrap for a recording whose exits were estimated. As in uftrace, only times of
// the calls that pass -C, -Z and -L count, but all times of time= triggers.
func (p *Player) corrected() (func(*uftrace.Task, uftrace.Reader) uftrace.Reader, error) {
	times, err := p.schedules()
	if err != nil {
		return nil, err
	}
	late := p.filter.actions.all&doTime != 0
	return func(t *uftrace.Task, r uftrace.Reader) uftrace.Reader {
		if !late {
			r = p.Wrap(t, r)
		}
		if t != nil {
			r = &estimate{Reader: r, times: times[p.byTID.find(t.TID).Index]}
		}
		if late {
			r = p.Wrap(t, r)
		}
		return r
	}, nil
}

// NewSource is New for records from another source, such as a single thread. Filters on times and
// sizes are left out, because they need a thread's records before the merge.
func NewSource(rec *uftrace.Recording, opts Options, src Source) (*Player, error) {
	p := &Player{threads: threads{tasks: newTasks(rec)}, rec: rec, opts: opts}
	p.in.source = src
	p.filter = newFilters(rec, &opts)
	p.prepare(p.tasks)
	if p.symbols = len(rec.Symbols()); !opts.Raw {
		p.jumps = newJumpTable(rec.Symbols())
	}
	var err error
	if p.window, err = newWindow(rec, &opts); err == nil && opts.Limits.Time > 0 {
		err = p.short.survey(rec, &p.byTID, opts.Limits.Time)
	}
	p.skimming = p.skims()
	p.hidden = p.newHidden()
	p.quick = (!p.filter.limited || p.filter.byPlace) && !p.window.on && (opts.Hooks.Watch == nil || opts.apart()) &&
		!opts.Kernel.Only
	return p, err
}

// prepare initializes new threads, and finds the parents of all threads.
func (p *Player) prepare(added []*Task) {
	p.byTID = newTIDTable(p.tasks)
	for _, t := range added {
		t.ignored = !p.opts.Scope.HasTask(t.TID)
		t.limit, t.left = p.filter.levels, p.filter.levels
	}
	for _, t := range p.tasks { // they may have appeared before their parents
		if t.PPID > 0 {
			t.parent = p.byTID.find(t.PPID)
		}
	}
}

// Wrap puts the filters on single calls before the records of a thread, or of a kernel file if t is
// nil. It is for callers that read the files themselves. New does it for the files it merges.
func (p *Player) Wrap(t *uftrace.Task, r uftrace.Reader) uftrace.Reader {
	if s, ok := r.(*uftrace.Stream); ok && p.hidden != nil && t != nil {
		p.hide(p.byTID.find(t.TID), s)
	}
	if !p.queues() {
		return r
	}
	if t == nil {
		return p.newQueue(nil, r)
	}
	return p.newQueue(p.byTID.find(t.TID), r)
}

// nextRun reads the next run. The record of the step stays valid.
func (p *Player) nextRun() error {
	p.in.keep(&p.step)
	if err := p.in.read(p.opts.Hooks.Idle); err != nil {
		return err
	}
	if n := len(p.rec.Symbols()); n != p.symbols {
		p.renew(n)
	}
	if in := &p.in; len(in.ents) > 0 && in.ents[0].Source == uftrace.User {
		tid := in.recs[0].Task
		if in.task = p.byTID.find(tid); in.task == nil {
			in.task = p.arrive(tid)
		}
		if in.task == nil { // impossible: threads with a file are tasks
			in.recs, in.ents = nil, nil
		}
		p.unskip(in.task)
	}
	return nil
}

// arrive adds a thread of a followed recording that did not exist when the player began.
func (p *Player) arrive(tid int32) *Task {
	known := p.rec.Task(tid)
	if known == nil {
		return nil
	}
	t := &Task{Task: known, Index: len(p.tasks), Comm: known.Comm, taskState: unseen()}
	p.tasks = append(p.tasks, t)
	p.prepare(p.tasks[t.Index:])
	return t
}

// renew finds the special functions among the new ones of a followed recording.
func (p *Player) renew(symbols int) {
	p.symbols = symbols
	if !p.opts.Raw {
		p.jumps.bySymbol = newJumpTable(p.rec.Symbols()).bySymbol
	}
	p.filter.actions = compile(p.rec, &p.opts.Functions)
}

// foreignTask returns the thread of a record of a kernel, perf or extern file, or nil if it is
// unknown. A line of extern.dat is shown with the thread of the previous record.
func (p *Player) foreignTask(r *record.Record, e *uftrace.Entry) *Task {
	if e.Source != uftrace.Extern {
		return p.byTID.find(r.Task)
	}
	if p.past.task != nil {
		return p.past.task
	}
	if len(p.tasks) > 0 {
		return p.tasks[0]
	}
	return nil
}
