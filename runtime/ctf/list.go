package ctf

import (
	"bytes"
	"errors"
	"io"
)

// mostProbes bounds the number of places that are tried in search of a packet. leastUnit is the
// minimum number of bytes between them.
const (
	mostProbes = 8
	leastUnit  = 64
)

// A lister lists the packets of a file. It skips some of them without reading their headers.
type lister struct {
	*Stream
	sig  []byte // of packets
	unit int64  // a divisor of the sizes of all packets so far
}

// somePackets lists packets of a file, about every bytes apart. 0 lists all of them. It returns nil
// if they are not in the order of time, if they do not have the time of their beginning, or if they
// are too many for the memory. If all are listed, it also returns nil for damage.
//
// The reader of a packet must check that it really is one: data may look like its header.
func (r *Recording) somePackets(f *File, every int64) (list []packetRef) {
	s := lister{Stream: r.surveyor(f), sig: f.trace.signature()}
	defer s.Close()
	if s.start() != nil {
		return nil
	}
	for next := int64(0); ; {
		s.harm.lost = 0
		err := s.pass(next)
		if errors.Is(err, io.EOF) && (s.harm.faults == 0 || every > 0) {
			return list
		}
		if err != nil || s.harm.faults > 0 && every == 0 || !s.pk.timed || r.memory.Take(refBytes) != nil {
			r.memory.Give(int64(len(list)) * refBytes)
			return nil
		}
		k := &s.class.clock
		next = s.pk.offset + every
		p := packetRef{file: f, offset: s.pk.offset, begin: s.pk.begin, end: s.pk.end, seq: s.pk.counts.seq,
			size: int64(s.pk.size / 8), time: k.nanoseconds(s.pk.begin),
			idle: s.m.at >= s.pk.content && s.harm.lost == 0}
		p.last = max(p.time, k.nanoseconds(s.pk.end))
		if n := len(list); n > 0 && p.time < list[n-1].time {
			r.memory.Give(int64(n+1) * refBytes)
			return nil
		}
		list = append(list, p)
	}
}

// pass moves to the next packet that ends after a place, or to a packet soon after that.
func (s *lister) pass(place int64) error {
	if size := int64(s.pk.size / 8); size > 0 {
		s.unit = divisor(size, s.unit)
		if place-s.pk.offset >= 2*size && s.jump(place) {
			return nil
		}
	}
	for {
		if s.win.most = surveyWindow; s.pk.size > 0 && s.pk.size/8 < smallPacket {
			s.win.most = windowBytes
		}
		if err := s.nextPacket(); err != nil {
			return err
		}
		if s.pk.offset+int64(s.pk.size/8) > place {
			return nil
		}
	}
}

// divisor returns the greatest common divisor.
func divisor(a, b int64) int64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// jump moves to a packet at a place or soon after it. It tries the places at which a packet can be,
// by the sizes of others. If there is none, it does not move, and returns false. Without a
// signature, the packet must have the size of the current one, and so must all packets between the
// two.
func (s *lister) jump(place int64) bool {
	m, pk, faults, probes := s.m, s.pk, s.harm.faults, mostProbes
	if len(s.sig) == 0 {
		s.unit, probes = int64(pk.size/8), 1
	}
	if s.unit < leastUnit {
		return false
	}
	s.win.most = surveyWindow
	var found [20]byte // a magic number and a UUID
	for at := pk.offset + (place-pk.offset)/s.unit*s.unit; probes > 0 && at < s.win.size; at += s.unit {
		probes--
		b := found[:len(s.sig)]
		if _, err := s.win.src.ReadAt(b, at); !bytes.Equal(b, s.sig) || err != nil && !errors.Is(err, io.EOF) {
			continue
		}
		s.pk.offset = at
		if err := s.enter(); err == nil && s.harm.faults == faults && (len(s.sig) > 0 || s.pk.size == pk.size) {
			return true
		}
		s.m, s.pk, s.harm.faults = m, pk, faults
	}
	return false
}
