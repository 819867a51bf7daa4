// Package pair matches the begins and ends that events report, such as a system call and its exit,
// an interrupt, or a thread that is woken and then runs.
//
// A [Table] holds the open begins, by key. Begins and ends without a partner are counted by
// [Reason]. A record that reports lost events gives up all open pairs, because a lost event may
// have ended them.
//
//	calls := pair.Table[int32, int64]{} // by thread: the number of the system call
//	for r, e := range dec.Events(ctx, record.Options{}) {
//		switch e := e.(type) {
//		case *rawsyscalls.SysEnter:
//			calls.Begin(r.Task, r, e.ID)
//		case *rawsyscalls.SysExit:
//			if b, ok := calls.End(r.Task, r); ok {
//				total[b.Value] += r.Time - b.Time
//			}
//		}
//	}
//	calls.Finish()
//
// A later event that belongs to a begin, such as its stack, finds it with the [Ref] that Begin
// returns.
//
// # Events without a partner
//
// Nothing is dropped silently. A begin that is given up is counted by its [Reason] and passed to
// Unpaired. An end without a begin is counted as well.
//
// # Lost events
//
// A record after lost events reports them ([record.Record] Lost). The lost events may be ends or
// begins, so a later end could be paired with an older begin. Therefore all open pairs are given up
// at such a record. If pairs stay on their processor (PerCPU), only the pairs of that processor are
// given up. Begin, End and Last check each record they get, once. Pass records that you read but do
// not pass to these methods to Lost. Records that [record.Options] leave out need no call: they
// pass their Lost on to the next record of their stream. A loss is known only at the record after
// it. An end that another processor recorded meanwhile is paired normally.
//
// A loss in one stream, of a processor or a channel, also affects pairs that began in another. A
// thread can continue anywhere, so any stream may have recorded its end, or a begin that would have
// replaced it. Only the caller knows which pairs stay where they begin. It can set PerCPU. Or it
// can call Lost only for the streams that can have the events, and pass other records on with a
// Lost of 0.
//
// Some losses are not recorded: losses after the last record of a stream, and all losses in traces
// of LTTng before 2.2.
package pair

import (
	"hash/maphash"

	"github.com/tracec/tracec/runtime/record"
)

// DefaultLimit is the limit of open begins if Table.Limit is 0.
const DefaultLimit = 1 << 16

// A Reason is the reason why a begin or an end has no partner.
type Reason uint8

// The reasons.
const (
	Replaced Reason = iota // another begin with its key followed; not if Nested
	Evicted                // it was the oldest of too many open ones
	Lost                   // events were lost, possibly including its end
	Unended                // the recording has ended
	Unbegun                // an end without an open begin
	reasons
)

var reasonNames = [reasons]string{"replaced", "evicted", "lost", "unended", "unbegun"}

// String returns the name of the constant in lower case.
func (r Reason) String() string {
	if r < reasons {
		return reasonNames[r]
	}
	return "unknown"
}

// Begun is a begin.
type Begun[V any] struct {
	Time  uint64 // of the record
	CPU   int32
	Value V
}

// A Ref refers to a begin until it ends or is given up. The zero value refers to nothing. It is
// valid only for the Table that returned it.
type Ref struct {
	place int32 // in nodes, plus 1
	use   uint32
}

