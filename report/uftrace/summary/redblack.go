package summary

// sorted is a red-black tree of pairs. uftrace puts the rows of report --diff into one, and its
// comparison of times is no order: of two times that differ in the sign alone, that of the row
// which comes later goes first. So where the rows end up depends on which others they are compared
// with on the way down, and only the same tree gives the same text.
type sorted struct {
	root   *sortedNode
	before func(added, there *pair) bool
}

type sortedNode struct {
	pair
	red    bool
	parent *sortedNode
	kids   [2]*sortedNode // what is before, what is after
}

// side is the place of n among the kids of its parent.
func (n *sortedNode) side() int {
	if n == n.parent.kids[1] {
		return 1
	}
	return 0
}

// add puts a pair into its place.
func (s *sorted) add(p pair) {
	n := &sortedNode{pair: p, red: true}
	if s.root == nil {
		n.red, s.root = false, n
		return
	}
	for at := s.root; at != nil; {
		side := 1
		if s.before(&n.pair, &at.pair) {
			side = 0
		}
		if n.parent = at; at.kids[side] == nil {
			at.kids[side] = n
			break
		}
		at = at.kids[side]
	}
	s.balance(n)
}

// balance mends the colours from a new node up: no red node has a red kid, and all ways down pass
// as many black ones.
func (s *sorted) balance(n *sortedNode) {
	for n.parent != nil && n.parent.red {
		top := n.parent.parent // there is one: the root is black
		side := n.parent.side()
		if uncle := top.kids[1-side]; uncle != nil && uncle.red {
			n.parent.red, uncle.red, top.red = false, false, true
			n = top
			continue
		}
		if n.side() != side {
			n = n.parent
			s.rotate(n, side)
		}
		n.parent.red, top.red = false, true
		s.rotate(top, 1-side)
	}
	s.root.red = false
}

// rotate moves a node down to a side, and its kid of the other side to its place.
func (s *sorted) rotate(n *sortedNode, side int) {
	up := n.kids[1-side]
	n.kids[1-side] = up.kids[side]
	if kid := up.kids[side]; kid != nil {
		kid.parent = n
	}
	up.parent = n.parent
	if n.parent == nil {
		s.root = up
	} else {
		n.parent.kids[n.side()] = up
	}
	up.kids[side], n.parent = n, up
}

// list appends the pairs in order. The tree of n of them is at most 2·log2(n+1) deep.
func (n *sortedNode) list(pairs []pair) []pair {
	if n == nil {
		return pairs
	}
	pairs = append(n.kids[0].list(pairs), n.pair)
	return n.kids[1].list(pairs)
}
