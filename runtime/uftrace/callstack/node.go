package callstack

import (
	"math"
	"math/bits"
	"slices"

	"github.com/tracec/tracec/runtime/uftrace"
)

// Node is a function at a place in the call tree. It adds up the calls with the same callers. All
// calls of one name below one node are one node. The zero value is a root.
type Node struct {
	// The fields that a call needs come first, in one line of the processor's cache.
	Sym   *uftrace.Symbol // of the first call; nil if it is unknown, or not a function
	Calls uint64
	Time  uint64 // duration of the calls that have ended, in ns
	Child uint64 // part of Time in calls below
	Rest  uint64 // part of Time beyond whole units of each call, see Sums
	// Parent is the calling function.
	Parent *Node
	last   *Node // the kid that was called last, unless it is special
	Level  int32 // 0 is the root
	// special is set if a call does not simply return to its caller: Sym returns to another place,
	// or is unknown.
	special bool
	plain   bool // filters of the descending player have no action at Sym, as far as it has looked

	Name string
	Addr uint64 // of the first call
	Kids []Kid  // in the order of their first calls

	tables *tables // tables of the kids, if there are many
	rare   *rare   // nil if there are no rare data
}

// Kid is a node below another one.
type Kid struct {
	*Node
	sym *uftrace.Symbol // symbol of the node; nil if it is special
}

// rare are the data that few nodes have.
type rare struct {
	total, own Bounds
	threads    uint64
}

// rarely returns the rare data of a node, for changes.
func (n *Node) rarely() *rare {
	if n.rare == nil {
		n.rare = &rare{}
	}
	return n.rare
}

// AddThread notes that a thread begins at a root.
func (n *Node) AddThread() { n.rarely().threads++ }

// Threads returns the number of threads that began at a root.
func (n *Node) Threads() uint64 {
	if n.rare == nil {
		return 0
	}
	return n.rare.threads
}

// Bounds are the least and the greatest of some times. As in uftrace, a least time of 0 is ignored:
// it is the time of a fork in the child.
type Bounds struct{ Min, Max uint64 }

func (b *Bounds) add(ns uint64) {
	if b.Min == 0 || ns < b.Min {
		b.Min = ns
	}
	b.Max = max(b.Max, ns)
}

// Sums select the sums of nodes besides calls and times.
type Sums struct {
	// Bounds enables Node.Bounds.
	Bounds bool

	unit    uint64 // if 0, Rest is not added up
	inverse uint64 // 2⁶⁴ divided by the unit, rounded up; 0 if it cannot be used
}

// SetUnit adds up the rests of times beyond whole units of ns nanoseconds.
func (s *Sums) SetUnit(ns uint64) {
	s.unit, s.inverse = ns, 0
	if 1 < ns && ns <= math.MaxUint32 {
		s.inverse = math.MaxUint64/ns + 1
	}
}

// rest returns ns modulo the unit. A division takes as long as the rest of a call. Products with
// the inverse are exact below 2³².
func (s *Sums) rest(ns uint64) uint64 {
	if s.inverse == 0 || ns > math.MaxUint32 {
		return ns % s.unit
	}
	units, _ := bits.Mul64(ns, s.inverse)
	return ns - units*s.unit
}

// Ended adds a call of n that has ended.
func (s *Sums) Ended(n *Node, total, child uint64) {
	s.add(n, total, child)
	if s.Bounds {
		n.bound(total, child)
	}
}

// add is Ended without Bounds.
func (s *Sums) add(n *Node, total, child uint64) {
	n.Time += total
	n.Child += child
	if s.unit > 0 {
		n.Rest += s.rest(total)
	}
}

// bound adds the times of a call to the bounds.
func (n *Node) bound(total, child uint64) {
	b := n.rarely()
	b.total.add(total)
	b.own.add(total - min(child, total))
}

// Bounds returns the least and the greatest time of single calls that have ended, with and without
// the calls below; see Sums.
func (n *Node) Bounds() (total, own Bounds) {
	if n.rare == nil {
		return total, own
	}
	return n.rare.total, n.rare.own
}

// manyKids is the number of kids from which on tables find them.
const manyKids = 8

// tables find the kids of a node.
type tables struct {
	byName map[string]*Node
	bySym  []*Node // nodes that are not special: a hash table, at most half full
}

// Kid returns the node of a call of a name. It is created on first use.
func (n *Node) Kid(name string, addr uint64, sym *uftrace.Symbol) (kid *Node, made bool) {
	if kid = n.named(name); kid == nil {
		kid = &Node{Name: name, Addr: addr, Sym: sym, Level: n.Level + 1, Parent: n}
		kid.special = sym == nil || specialOf(sym.Name) != ordinary
		n.add(kid)
		made = true
	}
	return kid, made
}

func (n *Node) named(name string) *Node {
	if n.tables != nil {
		return n.tables.byName[name]
	}
	for i := range n.Kids {
		if n.Kids[i].Name == name {
			return n.Kids[i].Node
		}
	}
	return nil
}

func (n *Node) add(kid *Node) {
	k := Kid{Node: kid, sym: kid.Sym}
	if kid.special {
		k.sym = nil
	}
	n.Kids = append(n.Kids, k)
	if len(n.Kids) <= manyKids {
		return
	}
	t := n.tables
	if t == nil {
		t = &tables{byName: make(map[string]*Node, 2*manyKids)}
		n.tables = t
		for _, k := range n.Kids {
			t.byName[k.Name] = k.Node
		}
	}
	t.byName[kid.Name] = kid
	if 2*len(n.Kids) <= len(t.bySym) {
		t.place(k)
		return
	}
	t.bySym = make([]*Node, max(4*manyKids, 2*len(t.bySym)))
	for _, k := range n.Kids {
		t.place(k)
	}
}

// place puts a kid into the table of symbols.
func (t *tables) place(k Kid) {
	if k.sym == nil {
		return
	}
	i := t.home(k.sym)
	for t.bySym[i] != nil {
		i = (i + 1) & (len(t.bySym) - 1)
	}
	t.bySym[i] = k.Node
}

func (t *tables) home(sym *uftrace.Symbol) int {
	return int(uint32(sym.Index)*0x9e3779b1>>8) & (len(t.bySym) - 1)
}

// Known returns the kid for a call of a symbol. It returns nil if only the name of the symbol could
// find the kid, and for functions that do not return to their caller.
func (n *Node) Known(sym *uftrace.Symbol) *Node {
	if k := n.last; k != nil && k.Sym == sym {
		return k
	}
	return n.find(sym)
}

// find is Known without the check of the kid that was called last. It notes the kid as that.
func (n *Node) find(sym *uftrace.Symbol) (kid *Node) {
	switch t := n.tables; {
	case sym == nil:
		return nil
	case t != nil:
		kid = t.find(sym)
	default:
		if i := slices.IndexFunc(n.Kids, func(k Kid) bool { return k.sym == sym }); i >= 0 {
			kid = n.Kids[i].Node
		}
	}
	if kid != nil {
		n.last = kid
	}
	return kid
}

// find returns the kid of a symbol, or nil.
func (t *tables) find(sym *uftrace.Symbol) *Node {
	i := t.home(sym)
	for t.bySym[i] != nil && t.bySym[i].Sym != sym {
		i = (i + 1) & (len(t.bySym) - 1)
	}
	return t.bySym[i]
}
