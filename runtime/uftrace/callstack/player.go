package callstack

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Player plays one recording, once. It looks one shown record ahead, so that an Enter knows whether its exit
// follows. It is not safe for several goroutines.
type Player struct {
	threads
	rec    *uftrace.Recording
	opts   Options
	source Source
	// recs[pos:] and ents[pos:] are what is left of the run; runTask is the thread of a run of User records.
	recs    []record.Record
	ents    []uftrace.Entry
	pos     int
	runTask *Task

	byTID tidTable
	first uint64 // time that elapsed times count from

	// ahead says that recs[pos] is known to be shown: it belongs to aheadTask, and was not applied yet.
	ahead     bool
	peeking   bool // what is read now is read for the sake of Step.Open
	aheadTask *Task
	follows   bool      // it ends what the step begins
	leaf      int       // place of the step's call in the stack of its thread
	next      admission // of that record, when it is an Enter and there are filters

	quick    bool // stepQuickly may be asked
	skimming bool // skim may be
	limited  bool // there are filters
	actions  actions
	inside   bool // functions outside of those with doFilter are hidden
	off      bool // trace_off
	asleep   bool // and it was never on
	located  bool // functions without doLoc are hidden
	callers  bool // only functions that lead to one with doCaller are shown
	short    shortSchedules
	any      bool
	ranged   bool // only records in the span are played
	span     span

	step Step
	// kept* hold the record of the step while the next run is read.
	keptRec  record.Record
	keptEnt  uftrace.Entry
	keptData []byte

	symbols  int // of the recording, when what follows was made of them
	jumps    jumpTable
	strays   bool   // the step is an Enter of exec or longjmp
	lastTask *Task  // of the record before
	lastTime uint64 // of the record before, not counting what was read ahead
	prior    prior
	end      error
	err      error // of All
}

