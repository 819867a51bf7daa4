package graph

import (
	"context"
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// life is a thread or a process in the tree of --task.
type life struct {
	task   *uftrace.Task
	comm   string
	first  uint64 // time of the first shown record; 0 without one
	last   uint64
	off    uint64 // time off the processor
	out    uint64 // time of leaving the processor; 0 while on it
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

// runTasks prints the tree of processes and threads. A time filter hides threads that lived
// shorter, but not calls. Calls to libraries always count.
func runTasks(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	fields, err := chooseTaskFields(opts)
	if err != nil {
		return err
	}
	lives, err := live(ctx, rec, opts)
	if err != nil {
		return err
	}
	p := &taskPrinter{fields: fields, colors: opts.Color, shortest: opts.Play.Limits.Time}
	p.out = append(p.out, "========== TASK GRAPH ==========\n"...)
	p.titles()
	for _, t := range rec.Threads() {
		if t.File == "" { // a thread without calls, but threads below it may have calls
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

// live measures the lives of the threads, in the order of Recording.Tasks.
func live(ctx context.Context, rec *uftrace.Recording, opts *Options) ([]*life, error) {
	lives := make([]*life, len(rec.Tasks()))
	for i, t := range rec.Tasks() {
		lives[i] = &life{task: t, comm: t.Comm}
	}
	played := opts.Play
	played.Limits.Time, played.Functions.NoLibcall = 0, false
	played.Steps, played.Scope.Ahead = callstack.Single, played.Scope.Range != (callstack.Range{})
	if callstack.Plain(rec, &played) {
		w := &watcher{lives, callstack.NewWalker(rec, &played)}
		err := w.walker.Each(ctx, w)
		named(lives, w.walker.Tasks())
		return lives, err
	}
	return lives, watch(ctx, rec, played, lives)
}

// named sets the last names of the threads.
func named(lives []*life, tasks []*callstack.Task) {
	for i, t := range tasks {
		lives[i].comm = t.Comm
	}
}

// see notes a selected record.
func (l *life) see(time uint64) {
	l.last = time
	if l.first == 0 {
		l.first = time
	}
}

// event notes a selected event.
func (l *life) event(r *record.Record) {
	l.see(r.Time)
	if !callstack.IsSchedule(r.ID) {
		return
	}
	if r.ID != callstack.SchedIn {
		l.out = r.Time
	} else if l.out != 0 {
		l.off += r.Time - l.out
		l.out = 0
	}
}

// watcher follows the threads of all records.
type watcher struct {
	lives  []*life
	walker *callstack.Walker
}

// Calls implements callstack.Visitor.
func (w *watcher) Calls(t *callstack.Task, recs []record.Record, ents []uftrace.Entry) error {
	l := w.lives[t.Index]
	for i := range recs {
		r, e := &recs[i], &ents[i]
		switch e.Kind {
		case uftrace.Enter:
			w.walker.Enter(t, r, e)
			l.see(r.Time)
		case uftrace.Leave:
			w.walker.Leave(t, r, e)
			l.see(r.Time)
		case uftrace.Lost:
			w.walker.Lose(t)
		case uftrace.Event:
			w.Event(t, r)
		}
	}
	return nil
}

// Event implements callstack.Visitor.
func (w *watcher) Event(t *callstack.Task, r *record.Record) error {
	if _, shown := w.walker.Event(t, r); shown {
		w.lives[t.Index].event(r)
	}
	return nil
}

// watch follows the threads of the records that pass the filters.
func watch(ctx context.Context, rec *uftrace.Recording, opts callstack.Options, lives []*life) error {
	p, err := callstack.New(rec, opts)
	if err != nil {
		return err
	}
	for s := range p.All(ctx) {
		l := lives[s.Task.Index]
		switch {
		case s.Entry.Kind == uftrace.Lost:
		case s.Entry.Kind == uftrace.Event:
			l.event(s.Record)
		default:
			l.see(s.Record.Time)
		}
	}
	named(lives, p.Tasks())
	return ctx.Err()
}

// plant builds the tree. Threads are below the first thread of their process, processes below the
// process that forked them, in recorded order. It returns the roots.
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

// below reports whether a life descends from another one. Damaged recordings may have cycles.
func (l *life) below(other *life) bool {
	for ; l != nil; l = l.parent {
		if l == other {
			return true
		}
	}
	return false
}
