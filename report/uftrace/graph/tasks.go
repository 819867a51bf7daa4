package graph

import (
	"context"
	"io"

	"github.com/tracec/tracec/report/uftrace/stacks"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// life is a thread or a process in the tree of --task.
type life struct {
	task   *uftrace.Task
	comm   string
	first  uint64 // time of the first record that is shown; 0: none is
	last   uint64
	off    uint64 // off the processor
	out    uint64 // when it left it; 0: it is on
	kids   []*life
	parent *life
}

func (l *life) isProcess() bool { return l.task.TID == l.task.PID }

func (l *life) total() uint64 {
	if l.last < l.first {
		return 0
	}
	return l.last - l.first
}

func (l *life) self() uint64 {
	if t := l.total(); t > l.off {
		return t - l.off
	}
	return 0
}

// runTasks prints the tree of processes and threads. A time filter hides those that lived shorter, and not their
// calls; calls to libraries always count.
func runTasks(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	fields, err := chooseTaskFields(opts)
	if err != nil {
		return err
	}
	lives, err := live(ctx, rec, opts)
	if err != nil {
		return err
	}
	p := &taskPrinter{fields: fields, colors: opts.Color, shortest: opts.Play.Time}
	p.out = append(p.out, "========== TASK GRAPH ==========\n"...)
	p.titles()
	for _, t := range rec.Threads() {
		if t.File == "" { // it called nothing, but threads below it may have
			lives = append(lives, &life{task: t, comm: t.Comm})
		}
	}
	for _, l := range plant(rec, lives) {
		p.tree(l)
	}
	p.out = append(p.out, '\n')
	_, err = w.Write(p.out)
	return err
}

// live finds how long the threads lived, in the order of Recording.Tasks.
func live(ctx context.Context, rec *uftrace.Recording, opts *Options) ([]*life, error) {
	lives := make([]*life, len(rec.Tasks()))
	for i, t := range rec.Tasks() {
		lives[i] = &life{task: t, comm: t.Comm}
	}
	played := opts.Play
	played.Time, played.NoLibcall, played.Single = 0, false, played.Range == (callstack.Range{})
	if stacks.Plain(rec, &played) {
		ts := stacks.New(rec)
		err := ts.Each(ctx, rec, &watcher{lives, &played, stacks.NewSpecials(rec.Symbols())})
		for i := range ts.List {
			lives[i].comm = ts.List[i].Comm
		}
		return lives, err
	}
	return lives, watch(ctx, rec, played, lives)
}

// see notes that a record is shown.
func (l *life) see(time uint64) {
	l.last = time
	if l.first == 0 {
		l.first = time
	}
}

// schedule notes that a schedule event is shown.
func (l *life) schedule(id uint32, time uint64) {
	if id != callstack.SchedIn {
		l.out = time
	} else if l.out != 0 {
		l.off += time - l.out
		l.out = 0
	}
}

// watcher follows the threads of everything that was recorded.
type watcher struct {
	lives    []*life
	opts     *callstack.Options
	specials *stacks.Specials
}

// Calls implements stacks.Visitor.
func (w *watcher) Calls(t *stacks.Thread, recs []record.Record, ents []uftrace.Entry) {
	l := w.lives[t.Index]
	for i := range recs {
		r, e := &recs[i], &ents[i]
		if t.Unsettled {
			t.Settle(r, e)
		}
		switch e.Kind {
		case uftrace.Enter:
			t.Push(e.Addr, r.Time, e.Sym)
			w.specials.Entered(t, e.Sym)
			l.see(r.Time)
		case uftrace.Leave:
			t.Pop(r.Time)
			w.specials.Left(t, e.Sym)
			l.see(r.Time)
		case uftrace.Lost:
			t.Lose()
		case uftrace.Event:
			w.Event(t, r)
		}
	}
}

// Event implements stacks.Visitor.
func (w *watcher) Event(t *stacks.Thread, r *record.Record) {
	shown := t.ShowsEvent(w.opts, r.ID)
	switch r.ID {
	case callstack.SchedOut, callstack.SchedOutPreempt:
		t.Off(r, shown)
	case callstack.SchedIn:
		shown = t.ShowsOn(w.opts, t.On(r))
	}
	if !shown {
		return
	}
	l := w.lives[t.Index]
	l.see(r.Time)
	if stacks.IsSchedule(r.ID) {
		l.schedule(r.ID, r.Time)
	}
}

// watch follows the threads of what the player shows.
func watch(ctx context.Context, rec *uftrace.Recording, opts callstack.Options, lives []*life) error {
	p, err := callstack.New(rec, opts)
	if err != nil {
		return err
	}
	err = p.Each(ctx, func(s *callstack.Step) {
		if s.Entry.Kind == uftrace.Lost || s.Entry.Source == uftrace.Extern {
			return
		}
		l := lives[s.Task.Index]
		l.see(s.Record.Time)
		if s.Entry.Kind == uftrace.Event && stacks.IsSchedule(s.Record.ID) {
			l.schedule(s.Record.ID, s.Record.Time)
		}
	})
	if err != nil {
		return err
	}
	for i, t := range p.Tasks() {
		lives[i].comm = t.Comm
	}
	return nil
}

// plant makes the tree: threads below the first thread of their process, processes below the one that forked them, in
// the order in which the recording names them. It returns the roots.
func plant(rec *uftrace.Recording, lives []*life) []*life {
	byTID := make(map[int32]*life, len(lives))
	order := make([]*life, 0, len(lives))
	for _, l := range lives {
		byTID[l.task.TID] = l
	}
	seen := make(map[*life]bool, len(lives))
	add := func(l *life) {
		if l != nil && !seen[l] {
			seen[l] = true
			order = append(order, l)
		}
	}
	for _, e := range rec.TaskEvents() {
		switch e.Type {
		case "TASK":
			add(byTID[e.TID])
		case "FORK":
			add(byTID[e.PID])
		}
	}
	for _, l := range lives {
		add(l)
	}
	var roots []*life
	for _, l := range order {
		parent := l.task.PPID
		if !l.isProcess() {
			parent = l.task.PID
		}
		if up := byTID[parent]; up != nil && up != l && !up.below(l) {
			l.parent = up
			up.kids = append(up.kids, l)
		} else {
			roots = append(roots, l)
		}
	}
	return roots
}

// below says whether a life descends from another one, which damaged recordings may ask for in a circle.
func (l *life) below(other *life) bool {
	for ; l != nil; l = l.parent {
		if l == other {
			return true
		}
	}
	return false
}
