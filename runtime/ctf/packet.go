package ctf

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tracec/tracec/runtime/record"
)

// packet is the packet that a Stream reads.
type packet struct {
	offset        int64  // in the file
	size, content uint64 // in bits
	guess         uint64 // a recorded size that may be right, otherwise 0
	cpu           int32
	begins        bool // the packet has the time of its begin
	counts        counters
	context       []byte // unpacked; nil if it has no fields of its own
	begin, end    uint64 // in cycles; an end of 0 is unknown
	timed         bool   // the packet has the whole time of its begin
}

// ctfMagic is the first word of packets.
const ctfMagic = 0xc1fc1fc1

// nextPacket moves to the next packet in the time window. The error is io.EOF at the end of the
// stream.
func (s *Stream) nextPacket() error {
	for {
		if s.pk.size > 0 && !s.pk.begins && s.m.bits[endTimestamp] > 0 { // the next packet begins where this one ends
			s.m.advance(s.m.values[endTimestamp], ones(int(s.m.bits[endTimestamp])))
		}
		if s.packets.list == nil {
			s.pk.offset += int64(s.pk.size / 8)
		}
		if s.part != nil && s.part.started {
			s.passIdle()
		}
		if s.packets.list != nil {
			if err := s.nextListed(); err != nil {
				return err
			}
		}
		s.pk.size = 0
		if s.grow != nil {
			if err := s.await(); err != nil {
				return err
			}
		}
		if s.packets.list == nil && s.pk.offset >= s.win.size {
			return io.EOF
		}
		if s.unwanted != nil {
			s.win.most = windowBytes
			if s.isUnwanted() { // only its header is read
				s.win.most = surveyWindow
			}
		}
		if err := s.enterOrResync(); err != nil {
			return err
		}
		s.packets.at++
		if s.pk.offset >= s.win.size || s.pk.size == 0 { // nothing was found
			continue
		}
		if s.isOver() {
			return io.EOF
		}
		switch isOutside := s.passes(); {
		case !isOutside && s.harm.lost == 0 && s.isUnwanted():
			continue
		case !isOutside:
			s.tell()
			return nil
		}
		if s.m.at < s.pk.content {
			s.harm.lost = 0 // the loss was before an event that is skipped
		}
	}
}

// enterOrResync reads the header of the packet, or moves to the next packet with an intact header.
// pk.size is 0 if there is none.
func (s *Stream) enterOrResync() error {
	clock, counts, lost := s.m.clock, s.pk.counts, s.harm.lost
	err := s.enter()
	if err == nil {
		return nil
	}
	s.m.clock, s.pk.counts, s.harm.lost = clock, counts, lost
	if errors.Is(err, errWait) || len(s.made.records) > 0 { // try again when these records are delivered
		s.pk.size = 0
		return errWait
	}
	if s.packets.list != nil {
		s.note(s.packets.list[s.packets.at].size, err)
		s.harm.lost = record.LostUnknown
		return nil
	}
	s.resync(err)
	return nil
}

// enter reads the header of the packet.
func (s *Stream) enter() error {
	whole := uint64(s.win.size-s.pk.offset) * 8
	if err := s.look(whole); err != nil {
		return err
	}
	return s.measure(whole)
}

// look reads the fields of the header of the packet. whole is the size of the rest of the file in
// bits.
func (s *Stream) look(whole uint64) error {
	s.pk.content, s.pk.guess = 0, 0
	for least := headBytes; ; least = 2 * len(s.m.data) {
		if err := s.show(0, least, whole); err != nil {
			return err
		}
		s.begin()
		err := s.head()
		if errors.Is(err, errShort) && s.m.end < whole {
			continue
		}
		if err != nil {
			err = fmt.Errorf("the header of a packet: %w: %w", err, ErrCorrupt)
		}
		return err
	}
}

// begin resets the values of the previous packet.
func (s *Stream) begin() {
	s.m.at, s.m.idle = 0, 0
	clear(s.m.bits[:])
	s.m.big = s.file.trace.BigEndian
}

