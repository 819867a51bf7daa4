package ctf

import (
	"cmp"
	"slices"
	"sync"

	"github.com/tracec/tracec/runtime/record"
)

// A Loss is reported by a tracer. Either events were dropped between the ends of two packets, or
// packets between the end of one packet and the beginning of the next (docs/spec/ctf.md 5.4).
type Loss struct {
	File    *File
	Class   uint64 // number of the class of the stream
	Stream  uint64 // number of the stream, or the position of its file in the trace
	Packets bool
	Count   uint64
	// From and To are in nanoseconds from the origin of the clock. They are only valid if Timed is
	// set.
	From, To int64
	Timed    bool
	// FromCycles and ToCycles are the same times, in cycles of the clock.
	FromCycles, ToCycles uint64
}

// mostLosses bounds the losses that a recording keeps. A damaged recording may have a loss for each
// packet.
const mostLosses = 1 << 14

// losses are the losses that streams have found so far.
type losses struct {
	mu   sync.Mutex
	list []Loss
	more int64 // number of losses for which the list has no room
}

// join adds losses of one stream, in their order. If there are too many, the last ones are left
// out. So the list does not depend on which stream finds its losses first.
func (l *losses) join(other *losses) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.more += other.more
	for _, x := range other.list {
		at, _ := slices.BinarySearchFunc(l.list, x, func(a, x Loss) int { return cmp.Or(a.compare(x), -1) })
		if len(l.list) == mostLosses {
			if l.more++; at == mostLosses {
				continue
			}
			l.list = l.list[:mostLosses-1]
		}
		l.list = slices.Insert(l.list, at, x)
	}
}

func (l *losses) add(x Loss) { l.join(&losses{list: []Loss{x}}) }

func (x Loss) compare(y Loss) int {
	return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.File.index, y.File.index))
}

// Losses returns the losses that streams have found so far, in the order of time. It returns the
// first thousands. more is the number of the others.
func (r *Recording) Losses() (list []Loss, more int64) {
	r.losses.mu.Lock()
	defer r.losses.mu.Unlock()
	return slices.Clone(r.losses.list), r.losses.more
}

// counters are the counters of a stream at its last packet.
type counters struct {
	seq, lost       uint64
	hasSeq, hasLost bool
	end             Moment // of the packet
	begun           bool   // the packet began after the zero of the clock
}

// losses counts the losses between the end of the previous packet and the end of this one. Counters
// wrap. A counter that decreases otherwise reports no loss: snapshots can have packets in common.
func (s *Stream) losses() {
	v, has := &s.m.values, &s.m.bits
	if has[discarded] > 0 {
		n := s.grown(discarded, s.pk.counts.lost)
		if s.pk.counts.hasLost && n > 0 {
			s.harm.lost = record.AddLost(s.harm.lost, int64(min(n, 1<<62)))
			s.loss(Loss{Count: n}, endTimestamp)
		}
		s.pk.counts.lost, s.pk.counts.hasLost = v[discarded], true
	}
	if has[sequenceNumber] > 0 {
		n := s.grown(sequenceNumber, s.pk.counts.seq)
		if s.pk.counts.hasSeq && n > 1 {
			s.harm.lost = record.LostUnknown
			s.loss(Loss{Count: n - 1, Packets: true}, timestamp)
		}
		s.pk.counts.seq, s.pk.counts.hasSeq = v[sequenceNumber], true
	}
	s.pk.counts.end, s.pk.counts.begun = s.moment(endTimestamp), s.m.bits[timestamp] > 0 && s.m.clock > 0
}

// grown returns the increase of a counter. If a counter is smaller than before, it has wrapped,
// provided that the increase is less than half of its range.
func (s *Stream) grown(r role, before uint64) uint64 {
	now, unused := s.m.values[r], 64-s.m.bits[r]
	if now >= before {
		return now - before
	}
	n := (now - before) << unused >> unused
	if n>>(s.m.bits[r]-1) != 0 && s.m.bits[r] > 1 {
		return 0
	}
	return n
}

// loss notes a loss that ends at a time of the packet.
func (s *Stream) loss(l Loss, to role) {
	if s.harm.quiet {
		return
	}
	l.File, l.Class, l.Stream = s.file, s.class.ID, uint64(slices.Index(s.file.trace.files, s.file))
	if s.m.bits[streamNumber] > 0 {
		l.Stream = s.m.values[streamNumber]
	}
	from, until := s.pk.counts.end, s.moment(to)
	if from.Cycles == 0 && s.pk.counts.begun { // the previous packet was open when its tracer died
		from = s.moment(timestamp)
	}
	if l.Timed = from.Known && until.Known && s.m.bits[endTimestamp] > 0; l.Timed {
		l.From, l.FromCycles, l.To, l.ToCycles = from.Time, from.Cycles, until.Time, until.Cycles
	}
	switch {
	case s.part == nil:
		s.rec.losses.add(l)
	case s.part.Begun: // otherwise it belongs to the previous slice
		s.part.losses.add(l)
	}
	if s.onPacket != nil {
		s.lost = append(s.lost, l)
	}
}
