package ctf

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// packet is the packet that a Stream reads.
type packet struct {
	offset        int64  // in the file
	size, content uint64 // in bits
	cpu           int32
	seq, lost     uint64 // counters
	hasSeq, has   bool   // it has them
	begins        bool   // it has the time of its beginning
	end           int64  // of the packet before, in nanoseconds, if ended is set
	ended         bool
	context       []byte // unpacked; nil without fields of its own
}

// ctfMagic begins packets.
const ctfMagic = 0xc1fc1fc1

// nextPacket reads the header of the packet after the current one. The error is io.EOF at the end
// of the file.
func (s *Stream) nextPacket() error {
	if s.pk.size > 0 && !s.pk.begins && s.m.bits[endTimestamp] > 0 { // the next one begins where it ends
		s.m.advance(s.m.values[endTimestamp], int(s.m.bits[endTimestamp]))
	}
	s.pk.offset += int64(s.pk.size / 8)
	s.pk.size, s.pk.content = 0, 0
	if s.pk.offset >= s.file.Size {
		return io.EOF
	}
	whole := uint64(s.file.Size-s.pk.offset) * 8
	if err := s.load(0, s.window, whole); err != nil {
		return err
	}
	s.begin()
	err := s.head()
	for errors.Is(err, errShort) && s.m.end < whole { // a large header
		if err = s.load(0, 2*len(s.m.data), whole); err != nil {
			return err
		}
		s.begin()
		err = s.head()
	}
	if err != nil {
		return s.lose(int64(whole/8), fmt.Errorf("the header of a packet: %w: %w", err, ErrCorrupt))
	}
	return s.measure(whole)
}

// begin forgets the values of the packet before.
func (s *Stream) begin() {
	s.m.at = 0
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
		return fmt.Errorf("no stream has the number %d", id)
	}
	if s.class != t.streams[0] { // slots of other streams have other numbers
		s.begin()
		s.room(s.class)
		if err := s.m.scope(s.class.packetHeader); err != nil {
			return err
		}
	}
	s.m.copying, s.m.out = s.class.packetForm != nil, s.m.out[:0]
	err := s.m.scope(s.class.packetContext)
	s.pk.context = nil
	if s.m.copying {
		s.pk.context = slices.Clone(s.m.out)
	}
	s.m.copying, s.m.out = false, s.m.out[:0]
	return err
}

func (s *Stream) room(c *stream) {
	if cap(s.m.slots) < c.slots {
		s.m.slots = make([]uint64, c.slots)
	}
	s.m.slots = s.m.slots[:c.slots]
}

// measure checks the sizes of the packet, and counts what was lost before it.
func (s *Stream) measure(whole uint64) error {
	v, has := &s.m.values, &s.m.bits
	size := whole
	if has[packetSize] > 0 {
		size = v[packetSize]
	}
	content := size
	if has[contentSize] > 0 {
		content = v[contentSize]
	}
	switch {
	case size == 0 || size%8 != 0 || content > size || s.m.at > size:
		return s.lose(int64(whole/8), fmt.Errorf("a packet of %d bits with %d bits of content, of which the header has %d: %w", size, content, s.m.at, ErrCorrupt))
	case size > whole:
		s.note(int64(whole/8), fmt.Errorf("a packet of %d bytes, of which %d are there: %w", size/8, whole/8, ErrTruncated))
		size, content = whole, min(content, whole)
	}
	s.pk.size, s.pk.content = size, content
	s.pk.cpu = s.file.index
	if s.class.cpu >= 0 {
		s.pk.cpu = int32(min(s.m.slots[s.class.cpu], 1<<31-1))
	}
	s.pk.begins = has[timestamp] > 0
	s.losses()
	s.limit()
	return nil
}

// lose notes damage after which nothing of the file can be read.
func (s *Stream) lose(skipped int64, err error) error {
	s.note(skipped, err)
	return io.EOF
}
