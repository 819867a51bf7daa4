package babeltrace

import (
	"context"
	"errors"
	"io"
	"math"

	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/metadata"
	"github.com/tracec/tracec/runtime/record"
)

// kind is a kind of message that babeltrace2's components exchange. The kinds are in the order in
// which sink.utils.counter prints them.
type kind uint8

const (
	anEvent kind = iota
	streamBegin
	streamEnd
	packetBegin
	packetEnd
	lostEvents
	lostPackets
	kinds // their number
)

// message is a message of a stream. It is valid until the next one of the stream.
type message struct {
	kind   kind
	from   ctf.Moment // its time
	to     ctf.Moment // the end of a loss
	count  uint64     // of a loss
	packet *ctf.Packet
	event  *record.Record
	entry  *ctf.Entry
}

// open reports whether a message is at an end of its stream and the time of this end is unknown.
func (m *message) open() bool {
	return (m.kind == streamBegin || m.kind == streamEnd) && !m.from.Known
}

// sender sends the messages of a stream.
type sender struct {
	stream  *ctf.Stream
	class   *metadata.Stream // nil until a packet is read
	packets []*ctf.Packet    // of the batch
	batch   record.Batch[ctf.Entry]
	queue   []message // of the batch
	at      int       // in queue
	open    *ctf.Packet
	last    ctf.Moment // of the last event in the open packet
	ended   bool
	err     error
	trim    *trimmer // nil if all messages are passed on
}

func newSender(s *ctf.Stream) *sender {
	x := &sender{stream: s, queue: []message{{kind: streamBegin}}}
	s.OnPacket(func(p *ctf.Packet) { x.packets, x.class = append(x.packets, p), p.Class })
	return x
}

// head returns the next message, or nil at the end.
func (s *sender) head(ctx context.Context) *message {
	for s.at == len(s.queue) {
		if s.ended {
			return nil
		}
		s.read(ctx)
	}
	return &s.queue[s.at]
}

// read reads a batch.
func (s *sender) read(ctx context.Context) {
	s.packets, s.queue, s.at = s.packets[:0], s.queue[:0], 0
	defer s.limit()
	err := ctx.Err()
	if s.batch = (record.Batch[ctf.Entry]{}); err == nil {
		s.batch, err = s.stream.Next()
	}
	next := 0
	for i := range len(s.batch.Records) + 1 {
		for ; next < len(s.packets) && s.packets[next].Before <= i; next++ {
			s.enter(s.packets[next])
		}
		if i < len(s.batch.Records) {
			r, e := &s.batch.Records[i], &s.batch.Entries[i]
			m := message{kind: anEvent, event: r, entry: e}
			if e.Event.Stream.Clock != nil {
				m.from = ctf.Moment{Cycles: e.Cycles, Time: e.Event.Base() + int64(r.Time), Known: true}
				s.last = m.from
			}
			s.queue = append(s.queue, m)
		}
	}
	if err == nil {
		return
	}
	if !errors.Is(err, io.EOF) {
		s.err = err
	}
	s.leave()
	s.queue = append(s.queue, message{kind: streamEnd})
	s.ended = true
}

// limit replaces the queue with the messages that the trimmer passes on.
func (s *sender) limit() {
	if s.trim != nil {
		s.queue = s.trim.pass(s.queue)
		s.ended = s.ended || s.trim.done
	}
}

// enter ends the previous packet and begins p.
func (s *sender) enter(p *ctf.Packet) {
	s.leave()
	for _, x := range p.Losses {
		m := message{kind: lostEvents, count: x.Count, packet: p}
		if x.Packets {
			m.kind = lostPackets
		}
		if x.Timed {
			m.from = ctf.Moment{Cycles: x.FromCycles, Time: x.From, Known: true}
			m.to = ctf.Moment{Cycles: x.ToCycles, Time: x.To, Known: true}
		}
		s.queue = append(s.queue, m)
	}
	s.queue = append(s.queue, message{kind: packetBegin, from: p.Begin, packet: p})
	s.open, s.last = p, p.Begin
}

func (s *sender) leave() {
	p := s.open
	if p == nil {
		return
	}
	end := p.End
	if end.Known && end.Cycles == 0 { // left open by a program that died (docs/spec/ctf.md 6.4)
		end = s.last
	}
	s.queue = append(s.queue, message{kind: packetEnd, from: end, packet: p})
	s.open = nil
}

// each calls do for all messages of a recording in the order of time. A message without a time gets
// the time of the previous message. If streams have messages of the same time, they are in the
// order of [ctf.Recording.Streams].
func each(ctx context.Context, senders []*sender, do func(*sender, *message) error) error {
	last := int64(math.MinInt64)
	for {
		var first *sender
		at := int64(0)
		for _, s := range senders {
			m := s.head(ctx)
			if m == nil {
				continue
			}
			t := last
			if m.from.Known {
				t = m.from.Time
			}
			if first == nil || t < at {
				first, at = s, t
			}
		}
		if first == nil {
			return nil
		}
		last = at
		if err := do(first, &first.queue[first.at]); err != nil {
			return err
		}
		first.at++
	}
}
