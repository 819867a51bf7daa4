package callstack

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Place is where a thread is in a tree of calls.
type Place struct {
	// Node is the innermost call, nil where Descend is to leave all to its caller.
	Node *Node
	// From and Span are the times at which the tree belongs to the thread: From ≤ t < From+Span.
	From, Span uint64
}

// Holds reports whether the tree belongs to the thread at a time.
func (p *Place) Holds(time uint64) bool { return time-p.From < p.Span }

// Descend follows records of a thread through a tree, as [Walker.Enter], [Walker.Leave],
// [Sums.Ended] and Node.Calls would, and returns how many. It stops at the first record that may
// need more: a new node, an event, a loss, a function that does not return to where it was called,
// an end without a beginning.
func (w *Walker) Descend(t *Task, at *Place, sums *Sums, recs []record.Record, ents []uftrace.Entry) int {
	if t.unsynced {
		return 0
	}
	return t.descend(nil, at, sums, recs, ents)
}

// descend is Descend of a player, or of a walker if p is nil. It also stops where filters of the
// player change what is shown.
func (t *Task) descend(p *Player, at *Place, sums *Sums, recs []record.Record, ents []uftrace.Entry) int {
	node, n := at.Node, len(t.Stack)
	if node == nil || t.over > 0 {
		return 0
	}
	from, span := at.From, at.Span
	limited := false
	if p != nil {
		if limited = p.filter.limited; p.window.first > from {
			span -= min(span, p.window.first-from)
			from = p.window.first
		}
	}
	stack, user, depth, left := t.Stack[:cap(t.Stack)], t.user, t.Depth, t.left
	i := 0
	for ents = ents[:len(recs)]; i < len(recs); i++ {
		time, e := recs[i].Time, &ents[i]
		sym := e.Sym
		if e.Kind > uftrace.Leave || sym == nil || e.Addr == 0 || time-from >= span {
			break
		}
		if e.Kind == uftrace.Enter {
			kid := node.last
			if kid == nil || kid.Sym != sym {
				if kid = node.find(sym); kid == nil {
					break
				}
				node.last = kid
			}
			if n >= len(stack) {
				break
			}
			f := &stack[n]
			if limited {
				flags, below := frameFlags(0), left-1
				if !kid.plain || below < 0 {
					if flags, below, kid.plain = p.filter.plainly(t, sym, left); below < 0 {
						break
					}
				}
				if flags != 0 {
					t.in++
				}
				f.depth, f.flags, left = left, flags, below
			}
			f.Addr, f.Start, f.Total, f.Child, f.below = e.Addr, time, time, 0, anyBelow
			f.Sym, f.Event, f.Hidden, f.pushed = sym, false, false, true
			n++
			user++
			depth++
			kid.Calls++
			node = kid
			continue
		}
		if node.Sym != sym || node.special || n == 0 {
			break
		}
		f := &stack[n-1]
		if !f.pushed || f.Addr == 0 {
			break
		}
		if limited {
			if f.Hidden || f.flags != 0 && !t.leaveFilter(f) {
				break
			}
			left = f.depth
		}
		n--
		total := time - f.Start
		f.Total, f.pushed = total, false
		if n > 0 {
			stack[n-1].Child += total
		}
		if user > 0 {
			user--
		}
		if depth > 0 {
			depth--
		}
		if sums.Bounds {
			sums.Ended(node, total, f.Child)
		} else {
			node.Time += total
			node.Child += f.Child
			if sums.unit > 0 {
				node.Rest += sums.rest(total)
			}
		}
		node = node.Parent
	}
	t.Stack, t.user, t.Depth, t.left, t.leaf = stack[:n], user, depth, left, n
	at.Node = node
	return i
}
