package summary

// sorted is a red-black tree of pairs. uftrace sorts the rows of report --diff with such a tree,
// but its comparison of times is not an order. Of two times that differ only in the sign, the later
// row goes first. So the position of a row depends on the rows that it is compared with on the way
// down. Only the same tree gives the same text.
type sorted struct {
	root   *sortedNode
	before func(added, there *pair) bool
}

type sortedNode struct {
	pair
	red    bool
	parent *sortedNode
	kids   [2]*sortedNode // smaller and larger nodes
}

// side returns the index of n among the kids of its parent.
func (n *sortedNode) side() int {
	if n == n.parent.kids[1] {
		return 1
	}
	return 0
}

// add inserts a pair.
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

// balance restores the colours after adding a node: no red node has a red kid, and all paths down
// have the same number of black nodes.
func (s *sorted) balance(n *sortedNode) {
	for n.parent != nil && n.parent.red {
		top := n.parent.parent // non-nil, since the root is black
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

// list appends the pairs in order. The tree of n pairs is at most 2·log2(n+1) deep.
func (n *sortedNode) list(pairs []pair) []pair {
	if n == nil {
		return pairs
	}
	pairs = append(n.kids[0].list(pairs), n.pair)
	return n.kids[1].list(pairs)
}