// Source is what a player reads: runs of records of one stream, as record.Merger gives them.
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
	merge := uftrace.MergeOptions{NoExtern: opts.NoEvent, EarlyGaps: true}
	if rec.Info().Features&uftrace.FeatEstimateReturn != 0 && opts.Time == 0 {
		times, err := p.schedules()
		if err != nil {
			return nil, err
		}
		merge.Wrap = func(t *uftrace.Task, r uftrace.Reader) uftrace.Reader {
			// As in uftrace, only times of the calls that pass -C, -Z and -L count; those of time= triggers all do.
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
	// A time or a function cannot be chosen below: the depth of a call follows from all records of its thread. Nor can threads where other files
	// have records, which belong to the thread of the record before them.
	if len(opts.TIDs) > 0 && rec.OnlyThreads() {
		merge.Tasks = opts.TIDs
	}
	p.source = rec.Merge(merge)
	return p, nil
}

// NewSource is New for records that come from elsewhere, such as a single thread. Filters on times and sizes, which
// need a thread's records before the merge, are left out.
func NewSource(rec *uftrace.Recording, opts Options, src Source) (*Player, error) {
	p := &Player{threads: threads{tasks: newTasks(rec)}, rec: rec, opts: opts, source: src}
	p.byTID = newTIDTable(p.tasks)
	for _, t := range p.tasks {
		t.ignored = len(opts.TIDs) > 0 && !slices.Contains(opts.TIDs, t.TID)
		if t.PPID > 0 {
			t.parent = p.byTID.find(t.PPID)
		}
	}
	if p.symbols = len(rec.Symbols()); !opts.Raw {
		p.jumps = newJumpTable(rec.Symbols())
	}
	p.prepareFilters()
	var err error
	p.ranged = opts.Range != (Range{})
	if p.span, p.first, err = opts.Range.resolve(rec); err == nil && opts.Time > 0 {
		err = p.surveyPerf()
	}
	p.skimming = p.skims()
	p.quick = (!p.limited || p.byDepth()) && !p.ranged && opts.Watch == nil && !opts.KernelOnly
	if opts.Single {
		p.first = 0 // the first record that is read sets it
		if p.ranged && opts.EarlyZero {
			p.first = p.firstPerf()
		}
	}
	return p, err
}

// Wrap puts the filters on single calls before the records of a thread, or of a kernel file when t is nil. It is for
// those who read the files themselves; New does it for what it merges.
func (p *Player) Wrap(t *uftrace.Task, r uftrace.Reader) uftrace.Reader {
	if !p.queues() {
		return r
	}
	if t == nil {
		return p.newQueue(nil, r)
	}
	return p.newQueue(p.byTID.find(t.TID), r)
}

// Any reports whether a record was played, shown or not.
func (p *Player) Any() bool { return p.any }

// First is the time that elapsed times count from: 0 before the first record.
func (p *Player) First() uint64 { return p.first }

// Next returns the next thing to show, io.EOF after the last. Any other error comes from a stream, which is left out
// from then on; the next call goes on with the others.
func (p *Player) Next() (*Step, error) {
	if p.quick && p.stepQuickly() {
		return &p.step, nil
	}
	follows := p.follows
	p.follows = false
	if !p.ahead {
		if err := p.advance(false); err != nil {
			return nil, err
		}
	}
	p.ahead = false
	s := &p.step
	r, e, t := &p.recs[p.pos], &p.ents[p.pos], p.aheadTask
	p.pos++
	p.lastTask = t
	*s = Step{Record: r, Entry: e, Task: t}
	p.prior = prior{t.Before, t.Last, p.lastTime}
	if !follows && e.Kind != uftrace.Lost {
		t.Before, t.Last = t.Last, r.Time
		s.Inverted = r.Time < p.lastTime
		p.lastTime = r.Time
	}
	switch e.Kind {
	case uftrace.Enter:
		p.applyEnter(s)
		s.Open = p.strays || !p.endsNext(t, uftrace.Leave)
		t.leaf = p.leaf // hidden calls may have been read
	case uftrace.Leave:
		p.applyLeave(s)
		if n := p.leaf; follows && n < len(t.Stack) {
			s.Total = t.Stack[n].Total
		}
	case uftrace.Lost:
		t.applyLost(s)
	default:
		p.applyEvent(s)
	}
	s.Depth = min(s.Depth, maxShown)
	return s, nil
}

// endsNext reports whether the next thing to show ends what the step began.
func (p *Player) endsNext(t *Task, kind uftrace.Kind) bool {
	if p.apart() {
		return false
	}
	if err := p.advance(true); err != nil {
		p.end = err // for the next call
		return false
	}
	if !p.ahead { // advance stopped
		e := &p.ents[p.pos]
		p.follows = kind == uftrace.Leave && e.Kind == kind && !p.off && e.Source == p.step.Entry.Source && e.Depth == p.step.Entry.Depth
		p.ahead, p.aheadTask = p.follows, t
		return p.follows
	}
	if p.aheadTask != t {
		return false
	}
	switch e := &p.ents[p.pos]; {
	case e.Kind != kind:
	case kind == uftrace.Event:
		p.follows = p.recs[p.pos].ID == SchedIn
	default:
		p.follows = e.Depth == p.step.Entry.Depth
	}
	return p.follows
}

// advance finds the next record that is shown and leaves it at p.pos. What is not shown is applied on the way. When it
// looks ahead of a step it also stops, without finding one, at what uftrace does not pass there.
func (p *Player) advance(peek bool) error {
	p.peeking = peek
	if err := p.end; err != nil {
		if !errors.Is(err, io.EOF) {
			p.end = nil
		}
		return err
	}
	for {
		if p.pos == len(p.recs) {
			if err := p.nextRun(); err != nil {
				return err
			}
		}
		if p.skimming {
			if p.skim(p.runTask, peek); p.pos == len(p.recs) {
				continue
			}
		}
		r, e := &p.recs[p.pos], &p.ents[p.pos]
		t := p.runTask
		if e.Source != uftrace.User {
			t = p.foreignTask(r, e)
		}
		if t == nil || t.ignored || p.opts.KernelOnly && e.Source == uftrace.User {
			p.pos++
			continue
		}
		if p.ranged && p.outside(t, r, e) {
			p.pos++
			continue
		}
		if p.opts.Watch != nil {
			p.opts.Watch(t.Index, r, e)
		}
		p.any = true
		if peek && p.stops(t, r, e) {
			return nil
		}
		counts := !peek && p.counts(t, r, e)
		if p.admit(t, r, e) {
			p.ahead, p.aheadTask = true, t
			return nil
		}
		if counts {
			t.Before, t.Last = t.Last, r.Time
			p.lastTime = r.Time
		}
		p.lastTask = t
		p.pos++
	}
}

// counts reports whether a record that is not shown counts for the column of differences.
func (p *Player) counts(t *Task, r *record.Record, e *uftrace.Entry) bool {
	switch e.Kind {
	case uftrace.Lost:
		return false
	case uftrace.Event:
		return p.wantsEvent(t, r)
	}
	return !p.libcall(e)
}

// nextRun reads on. The record of the step stays valid.
func (p *Player) nextRun() error {
	s := &p.step
	if s.Record != nil && s.Record != &p.keptRec {
		p.keptRec, p.keptEnt = *s.Record, *s.Entry
		p.keptData = append(p.keptData[:0], s.Record.Data...)
		p.keptRec.Data = p.keptData
		s.Record, s.Entry = &p.keptRec, &p.keptEnt
	}
	p.recs, p.ents, p.pos = nil, nil, 0
	if m, ok := p.source.(*record.Merger[uftrace.Entry]); ok && p.opts.Idle != nil && !m.Ready() {
		p.opts.Idle()
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
	t.ignored = len(p.opts.TIDs) > 0 && !slices.Contains(p.opts.TIDs, tid)
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

// renew finds out what is special about functions that have joined a recording that is followed.
func (p *Player) renew(symbols int) {
	p.symbols = symbols
	if !p.opts.Raw {
		p.jumps.bySymbol = newJumpTable(p.rec.Symbols()).bySymbol
	}
	p.actions = compile(p.rec, &p.opts)
}

// foreignTask is the thread that a record of a kernel, perf or extern file belongs to; nil when it is unknown.
// A line of extern.dat is shown with the thread of the record before it.
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