// A Table holds the open begins by key. The zero value is ready. Set options before the first call.
// A Table is for one goroutine. It does not allocate for an event once it has reached its largest
// size.
type Table[K comparable, V any] struct {
	// Limit is the number of begins that may be open at once. If 0, it is DefaultLimit. One more
	// begin gives up the oldest.
	Limit int
	// Nested keeps all open begins of a key. An end belongs to the last one, as for calls of
	// functions. Otherwise a begin replaces the one before.
	Nested bool
	// PerCPU declares that pairs end on the processor on which they begin, as interrupts do. Lost
	// events of other processors then do not affect them.
	PerCPU bool
	// AcrossLost ignores lost events, as trace-cmd report -w does. A begin may then be paired with
	// the end of a later one.
	AcrossLost bool
	// Unpaired, if non-nil, is called for each begin that is given up. It must not use the Table.
	Unpaired func(key K, b Begun[V], why Reason)

	// chains has a list of nodes for each hash, with the last begin of each key. The number of
	// lists is a power of two, and at least the number of nodes. A map of Go takes twice the time.
	chains []int32
	seed   maphash.Seed
	asked  hashed[K] // the last key, which is often used again
	nodes  []node[K, V]
	free   int32 // a list linked by newer
	oldest int32
	newest int32
	length int
	counts [reasons]uint64
	loss   loss
}

// A node is an open begin. Lists use indexes of nodes plus 1; 0 is the end of a list.
type node[K comparable, V any] struct {
	Begun[V]
	hashed[K]
	older, newer  int32
	outer, nested int32  // of the same key
	chain         int32  // the next one of the list of a hash
	use           uint32 // number of times it was freed, so that a Ref does not find a later begin
}

// hashed is a key and its hash.
type hashed[K comparable] struct {
	key  K
	hash uint64
}

// A loss identifies a record after lost events. Several records of a stream can have the same time
// if the clock is coarse.
type loss struct {
	time   uint64
	lost   int64
	data   *byte // address of the first byte; nil if there is no data
	stream int32
	id     uint32
}

func newLoss(r *record.Record) loss {
	l := loss{time: r.Time, lost: r.Lost, stream: r.Stream, id: r.ID}
	if len(r.Data) > 0 {
		l.data = &r.Data[0]
	}
	return l
}

// Len returns the number of open begins.
func (t *Table[K, V]) Len() int { return t.length }

// Count returns the number of begins and ends without a partner for a reason.
func (t *Table[K, V]) Count(why Reason) uint64 { return t.counts[why] }

// Begin notes a begin at a record. At finds it by the result.
func (t *Table[K, V]) Begin(key K, r *record.Record, v V) Ref {
	t.Lost(r)
	k := t.hash(key)
	outer := *t.find(k)
	if outer != 0 && !t.Nested {
		t.giveUp(outer, Replaced)
		outer = 0
	}
	i := t.free
	switch limit := t.limit(); {
	case i != 0:
		t.free = t.nodes[i-1].newer
	case len(t.nodes) < limit:
		t.nodes = append(t.nodes, node[K, V]{})
		i = int32(len(t.nodes))
		if len(t.nodes) > len(t.chains) {
			t.grow()
		}
	default:
		t.giveUp(t.oldest, Evicted)
		i, outer = t.free, *t.find(k)
		t.free = t.nodes[i-1].newer
	}
	n := &t.nodes[i-1]
	*n = node[K, V]{Begun: Begun[V]{r.Time, r.CPU, v}, hashed: k, older: t.newest, outer: outer, use: n.use}
	if outer != 0 {
		t.nodes[outer-1].nested = i
	}
	if t.newest != 0 {
		t.nodes[t.newest-1].newer = i
	} else {
		t.oldest = i
	}
	t.newest = i
	t.length++
	t.link(t.find(k), i)
	return Ref{i, n.use}
}

// hash returns a key with its hash.
func (t *Table[K, V]) hash(key K) hashed[K] {
	if len(t.chains) == 0 {
		t.seed, t.chains = maphash.MakeSeed(), make([]int32, 8)
	} else if key == t.asked.key {
		return t.asked
	}
	t.asked = hashed[K]{key, maphash.Comparable(t.seed, key)}
	return t.asked
}

// find returns the link to the last begin of a key. The link is 0 if none is open.
func (t *Table[K, V]) find(k hashed[K]) *int32 {
	link := &t.chains[k.hash&uint64(len(t.chains)-1)]
	for *link != 0 && t.nodes[*link-1].key != k.key {
		link = &t.nodes[*link-1].chain
	}
	return link
}

