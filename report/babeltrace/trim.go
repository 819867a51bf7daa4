package babeltrace

import (
	"fmt"

	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// trimmer passes on the messages of a stream that are within bounds, as filter.utils.trimmer does
// (docs/spec/ctf.md 7.6). A stream or a packet that is open at a bound begins or ends there. A loss
// across a bound is cut, and its number is then unknown.
type trimmer struct {
	bounds
	clock   *metadata.Clock
	out     []message
	seen    bool        // a message of the stream is before the first bound
	begun   bool        // the beginning of the stream is passed on
	timed   bool        // a message with a time is passed on
	any     bool        // an event is passed on
	done    bool        // the end of the stream is passed on, or the stream has no message in bounds
	open    *ctf.Packet // the packet of the last message
	pending []message   // losses across the first bound
}

// canTrim returns an error if the messages of a stream have no times to compare.
func canTrim(t *ctf.Trace, s *metadata.Stream) error {
	switch {
	case s.Clock == nil:
		return fmt.Errorf("%s: streams of class %d have no clock for %s", t.Path, s.ID, windowOptions)
	case !hasRole(s.PacketContext, metadata.Timestamp), !hasRole(s.PacketContext, metadata.EndTimestamp):
		return fmt.Errorf("%s: packets of streams of class %d have no times of begin and end, for %s", t.Path, s.ID,
			windowOptions)
	}
	return nil
}

// pass returns the messages to pass on. The result is valid until the next call.
func (t *trimmer) pass(list []message) []message {
	t.out = t.out[:0]
	for i := range list {
		if m := &list[i]; !t.done {
			t.message(m)
		}
	}
	return t.out
}

func (t *trimmer) message(m *message) {
	if m.kind == packetBegin {
		t.clock = m.packet.Class.Clock
	}
	switch {
	case m.kind == streamBegin: // passed on with the first message of the stream
	case m.kind == streamEnd:
		if t.done = true; !t.begun && !t.seen { // the stream has no other messages
			t.begin()
		}
		if t.begun {
			t.out = append(t.out, *m)
		}
	case m.from.Known && m.from.Time < t.from:
		t.early(m)
	case m.from.Known && m.from.Time > t.to:
		t.end()
	default:
		t.begin()
		t.keep(*m)
	}
}

// early notes a message before the first bound.
func (t *trimmer) early(m *message) {
	t.seen = true
	t.follow(m)
	if m.to.Known && m.to.Time > t.from {
		late := *m
		late.from, late.count = t.moment(t.from), 0
		t.pending = append(t.pending, late)
	}
}

// follow notes the packet that is open after a message.
func (t *trimmer) follow(m *message) {
	switch m.kind {
	case packetBegin:
		t.open = m.packet
	case packetEnd:
		t.open = nil
	}
}

// begin passes on the beginning of the stream. If the stream began before the first bound, it
// begins there.
func (t *trimmer) begin() {
	if t.begun {
		return
	}
	if t.begun = true; !t.seen {
		t.out = append(t.out, message{kind: streamBegin})
		return
	}
	at := t.moment(t.from)
	t.timed = true
	t.out = append(t.out, message{kind: streamBegin, from: at})
	if t.open != nil {
		t.out = append(t.out, message{kind: packetBegin, from: at, packet: t.open})
	}
	for _, m := range t.pending {
		t.keep(m)
	}
}

// keep passes on a message.
func (t *trimmer) keep(m message) {
	if m.to.Known && m.to.Time > t.to {
		m.to, m.count = t.moment(t.to), 0
	}
	t.timed, t.any = t.timed || m.from.Known, t.any || m.kind == anEvent
	t.follow(&m)
	t.out = append(t.out, m)
}

// end passes on the end of the stream at the last bound. If no message was passed on before, the
// beginning is passed on first.
func (t *trimmer) end() {
	t.begin()
	t.done = true
	end := message{kind: streamEnd}
	if t.timed {
		end.from = t.moment(t.to)
	}
	if t.open != nil {
		t.out = append(t.out, message{kind: packetEnd, from: end.from, packet: t.open})
	}
	t.out = append(t.out, end)
}

// moment returns a bound as a time of the stream's clock.
func (t *trimmer) moment(ns int64) ctf.Moment { return ctf.MomentAt(t.clock, ns) }
