package ctf

import (
	"errors"
	"math"
	"math/bits"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// A Moment is a time of a packet.
type Moment struct {
	Cycles uint64
	Time   int64 // in nanoseconds from the origin of the clock
	Known  bool  // the packet has this time
}

// moment returns a time of the packet whose header was read last.
func (s *Stream) moment(r role) Moment {
	if s.m.bits[r] == 0 {
		return Moment{}
	}
	m, k := machine{clock: s.m.clock}, &s.class.clock
	if r != timestamp {
		m.advance(s.m.values[r], ones(int(s.m.bits[r])))
	}
	return Moment{m.clock, k.base + int64(k.nanoseconds(m.clock)), true}
}

// MomentAt returns the last cycle of a clock that is not after a time. ns is the time in
// nanoseconds from the origin. Before the zero of the clock, it returns cycle 0.
func MomentAt(c *metadata.Clock, ns int64) Moment {
	k := clockOf(c)
	var cycles uint64
	if since := ns - k.base - k.offset; since > 0 {
		if hi, lo := bits.Mul64(uint64(since), k.hz); hi < second {
			cycles, _ = bits.Div64(hi, lo, second)
		} else {
			cycles = math.MaxUint64
		}
	}
	return Moment{cycles, k.base + int64(k.nanoseconds(cycles)), true}
}

// A Packet is a packet that a stream enters.
type Packet struct {
	Class      *metadata.Stream
	Begin, End Moment
	// Context is the packet's context, as in [Entry.Packet]. Form is its form. Both are nil if
	// packets have no fields of their own.
	Context []byte
	Form    *Form
	// Losses are the losses that end in this packet.
	Losses []Loss
	// Before is the number of events before the packet in the current batch.
	Before int
}

// packetTold is the state of a stream that reports its packets.
type packetTold struct {
	onPacket func(*Packet)
	lost     []Loss // losses since the previous packet
	n        int    // packets that were reported in this batch
}

// errManyTold ends a batch without records after many packets, or after many events without a
// record.
var errManyTold = errors.New("many packets without events")

// OnPacket makes the stream call do for each packet that it enters, even if the packet has no
// event. do may keep the contents of the Packet. OnPacket must be called before the first call of
// Next. A batch may then have no record, and options do not apply.
func (s *Stream) OnPacket(do func(*Packet)) { s.onPacket = do }

func (s *Stream) tell() {
	if s.onPacket == nil {
		return
	}
	s.onPacket(&Packet{Class: s.class.Stream, Begin: s.moment(timestamp), End: s.moment(endTimestamp),
		Context: s.pk.context, Form: s.class.packetForm, Losses: s.lost, Before: len(s.made.records)})
	s.lost = nil
	s.n++
}
