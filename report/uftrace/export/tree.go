package export

import (
	"context"
	"slices"

	"github.com/tracec/tracec/report/uftrace/quota"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// maxLevel bounds the depth of the tree. The recorder stops at 1023 open calls, but longjmp and damage can make the tree
// deeper, and the text of folded stacks grows with the square of it. Deeper calls count for the node at the bound.
const maxLevel = 4096

// node is a function called by what is above it, by all threads.
type node struct {
	name     int32 // in tree.names
	level    int32
	calls    uint64
	time     uint64 // ns in it and below
	child    int64  // ns below, see leave
	parent   *node
	children []*node // in the order of their first calls
	byName   map[int32]*node
}

// tree is who called whom.
type tree struct {
	opts  *Options
	root  *node
	names []string
	ids   map[string]int32
	// bySymbol and schedule are ids, plus 1.
	bySymbol []int32
	schedule int32
	at       []spot // of the threads, by callstack.Task.Index
	// forks are the nodes of fork-like functions that no child returned from yet.
	forks  []*node
	sample uint64
	quota  *quota.Quota
}

// About what a node takes up, with its places among its siblings, and a name besides its bytes.
const (
	nodeBytes = 250
	nameBytes = 100
)

// spot is where a thread is in the tree.
type spot struct {
	node *node
	// begun says that a call was read, off when the thread left the processor before that. A child of fork that came back
	// to it before it returned is adrift: uftrace then looks for the fork that it returns from, and else begins at the root.
	begun, adrift bool
	off           uint64
	over          int    // calls deeper than maxLevel
	last          uint64 // time of the last record that was read
}

// newTree plays a recording into a tree.
func newTree(ctx context.Context, rec *uftrace.Recording, opts *Options, sample uint64) (*tree, error) {
	t := &tree{opts: opts, root: &node{}, ids: map[string]int32{}, bySymbol: make([]int32, len(rec.Symbols())), sample: sample}
	t.at = make([]spot, len(rec.Tasks()))
	for i := range t.at {
		t.at[i].node = t.root
	}
	ctx, t.quota = quota.New(ctx, rec)
	t.schedule = t.id(schedule)
	p, err := opts.player(rec, t.watch)
	if err != nil {
		return nil, err
	}
	played := opts.walk(ctx, p, func(s *callstack.Step) error {
		switch opts.of(s) {
		case begins:
			t.enter(&t.at[s.Task.Index], t.nameOf(s), s.Entry.Sym)
		case ends:
			var child uint64
			if s.Frame != nil {
				child = s.Frame.Child
			}
			at := &t.at[s.Task.Index]
			if at.adrift && s.Entry.Kind == uftrace.Leave {
				t.land(at, t.nameOf(s))
			}
			t.leave(at, s.Total, child)
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil, t.quota.End(ctx, played)
	}
	t.quota.End(ctx, nil)
	for _, task := range p.Tasks() {
		if opts.closes(p) {
			t.close(task)
		}
	}
	return t, played
}

// id numbers a name.
func (t *tree) id(name string) int32 {
	id, ok := t.ids[name]
	if !ok {
		id = int32(len(t.names))
		t.ids[name] = id
		t.names = append(t.names, name)
		t.quota.Take(int64(len(name)) + nameBytes)
	}
	return id
}

// nameOf is the number of the name of what begins.
func (t *tree) nameOf(s *callstack.Step) int32 {
	e := s.Entry
	switch {
	case e.Kind == uftrace.Event:
		return t.schedule
	case e.Sym == nil:
		return t.id(functionName(e.Addr, nil, nil))
	case int(e.Sym.Index) >= len(t.bySymbol):
		return t.id(t.opts.Name(e.Sym))
	}
	known := &t.bySymbol[e.Sym.Index]
	if *known == 0 {
		*known = t.id(t.opts.Name(e.Sym)) + 1
	}
	return *known - 1
}

// watch looks at every record that is read.
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
	case r.ID == callstack.SchedIn && s.off != 0 && r.Time-s.off >= t.opts.Filters.Time:
		s.adrift = true
	}
}

// enter goes down to a call.
func (t *tree) enter(s *spot, name int32, sym *uftrace.Symbol) {
	if s.node.level == maxLevel {
		s.over++
		return
	}
	s.adrift = false
	before := len(s.node.children)
	s.node = s.node.find(name)
	isNew := len(s.node.parent.children) > before
	if isNew {
		t.quota.Take(nodeBytes)
	}
	s.node.calls++
	if sym != nil && isNew && isFork(sym.Name) {
		t.forks = append(t.forks, s.node)
	}
}

// isFork knows the functions that return twice (uftrace.md 2.3).
func isFork(name string) bool { return name == "fork" || name == "vfork" || name == "daemon" }

// land puts a child of fork below the latest fork that no child returned from.
func (t *tree) land(s *spot, name int32) {
	for i := len(t.forks) - 1; i >= 0; i-- {
		if t.forks[i].name == name {
			s.node, s.adrift = t.forks[i], false
			t.forks = slices.Delete(t.forks, i, i+1)
			return
		}
	}
}

// manyChildren is from when on children are found by a map.
const manyChildren = 16

// find is the child of a name.
func (n *node) find(name int32) *node {
	if n.byName != nil {
		if c := n.byName[name]; c != nil {
			return c
		}
	} else {
		for _, c := range n.children {
			if c.name == name {
				return c
			}
		}
	}
	c := &node{name: name, level: n.level + 1, parent: n}
	n.children = append(n.children, c)
	if n.byName != nil {
		n.byName[name] = c
	} else if len(n.children) > manyChildren {
		n.byName = make(map[int32]*node, 2*manyChildren)
		for _, c := range n.children {
			n.byName[c.name] = c
		}
	}
	return c
}

// leave goes up after a call. What a call takes beyond whole samples is given back to its caller: a folded stack's
// count is that of its time without the samples of what it called.
func (t *tree) leave(s *spot, total, child uint64) {
	if s.over > 0 {
		s.over--
		return
	}
	n := s.node
	if n.parent == nil {
		return
	}
	n.time += total
	n.child += int64(child)
	s.node = n.parent
	if t.sample > 0 {
		s.node.child -= int64(total % t.sample)
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
