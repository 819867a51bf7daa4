package callstack

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Place is the place of a thread in a tree of calls.
type Place struct {
	// Node is the innermost call. If nil, Descend leaves everything to its caller.
	Node *Node
	// From and Span are the times at which the tree belongs to the thread: From ≤ t < From+Span.
	From, Span uint64
}

// Holds reports whether the tree belongs to the thread at a time.
func (p *Place) Holds(time uint64) bool { return time-p.From < p.Span }

// Descend follows records of a thread through a tree, as [Walker.Enter], [Walker.Leave],
// [Sums.Ended] and Node.Calls would, and returns their number. It stops at the first record that
// may need more: a new node, an event, a loss, a function that does not return to its caller, an
// end without a beginning.
func (w *Walker) Descend(t *Task, at *Place, sums *Sums, recs []record.Record, ents []uftrace.Entry) int {
	if t.unsynced {
		return 0
	}
	return t.descend(nil, at, sums, recs, ents)
}

// since returns From and Span without the times before first.
func (p *Place) since(first uint64) (from, span uint64) {
	if first <= p.From {
		return p.From, p.Span
	}
	return first, p.Span - min(p.Span, first-p.From)
}

// descend is Descend of a player, or of a walker if p is nil. It also stops where filters of the
// player change the output. Its state is in local variables, because it handles most records of a
// graph.
func (t *Task) descend(p *Player, at *Place, sums *Sums, recs []record.Record, ents []uftrace.Entry) int {
	node, n := at.Node, len(t.Stack)
	if node == nil || t.over > 0 {
		return 0
	}
	from, span, limited := at.From, at.Span, false
	if p != nil {
		limited = p.filter.limited
		from, span = at.since(p.window.first)
	}
	stack, user, depth, left := t.Stack[:cap(t.Stack)], t.user, t.Depth, t.left
	i := 0
	for ents = ents[:len(recs)]; i < len(recs); i++ {
		time, e := recs[i].Time, &ents[i]
		if e.Kind > uftrace.Leave || e.Sym == nil || e.Addr == 0 || time-from >= span {
			break
		}
		if e.Kind == uftrace.Enter {
			kid := node.Known(e.Sym)
			if kid == nil || n >= len(stack) {
				break
			}
			f := &stack[n]
			if limited {
				flags, below := frameFlags(0), left-1
				if !kid.plain || below < 0 {
					if flags, below = p.filter.admitNode(t, kid, left); below < 0 {
						break
					}
				}
				f.depth, f.flags, left = left, flags, below
			}
			f.open(e.Addr, time, e.Sym)
			f.below = anyBelow
			n, user, depth = n+1, user+1, depth+1
			kid.Calls++
			node = kid
			continue
		}
		if node.Sym != e.Sym || node.special || n == 0 {
			break
		}
		f := &stack[n-1]
		if !f.pushed || f.Addr == 0 || limited && !t.leaveFilter(f) {
			break
		}
		if limited {
			left = f.depth
		}
		n--
		total := time - f.Start
		f.Total, f.pushed = total, false
		if n > 0 {
			stack[n-1].Child += total
		}
		user, depth = max(user-1, 0), max(depth-1, 0)
		if sums.add(node, total, f.Child); sums.Bounds {
			node.bound(total, f.Child)
		}
		node = node.Parent
	}
	t.Stack, t.user, t.Depth, t.left, t.leaf = stack[:n], user, depth, left, n
	at.Node = node
	return i
}

// admitNode is plainly at the function of a node. It sets the field plain of the node.
func (f *filters) admitNode(t *Task, kid *Node, left int32) (flags frameFlags, below int32) {
	flags, below, kid.plain = f.plainly(t, kid.Sym, left)
	if below >= 0 && flags != 0 {
		t.in++
	}
	return flags, below
}
