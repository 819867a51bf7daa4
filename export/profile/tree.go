package profile

import "slices"

// frame is one function, thread or event.
type frame struct {
	name   string
	module string // file or subsystem; may be empty
	source string // file of the function; may be empty
	line   int32  // line in source; 0 if unknown
	start  int32  // the line of the function's declaration; 0 if unknown
	// within is set if the compiler has inlined the function into the function of the outer frame.
	within bool
}

// node is a stack: its innermost frame, and the outer stack.
type node struct {
	parent int32 // -1 for a root
	frame  int32
	depth  int32
	track  int32 // for a root: the track of the thread
	count  int64
	value  int64
}

// maxDepth bounds the depth of stacks, since the size of a profile grows with the product of stacks
// and depths. The recorder of uftrace stops at 1024.
const maxDepth = 2048

// nodeBytes is the approximate size of a node, including its place in the table.
const nodeBytes = 64

// tree holds all stacks.
type tree struct {
	nodes  []node
	edges  edges // finds nodes by parent and frame
	frames []frame
	byName map[frame]int32
	max    int // maximum number of nodes
	over   int64
	deep   int64
	hold   func(int64) error // reserves memory of the recording; may be nil
	held   int
	full   bool
}

func newTree(limit int, hold func(int64) error) *tree {
	return &tree{byName: map[frame]int32{}, max: limit, hold: hold, frames: []frame{
		otherFrame: {name: "[other stacks]"}, deepFrame: {name: "[deeper]"}, lostFrame: {name: "[lost]"},
		twiceFrame: {name: "[counted twice]"},
	}}
}

// The frames of every tree. They are not found by name, since functions may have these names.
const (
	otherFrame = 0
	deepFrame  = 1
	lostFrame  = 2 // time of a call that belongs neither to itself nor to inner calls
	twiceFrame = 3 // a negative time: the excess of inner calls over the time of their call
)

// frame returns the number of a frame.
func (t *tree) frame(f frame) int32 {
	i, ok := t.byName[f]
	if !ok {
		i = int32(len(t.frames))
		t.frames = append(t.frames, f)
		t.byName[f] = i
	}
	return i
}

// root adds the stack of a thread, and a stack for those beyond the limit. Its frame is set at the
// end.
func (t *tree) root(track int) int32 {
	n := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{parent: -1, track: int32(track)}, node{parent: n, frame: otherFrame, depth: 1})
	return n
}

// child returns the stack of a frame called from a stack.
func (t *tree) child(parent, frame int32) int32 {
	if n, ok := t.edges.find(t.nodes, parent, frame); ok {
		return n
	}
	return t.add(parent, frame)
}

// add adds a missing stack, up to the limit.
func (t *tree) add(parent, frame int32) int32 {
	p := &t.nodes[parent]
	switch {
	case p.parent >= 0 && p.frame <= deepFrame:
		return parent
	case frame == otherFrame:
		t.over++
		return t.other(parent)
	case p.depth >= maxDepth && frame != deepFrame:
		t.deep++
		return t.child(parent, deepFrame)
	case !t.room():
		t.over++
		return t.other(parent)
	}
	n := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{parent: parent, frame: frame, depth: p.depth + 1})
	t.edges.add(t.nodes, n)
	return n
}

// fresh adds a stack with a frame that is not yet known.
func (t *tree) fresh(parent, frame int32) int32 {
	if p := &t.nodes[parent]; p.parent >= 0 && p.frame <= deepFrame || p.depth >= maxDepth || !t.room() {
		return t.child(parent, frame)
	}
	t.nodes = append(t.nodes, node{parent: parent, frame: frame, depth: t.nodes[parent].depth + 1})
	return int32(len(t.nodes)) - 1
}

// rename gives a fresh stack its frame.
func (t *tree) rename(n, frame int32) {
	t.nodes[n].frame = frame
	if _, ok := t.edges.find(t.nodes, t.nodes[n].parent, frame); !ok {
		t.edges.add(t.nodes, n)
	}
}

// room reports whether another stack fits.
func (t *tree) room() bool {
	if t.full || len(t.nodes) >= t.max {
		return false
	}
	const step = 4096
	if t.hold != nil && len(t.nodes) >= t.held {
		if t.full = t.hold(step*nodeBytes) != nil; t.full {
			return false
		}
		t.held += step
	}
	return true
}

// other returns the stack for those beyond the limit, in the thread of a stack.
func (t *tree) other(n int32) int32 {
	for t.nodes[n].parent >= 0 {
		n = t.nodes[n].parent
	}
	return n + 1
}

// byFunction returns the tree without the lines of frames. Stacks that differ only in lines become
// the first of them. The others remain, and count nothing. A parent precedes its stacks. If there
// is no memory for both trees, the old one is given up and alone is set.
func (t *tree) byFunction() (u *tree, alone bool) {
	u = newTree(t.max, nil)
	if t.hold != nil && t.hold(int64(len(t.nodes))*nodeBytes) != nil {
		alone, u.nodes, t.edges = true, t.nodes, edges{}
	} else {
		u.nodes = slices.Clone(t.nodes)
	}
	frames := make([]int32, len(t.frames))
	for i, f := range t.frames {
		if frames[i] = int32(i); i > twiceFrame {
			frames[i] = u.frame(frame{name: f.name, module: f.module})
		}
	}
	first := make([]int32, len(u.nodes))
	for i := range u.nodes {
		n := &u.nodes[i]
		first[i], n.frame = int32(i), frames[n.frame]
		if n.parent < 0 {
			continue
		}
		n.parent = first[n.parent]
		if m, ok := u.edges.find(u.nodes, n.parent, n.frame); ok {
			u.nodes[m].count += n.count
			u.nodes[m].value += n.value
			first[i], n.count, n.value = m, 0, 0
		} else {
			u.edges.add(u.nodes, int32(i))
		}
	}
	return u, alone
}