// link makes node i the last begin of its key. It replaces the node to which link leads.
func (t *Table[K, V]) link(link *int32, i int32) {
	if *link != 0 {
		t.nodes[i-1].chain = t.nodes[*link-1].chain
	}
	*link = i
}

// grow doubles the number of chains.
func (t *Table[K, V]) grow() {
	t.chains = make([]int32, 2*len(t.chains))
	for i := t.oldest; i != 0; i = t.nodes[i-1].newer {
		t.nodes[i-1].chain = 0
		t.link(t.find(t.nodes[i-1].hashed), i)
	}
}

func (t *Table[K, V]) limit() int {
	if t.Limit > 0 {
		return t.Limit
	}
	return DefaultLimit
}

// End removes and returns the last begin of a key, which ends at a record. It returns false if none
// is open.
func (t *Table[K, V]) End(key K, r *record.Record) (b Begun[V], ok bool) {
	t.Lost(r)
	i := *t.find(t.hash(key))
	if i == 0 {
		t.counts[Unbegun]++
		return b, false
	}
	b = t.nodes[i-1].Begun
	t.remove(i)
	return b, true
}

// Last returns the begin that End would return, and leaves it open. It returns nil if none is open.
// The caller may change it until the next call.
func (t *Table[K, V]) Last(key K, r *record.Record) *Begun[V] {
	t.Lost(r)
	if i := *t.find(t.hash(key)); i != 0 {
		return &t.nodes[i-1].Begun
	}
	return nil
}

// At returns the begin that Begin has noted, or nil if it is not open any more. The caller may
// change it until the next call.
func (t *Table[K, V]) At(ref Ref) *Begun[V] {
	if ref.place == 0 || t.nodes[ref.place-1].use != ref.use {
		return nil
	}
	return &t.nodes[ref.place-1].Begun
}

// Lost gives up the begins that may have ended in a loss before a record. It does nothing if there
// is no loss, or if it has already been called for the record.
func (t *Table[K, V]) Lost(r *record.Record) {
	if r.Lost == 0 || t.AcrossLost {
		return
	}
	this := newLoss(r)
	if this == t.loss {
		return
	}
	t.loss = this
	for i := t.oldest; i != 0; {
		n := &t.nodes[i-1]
		newer := n.newer
		if !t.PerCPU || n.CPU == r.CPU {
			t.giveUp(i, Lost)
		}
		i = newer
	}
}

// Finish gives up all open begins, the oldest first, at the end of a recording. Another recording
// may follow.
func (t *Table[K, V]) Finish() {
	t.loss = loss{}
	for t.oldest != 0 {
		t.giveUp(t.oldest, Unended)
	}
}

// giveUp reports a begin without an end.
func (t *Table[K, V]) giveUp(i int32, why Reason) {
	n := t.nodes[i-1]
	t.remove(i)
	t.counts[why]++
	if t.Unpaired != nil {
		t.Unpaired(n.key, n.Begun, why)
	}
}

// remove removes a node from its lists.
func (t *Table[K, V]) remove(i int32) {
	n := &t.nodes[i-1]
	if n.older != 0 {
		t.nodes[n.older-1].newer = n.newer
	} else {
		t.oldest = n.newer
	}
	if n.newer != 0 {
		t.nodes[n.newer-1].older = n.older
	} else {
		t.newest = n.older
	}
	if n.outer != 0 {
		t.nodes[n.outer-1].nested = n.nested
	}
	switch {
	case n.nested != 0:
		t.nodes[n.nested-1].outer = n.outer
	case n.outer != 0:
		t.link(t.find(n.hashed), n.outer)
	default:
		*t.find(n.hashed) = n.chain
	}
	*n = node[K, V]{newer: t.free, use: n.use + 1}
	t.free = i
	t.length--
}
