// Package pair matches the begin and the end of things that events report: a
// system call and its exit, an interrupt, a thread that is woken and then runs.
//
// A [Table] holds what has begun, by key. What cannot be matched is counted by
// [Reason], never dropped silently. Records that report lost events give up all
// open pairs, since a lost event may have ended them.
//
//	calls := pair.Table[int32, int64]{} // by thread: the number of the system call
//	for r, e := range rawsyscalls.Events(rec, &w) {
//		switch {
//		case e.SysEnter != nil:
//			calls.Begin(r.Task, r, e.SysEnter.ID)
//		case e.SysExit != nil:
//			if b, ok := calls.End(r.Task, r); ok {
//				total[b.Value] += r.Time - b.Time
//			}
//		}
//	}
//	calls.Finish()
//
// What comes after a begin and belongs to it, such as its stack, finds it with the [Ref] that Begin
// returns.
//
// # What has no partner
//
// Nothing is dropped silently: what began and is given up is counted by its [Reason], and handed to
// Unpaired. An end of nothing that is open is counted too.
//
// # Lost events
//
// A record that comes after lost ones says so ([record.Record] Lost). Ends can be among them, and
// begins: an end that comes later would be taken for that of an older begin. So all that is open is
// given up at such a record, or, when pairs stay on their processor (PerCPU), all of that
// processor. Begin, End and Last look at the record that they get, once. Records that are read and
// not passed to them go to Lost, if there are any: records that [record.Options] leave out pass
// their Lost on to the next record of their stream. A loss is known at the record after it: an end
// that another processor recorded meanwhile is taken for the right one.
//
// That a loss is of one stream, a processor's or a channel's, does not spare what began on another:
// a thread that began something can go on anywhere, so that its end, or the begin that would have
// replaced it, may have been recorded by any stream. Only the caller knows which pairs stay where
// they begin, and says so with PerCPU, or calls Lost for the streams alone that can have their
// events and hands other records on with a Lost of 0.
//
// Some losses no record says: those after the last one of a stream, and all of traces of LTTng
// before 2.2.
package pair

import "github.com/tracec/tracec/runtime/record"

// DefaultLimit is how many may be open when Table.Limit is 0.
const DefaultLimit = 1 << 16

// Reason says why what began has no end.
type Reason uint8

// The reasons.
const (
	Replaced Reason = iota // another began with its key; not when Nested
	Evicted                // it was the oldest, and too many were open
	Lost                   // events were lost, and its end may be one of them
	Unended                // the recording ended
	Unbegun                // it is an end, and nothing was open
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

// Begun is what has begun.
type Begun[V any] struct {
	Time  uint64 // of the record
	CPU   int32
	Value V
}

// Ref refers to something that has begun, until it ends or is given up. The zero value refers to
// nothing. It is of use to the Table that it comes from alone.
type Ref struct {
	place int32 // in nodes, plus 1
	use   uint32
}

// Table holds what has begun and not ended, by key. The zero value is ready; options are set before
// the first call. It is for one goroutine, and does not allocate for an event once it has been as
// large as it gets.
type Table[K comparable, V any] struct {
	// Limit is how many may be open at once, DefaultLimit when 0. When one more begins, the oldest
	// is given up.
	Limit int
	// Nested keeps all that begin with one key, and an end is that of the last: calls of functions.
	// Otherwise a begin replaces the one before.
	Nested bool
	// PerCPU says that pairs end on the processor on which they begin, such as interrupts: lost
	// events of another do not matter to them.
	PerCPU bool
	// AcrossLost gives up nothing for lost events, as trace-cmd report -w does: times can then be
	// from a begin to the end of a later one.
	AcrossLost bool
	// Unpaired, if non-nil, receives what has begun and is given up. It must not use the Table.
	Unpaired func(key K, b Begun[V], why Reason)

	open   map[K]int32 // the last of each key
	nodes  []node[K, V]
	free   int32 // a list by newer
	oldest int32
	newest int32
	length int
	counts [reasons]uint64
	loss   loss
}

// node is something open. Lists are of positions in nodes plus 1; 0 is none.
type node[K comparable, V any] struct {
	Begun[V]
	key           K
	older, newer  int32
	outer, nested int32  // of the same key
	use           uint32 // how often it was free again, so that a Ref does not find what came after
}

// loss identifies a record after lost ones: several of a stream can have one time, where the clock
// is coarse.
type loss struct {
	time   uint64
	lost   int64
	data   *byte // the first; nil: it has none
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

// Len returns how many are open.
func (t *Table[K, V]) Len() int { return t.length }

// Count returns how many had no partner for a reason.
func (t *Table[K, V]) Count(why Reason) uint64 { return t.counts[why] }

// Begin notes what begins at a record. At finds it by what is returned.
func (t *Table[K, V]) Begin(key K, r *record.Record, v V) Ref {
	t.Lost(r)
	outer := t.open[key]
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
	default:
		t.giveUp(t.oldest, Evicted)
		i, outer = t.free, t.open[key]
		t.free = t.nodes[i-1].newer
	}
	n := &t.nodes[i-1]
	*n = node[K, V]{Begun: Begun[V]{r.Time, r.CPU, v}, key: key, older: t.newest, outer: outer, use: n.use}
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
	if t.open == nil {
		t.open = map[K]int32{}
	}
	t.open[key] = i
	return Ref{i, n.use}
}

func (t *Table[K, V]) limit() int {
	if t.Limit > 0 {
		return t.Limit
	}
	return DefaultLimit
}

// End returns what began last with a key and ends at a record. It returns false when nothing is
// open.
func (t *Table[K, V]) End(key K, r *record.Record) (b Begun[V], ok bool) {
	t.Lost(r)
	i := t.open[key]
	if i == 0 {
		t.counts[Unbegun]++
		return b, false
	}
	b = t.nodes[i-1].Begun
	t.remove(i)
	return b, true
}

// Last returns what End would, and leaves it open; nil when nothing is. It may be changed, until
// the next call.
func (t *Table[K, V]) Last(key K, r *record.Record) *Begun[V] {
	t.Lost(r)
	if i := t.open[key]; i != 0 {
		return &t.nodes[i-1].Begun
	}
	return nil
}

// At returns what a Begin has noted, nil when it is not open any more. It may be changed, until the
// next call.
func (t *Table[K, V]) At(ref Ref) *Begun[V] {
	if ref.place == 0 || t.nodes[ref.place-1].use != ref.use {
		return nil
	}
	return &t.nodes[ref.place-1].Begun
}

// Lost gives up what may have ended in what was lost before a record. It does nothing when that is
// nothing, or when it was called for the record.
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

// Finish gives up all that is open, the oldest first, at the end of a recording. Another one may
// follow.
func (t *Table[K, V]) Finish() {
	t.loss = loss{}
	for t.oldest != 0 {
		t.giveUp(t.oldest, Unended)
	}
}

// giveUp hands out what has no end.
func (t *Table[K, V]) giveUp(i int32, why Reason) {
	n := t.nodes[i-1]
	t.remove(i)
	t.counts[why]++
	if t.Unpaired != nil {
		t.Unpaired(n.key, n.Begun, why)
	}
}

// remove takes a node out of its lists.
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
		t.open[n.key] = n.outer
	default:
		delete(t.open, n.key)
	}
	*n = node[K, V]{newer: t.free, use: n.use + 1}
	t.free = i
	t.length--
}
