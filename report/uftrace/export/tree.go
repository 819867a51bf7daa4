package export

import (
	"context"
	"math"
	"slices"

	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/report/uftrace/internal/quota"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// maxLevel bounds the depth of the tree. The recorder stops at 1023 open calls, but longjmp and
// damage can make the tree deeper. The size of folded stacks grows with the square of the depth.
// Deeper calls count for the node at the bound.
const maxLevel = 4096

// node is a function at one place in the call tree, for all threads.
type node = callstack.Node

// tree is the call tree of a recording.
type tree struct {
	opts   *Options
	walker *callstack.Walker // nil if a player is used
	root   *node
	sums   callstack.Sums
	names  *line.Names
	at     []spot // places of the threads, by callstack.Task.Index
	forks  []forked
	quota  *quota.Quota
}

// forked is the node of a function that forks, without a return in a child so far.
type forked struct {
	*node
	by int32 // the process that called it first
}

// nodeBytes is the approximate size of a node, including its places among its siblings.
const nodeBytes = 400

// spot is the place of a thread in the tree.
type spot struct {
	callstack.Place
	// placed is set once a call was shown, or the thread came back to the processor. As in uftrace,
	// only then does a child of fork end the call of its parent. begun is set once a call was read.
	// off is the time of leaving the processor before that.
	placed, begun bool
	off           uint64
	over          int    // number of open calls deeper than maxLevel
	last          uint64 // time of the last record
}

// newTree reads a recording into a tree. It sums up the rests of times beyond whole samples, unless
// sample is 0.
func newTree(ctx context.Context, rec *uftrace.Recording, opts *Options, sample uint64) (*tree, error) {
	t := &tree{opts: opts, root: &node{}, at: make([]spot, len(rec.Tasks()))}
	t.sums.SetUnit(sample)
	for i := range t.at {
		t.at[i].Place = callstack.Place{Node: t.root, Span: math.MaxUint64} // one tree for all programs
	}
	ctx, t.quota = quota.New(ctx, rec)
	t.names = line.NewNames(rec, opts.Name, t.quota)
	p, err := opts.open(rec, t)
	if err != nil {
		return nil, err
	}
	t.walker = p.walker
	played := p.play(ctx, t)
	if ctx.Err() != nil {
		return nil, t.quota.End(ctx, played)
	}
	t.quota.End(ctx, nil)
	for _, task := range p.unfinished() {
		t.close(task)
	}
	return t, played
}

// calls implements viewer.
func (t *tree) calls(p *callstack.Player) callstack.Calls {
	return callstack.Calls{
		Entered: func(task *callstack.Task, _ *record.Record, e *uftrace.Entry) {
			t.opts.show()
			t.enter(task, e)
		},
		Left: func(task *callstack.Task, _ *record.Record, e *uftrace.Entry, f *callstack.Frame) {
			t.opts.show()
			t.left(task, e, f.Total, f.Child)
		},
		Other: t.other,
		Descend: func(task *callstack.Task, recs []record.Record, ents []uftrace.Entry) int {
			at := &t.at[task.Index]
			if !at.placed || at.over > 0 {
				return 0
			}
			return p.Descend(task, &at.Place, &t.sums, recs, ents)
		},
	}
}

// other handles steps other than calls.
func (t *tree) other(s *callstack.Step) {
	t.opts.show()
	if s.Entry.Kind == uftrace.Event {
		t.event(s.Task, s.Record, s.Frame)
	}
}

// Calls implements callstack.Visitor.
func (t *tree) Calls(task *callstack.Task, recs []record.Record, ents []uftrace.Entry) error {
	at := &t.at[task.Index]
	for i := 0; i < len(recs); i++ {
		if at.placed && at.over == 0 {
			if n := t.walker.Descend(task, &at.Place, &t.sums, recs[i:], ents[i:]); n > 0 {
				i += n
				at.last = recs[i-1].Time
			}
			if i == len(recs) {
				return nil
			}
		}
		r, e := &recs[i], &ents[i]
		switch e.Kind {
		case uftrace.Enter:
			t.watch(task.Index, r, e)
			t.walker.Enter(task, r, e)
			t.enter(task, e)
		case uftrace.Leave:
			t.watch(task.Index, r, e)
			f := t.walker.Leave(task, r, e)
			t.left(task, e, f.Total, f.Child)
		case uftrace.Lost:
			t.walker.Lose(task)
		case uftrace.Event:
			t.Event(task, r)
			continue
		}
		t.opts.show()
	}
	return nil
}

// Event implements callstack.Visitor.
func (t *tree) Event(task *callstack.Task, r *record.Record) error {
	t.watch(task.Index, r, &event)
	f, shown := t.walker.Event(task, r)
	if !shown {
		return nil
	}
	t.opts.show()
	t.event(task, r, f)
	return nil
}

// event handles the time off the processor as a call.
func (t *tree) event(task *callstack.Task, r *record.Record, f *callstack.Frame) {
	switch t.opts.of(r) {
	case begins:
		t.enter(task, &event)
	case ends:
		var total, child uint64
		if f != nil {
			total, child = f.Total, f.Child
		}
		t.left(task, &event, total, child)
	}
}

// event is the entry for schedules.
var event = uftrace.Entry{Kind: uftrace.Event}

// name returns the name of a function or of a schedule.
func (t *tree) name(e *uftrace.Entry) string {
	switch {
	case e.Kind == uftrace.Event:
		return schedule
	case e.Sym == nil:
		return addressName(e.Addr)
	}
	return t.names.Name(e.Sym)
}

// watch implements viewer.
func (t *tree) watch(task int, r *record.Record, e *uftrace.Entry) {
	s := &t.at[task]
	if e.Kind != uftrace.Lost {
		s.last = r.Time
	}
	switch {
	case s.begun:
	case e.Kind != uftrace.Event:
		s.begun = e.Kind != uftrace.Lost
	case r.ID == callstack.SchedOut || r.ID == callstack.SchedOutPreempt:
		s.off = r.Time
	case r.ID == callstack.SchedIn && s.off != 0 && r.Time-s.off >= t.opts.Play.Limits.Time:
		s.placed = true
	}
}

// enter moves down to a call.
func (t *tree) enter(task *callstack.Task, e *uftrace.Entry) {
	s := &t.at[task.Index]
	if s.Node.Level == maxLevel {
		s.over++
		return
	}
	s.placed = true
	kid := s.Node.Known(e.Sym)
	if kid == nil {
		made := false
		if kid, made = s.Node.Kid(t.name(e), 0, e.Sym); made {
			t.quota.Take(nodeBytes)
			if callstack.IsFork(e.Sym) {
				t.forks = append(t.forks, forked{kid, task.PID})
			}
		}
	}
	kid.Calls++
	s.Node = kid
}

// left moves up after the call that a record ends.
func (t *tree) left(task *callstack.Task, e *uftrace.Entry, total, child uint64) {
	s := &t.at[task.Index]
	if s.placed && s.over == 0 && e.Kind == uftrace.Leave && callstack.IsFork(e.Sym) &&
		t.land(s, task.PPID, t.name(e), total, child) {
		return
	}
	t.leave(s, total, child)
}

// land handles a call of fork that ends at another place than the thread's. It ends at the latest
// fork of the parent without a return in a child. The rest of its time beyond whole samples counts
// for the thread's place. land returns false if there is no such fork.
func (t *tree) land(s *spot, parent int32, name string, total, child uint64) bool {
	if s.Node.Name == name {
		return false
	}
	for i := len(t.forks) - 1; i >= 0; i-- {
		if f := t.forks[i]; f.by == parent && f.Name == name {
			rest := f.Rest
			t.sums.Ended(f.node, total, child)
			s.Node.Rest, f.Rest = s.Node.Rest+f.Rest-rest, rest
			s.Node = f.Parent
			t.forks = slices.Delete(t.forks, i, i+1)
			return true
		}
	}
	return false
}

// leave moves up after a call.
func (t *tree) leave(s *spot, total, child uint64) {
	switch {
	case s.over > 0:
		s.over--
	case s.Node.Parent != nil:
		t.sums.Ended(s.Node, total, child)
		s.Node = s.Node.Parent
	}
}

// close ends the calls that are open at the end of the recording.
func (t *tree) close(task *callstack.Task) {
	s := &t.at[task.Index]
	end := t.opts.end(s.last)
	var below uint64
	for i := len(task.Stack) - 1; i >= 0; i-- {
		f := &task.Stack[i]
		if f.Addr == 0 || f.Start > end {
			continue
		}
		total := end - f.Start
		if !f.Hidden {
			t.leave(s, total, f.Child+below)
		}
		below = total
	}
}