// head reads the packet header and the packet context.
func (s *Stream) head() error {
	t := s.file.trace
	s.class = t.streams[0]
	s.room(s.class)
	if err := s.m.scope(s.class.packetHeader); err != nil {
		return err
	}
	if s.m.bits[magicNumber] > 0 && s.m.values[magicNumber] != ctfMagic {
		return fmt.Errorf("the magic number is %#x", s.m.values[magicNumber])
	}
	id := uint64(0)
	if s.m.bits[streamClass] > 0 {
		id = s.m.values[streamClass]
	} else if len(t.streams) == 1 {
		id = t.streams[0].ID
	}
	found := false
	for _, c := range t.streams {
		if c.ID == id {
			s.class, found = c, true
		}
	}
	if !found {
		return undescribed{fmt.Errorf("no stream has the number %d", id)}
	}
	if s.class != t.streams[0] { // slots of other streams have other numbers
		s.begin()
		s.room(s.class)
		if err := s.m.scope(s.class.packetHeader); err != nil {
			return err
		}
	}
	out := len(s.m.out) // the records of the batch are before it
	s.m.copying = s.class.packetForm != nil && !s.harm.quiet
	err := s.m.scope(s.class.packetContext)
	s.pk.context = nil
	if s.m.copying {
		s.pk.context = slices.Clone(s.m.out[out:])
	}
	s.m.copying, s.m.out = false, s.m.out[:out]
	return err
}

func (s *Stream) room(c *stream) {
	if cap(s.m.slots) < c.slots {
		s.m.slots = make([]uint64, c.slots)
	}
	s.m.slots = s.m.slots[:c.slots]
}

// sizes returns the recorded sizes of the packet whose header was read.
func (s *Stream) sizes(whole uint64) (size, content uint64, err error) {
	size = whole
	if s.m.bits[packetSize] > 0 {
		size = s.m.values[packetSize]
	}
	content = size
	if s.m.bits[contentSize] > 0 {
		content = s.m.values[contentSize]
	}
	if size%8 == 0 && size >= s.m.at && size < whole {
		s.pk.guess = size
	}
	if size == 0 || size%8 != 0 || content > size || s.m.at > content {
		err = fmt.Errorf("a packet of %d bits with %d bits of content, but its header has %d: %w", size,
			content, s.m.at, ErrCorrupt)
	}
	return size, content, err
}

// measure checks the sizes of the packet, and counts the losses before it.
func (s *Stream) measure(whole uint64) error {
	v, has := &s.m.values, &s.m.bits
	size, content, err := s.sizes(whole)
	if err != nil {
		return err
	}
	if size > whole {
		if len(s.made.records) > 0 {
			return errWait // the search may replace the window
		}
		size, content = s.cut(size, content, whole)
	}
	s.pk.size, s.pk.content = size, content
	s.pk.cpu = s.file.index
	if s.class.cpu >= 0 {
		s.pk.cpu = int32(min(s.m.slots[s.class.cpu], 1<<31-1))
	}
	s.pk.begin, s.pk.timed = s.m.clock, has[timestamp] == 64
	s.pk.end = 0
	if has[endTimestamp] == 64 {
		s.pk.end = v[endTimestamp]
	}
	s.pk.begins = has[timestamp] > 0
	s.losses()
	s.m.end = min(s.m.end, content)
	return nil
}

// cut returns the sizes of a packet that is longer than the rest of its file. If another packet
// follows, the packet ends where that one begins.
func (s *Stream) cut(size, content, whole uint64) (uint64, uint64) {
	next, ok := s.find(s.pk.offset+int64(s.m.at/8)+1, 0)
	if !ok {
		s.note(int64((size-whole)/8), fmt.Errorf("a packet of %d bytes, of which the file has %d: %w", size/8, whole/8,
			ErrTruncated))
		return whole, min(content, whole)
	}
	all := uint64(next-s.pk.offset) * 8
	s.note(0, fmt.Errorf("a packet of %d bytes, but another one begins after %d: %w", size/8, all/8, ErrCorrupt))
	return all, min(content, all)
}
