package callstack

import (
	"math"
	"math/bits"

	"github.com/tracec/tracec/runtime/uftrace"
)

// Node is a function where it was called from: a place in a tree that adds up calls by the way to them. All calls of one name below one node
// are one node. The zero value is a root.
type Node struct {
	Name  string
	Addr  uint64          // of the first call
	Sym   *uftrace.Symbol // of the first call; nil is unknown, or no function
	Level int             // 0 is the root
	Calls uint64
	Time  uint64 // of the calls that have ended, in ns
	Child uint64 // of Time, in calls below
	Rest  uint64 // what of Time is beyond whole units of each call, see Sums
	// Total and Own are of single calls, Own without those below; see Sums.
	Total, Own Bounds
	Parent     *Node
	Kids       []*Node // in the order of their first calls
	Threads    uint64  // of a root: how many began in it

	// direct is Sym where a Walker can follow a call without more than the stack, else nil.
	direct  *uftrace.Symbol
	last    *Node           // the kid that was called last,
	lastSym *uftrace.Symbol // by this symbol
	bySym   []*Node         // the kids that have a direct symbol, when they are many: a hash table, at most half full
	byName  map[string]*Node
}

// Bounds are the least and the greatest of some times. As in uftrace a least time of 0, that of a fork in the child, is none.
type Bounds struct{ Min, Max uint64 }

func (b *Bounds) add(ns uint64) {
	if b.Min == 0 || ns < b.Min {
		b.Min = ns
	}
	b.Max = max(b.Max, ns)
}

// Sums choose what nodes add up beside calls and times.
type Sums struct {
	// Bounds adds up Total and Own.
	Bounds bool

	unit    uint64 // 0: Rest is not added up
	inverse uint64 // 2⁶⁴ divided by the unit, rounded up; 0 where that helps nothing
}

// SetUnit adds up the rests of times beyond whole units of so many ns.
func (s *Sums) SetUnit(ns uint64) {
	s.unit, s.inverse = ns, 0
	if 1 < ns && ns <= math.MaxUint32 {
		s.inverse = math.MaxUint64/ns + 1
	}
}

// rest is ns modulo the unit. Division takes as long as all the rest of a call: products with the inverse are exact below 2³².
func (s *Sums) rest(ns uint64) uint64 {
	if s.inverse == 0 || ns > math.MaxUint32 {
		return ns % s.unit
	}
	units, _ := bits.Mul64(ns, s.inverse)
	return ns - units*s.unit
}

// Ended adds a call of n that has ended.
func (s *Sums) Ended(n *Node, total, child uint64) {
	n.Time += total
	n.Child += child
	if s.unit > 0 {
		n.Rest += s.rest(total)
	}
	if s.Bounds {
		n.Total.add(total)
		n.Own.add(total - min(child, total))
	}
}

// manyKids is from when on kids are found by tables.
const manyKids = 8

// Kid is the node that a call of a name goes to, made when there is none.
func (n *Node) Kid(name string, addr uint64, sym *uftrace.Symbol) (kid *Node, made bool) {
	if kid = n.named(name); kid == nil {
		kid = &Node{Name: name, Addr: addr, Sym: sym, Level: n.Level + 1, Parent: n, direct: direct(sym)}
		n.add(kid)
		made = true
	}
	n.last, n.lastSym = kid, direct(sym) // which may have the name of another one
	return kid, made
}

// direct is a symbol whose calls return to where they were made, else nil.
func direct(sym *uftrace.Symbol) *uftrace.Symbol {
	if sym == nil || specials[sym.Name] != ordinary {
		return nil
	}
	return sym
}

func (n *Node) named(name string) *Node {
	if n.byName != nil {
		return n.byName[name]
	}
	for _, k := range n.Kids {
		if k.Name == name {
			return k
		}
	}
	return nil
}

func (n *Node) add(kid *Node) {
	n.Kids = append(n.Kids, kid)
	if len(n.Kids) <= manyKids {
		return
	}
	if n.byName == nil {
		n.byName = make(map[string]*Node, 2*manyKids)
		for _, k := range n.Kids {
			n.byName[k.Name] = k
		}
	}
	n.byName[kid.Name] = kid
	if 2*len(n.Kids) <= len(n.bySym) {
		n.place(kid)
		return
	}
	n.bySym = make([]*Node, max(4*manyKids, 2*len(n.bySym)))
	for _, k := range n.Kids {
		n.place(k)
	}
}

// place puts a kid into the table of symbols.
func (n *Node) place(kid *Node) {
	if kid.direct == nil {
		return
	}
	i := n.home(kid.direct)
	for n.bySym[i] != nil {
		i = (i + 1) & (len(n.bySym) - 1)
	}
	n.bySym[i] = kid
}

func (n *Node) home(sym *uftrace.Symbol) int {
	return int(uint32(sym.Index)*0x9e3779b1>>8) & (len(n.bySym) - 1)
}

// Known is the kid that a call of a symbol goes to, nil where only the name of the symbol says whether there is one.
func (n *Node) Known(sym *uftrace.Symbol) *Node {
	if sym == nil {
		return nil
	}
	if n.lastSym != sym {
		kid := n.find(sym)
		if kid == nil {
			return nil
		}
		n.last, n.lastSym = kid, sym
	}
	return n.last
}

// find is the kid that a call of a symbol goes to, nil where it needs more than to go there, or the kid is only known by its name.
func (n *Node) find(sym *uftrace.Symbol) *Node {
	if n.bySym == nil {
		for _, k := range n.Kids {
			if k.direct == sym {
				return k
			}
		}
		return nil
	}
	i := n.home(sym)
	for n.bySym[i] != nil && n.bySym[i].direct != sym {
		i = (i + 1) & (len(n.bySym) - 1)
	}
	return n.bySym[i]
}
