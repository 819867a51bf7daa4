package graph

import (
	"path"
	"strconv"

	"github.com/tracec/tracec/runtime/uftrace"
)

// node is a function where it was called from: all calls of one name below one node are one node.
type node struct {
	name   string
	addr   uint64
	sym    *uftrace.Symbol
	calls  uint64
	time   uint64
	child  uint64 // of time, in calls below
	total  bounds // of single calls
	own    bounds // of single calls, without those below
	parent *node
	kids   []*node          // in order of their first call
	byName map[string]*node // of the kids, when they are many
	last   *node            // the kid that was called last

	threads uint64 // of the root: how many began in it
}

// bounds are the least and the greatest of some times. As in uftrace a least time of 0, that of a fork in the child, is none.
type bounds struct{ min, max uint64 }

func (b *bounds) add(ns uint64) {
	if b.min == 0 || ns < b.min {
		b.min = ns
	}
	b.max = max(b.max, ns)
}

// call is the kid that a call goes to, made when there is none.
func (n *node) call(c call) (kid *node, made bool) {
	if kid = n.last; kid == nil || kid.name != c.name {
		if kid = n.find(c.name); kid == nil {
			kid = &node{name: c.name, addr: c.addr, sym: c.sym, parent: n}
			n.add(kid)
			made = true
		}
		n.last = kid
	}
	kid.calls++
	return kid, made
}

// manyKids is from when on kids are found by a map.
const manyKids = 16

func (n *node) find(name string) *node {
	if n.byName != nil {
		return n.byName[name]
	}
	for _, k := range n.kids {
		if k.name == name {
			return k
		}
	}
	return nil
}

func (n *node) add(kid *node) {
	n.kids = append(n.kids, kid)
	switch {
	case n.byName != nil:
		n.byName[kid.name] = kid
	case len(n.kids) > manyKids:
		n.byName = make(map[string]*node, 2*manyKids)
		for _, k := range n.kids {
			n.byName[k.name] = k
		}
	}
}

// tree is the graph of one program image.
type tree struct {
	session *uftrace.Session
	root    node
	// forks are the nodes of fork-like functions that no child returned from yet.
	forks  []*node
	traces []*trace // the latest first
	// inherited says that a call ended whose entry was not seen, after some time.
	inherited bool
}

// shown reports whether there is anything to print: for uftrace the end of a call whose beginning was not seen is
// enough.
func (t *tree) shown(function string) bool {
	if function != "" {
		return t.root.calls > 0 || len(t.root.kids) > 0 // none but kids: after exec
	}
	return len(t.root.kids) > 0 || t.root.time > 0 || t.inherited
}

// trace is a way to the function that is asked for.
type trace struct {
	addrs []uint64
	syms  []*uftrace.Symbol
	hits  uint64
	time  uint64
}

func newTree(s *uftrace.Session, function string) *tree {
	t := &tree{session: s}
	t.root.name = function
	if function == "" {
		t.root.calls = 1
		if s != nil {
			t.root.name = path.Base(s.Exe)
		}
	}
	return t
}

// trace finds the way to a call, made when it is new.
func (t *tree) trace(addrs []uint64, syms []*uftrace.Symbol) *trace {
next:
	for _, b := range t.traces {
		if len(b.addrs) != len(addrs) {
			continue
		}
		for i := range addrs {
			if b.addrs[i] != addrs[i] {
				continue next
			}
		}
		return b
	}
	b := &trace{addrs: append([]uint64(nil), addrs...), syms: append([]*uftrace.Symbol(nil), syms...)}
	t.traces = append([]*trace{b}, t.traces...)
	return b
}

// names writes the names of symbols and addresses.
type names func(*uftrace.Symbol) string

func (n names) of(sym *uftrace.Symbol, addr uint64) string {
	if sym == nil {
		return "<" + strconv.FormatUint(addr, 16) + ">"
	}
	if n == nil {
		return sym.Simple
	}
	return n(sym)
}
