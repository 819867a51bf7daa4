package export

import (
	"context"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/quota"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
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
	at       []spot // of the threads, by play.Task.Index
	sample   uint64
	quota    *quota.Quota
}

// About what a node takes up, with its places among its siblings, and a name besides its bytes.
const (
	nodeBytes = 250
	nameBytes = 100
)

// spot is where a thread is in the tree.
type spot struct {
	node *node
	over int    // calls deeper than maxLevel
	last uint64 // time of the last record that was read
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
	played := walk(ctx, p, func(s *play.Step) error {
		switch opts.of(s) {
		case begins:
			t.enter(&t.at[s.Task.Index], t.nameOf(s))
		case ends:
			var child uint64
			if s.Frame != nil {
				child = s.Frame.Child
			}
			t.leave(&t.at[s.Task.Index], s.Total, child)
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
func (t *tree) nameOf(s *play.Step) int32 {
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
	if e.Kind != uftrace.Lost {
		t.at[task].last = r.Time
	}
}

// enter goes down to a call.
func (t *tree) enter(s *spot, name int32) {
	if s.node.level == maxLevel {
		s.over++
		return
	}
	have := len(s.node.children)
	from := s.node
	if s.node = from.find(name); len(from.children) > have {
		t.quota.Take(nodeBytes)
	}
	s.node.calls++
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

// leave goes up behind a call. What a call takes beyond whole samples is given back to its caller: a folded stack's
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
func (t *tree) close(task *play.Task) {
	s := &t.at[task.Index]
	var below uint64
	for i := len(task.Stack) - 1; i >= 0; i-- {
		f := &task.Stack[i]
		if f.Addr == 0 {
			continue
		}
		total := s.last - f.Start
		if !f.Hidden {
			t.leave(s, total, f.Child+below)
		}
		below = total
	}
}
