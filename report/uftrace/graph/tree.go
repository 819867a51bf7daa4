package graph

import (
	"path"

	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// node is a function at one place in the call tree.
type node = callstack.Node

// tree is the graph of one program image.
type tree struct {
	session *uftrace.Session
	root    node
	// forks are the nodes of fork-like functions without a return in a child so far.
	forks  []*node
	traces []*trace // the latest first
	// returned is set if a call in the graph ended after some time, or a call without a recorded
	// begin ended, as in a child of fork.
	returned bool
}

// shown reports whether there is anything to print. As in uftrace, the end of a call without a
// recorded begin is enough.
func (t *tree) shown(function string) bool {
	if function != "" {
		return t.root.Calls > 0 || len(t.root.Kids) > 0 // only kids: after exec
	}
	return len(t.root.Kids) > 0 || t.root.Time > 0 || t.returned
}

// trace is a path to Options.Func.
type trace struct {
	addrs []uint64
	syms  []*uftrace.Symbol
	hits  uint64
	time  uint64
}

func newTree(s *uftrace.Session, function string) *tree {
	t := &tree{session: s}
	t.root.Name = function
	if function == "" {
		t.root.Calls = 1
		if s != nil {
			t.root.Name = path.Base(s.Exe)
		}
	}
	return t
}

// trace returns the trace for a path. It creates the trace on first use.
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
