package lttng

import (
	"encoding/binary"
	"math/bits"
)

// quick reads events of 2.0 to 2.6 that need only a word, perhaps an id after it, and a payload of
// known size. These are nearly all events. It stops at the first event that needs more, near the
// end of the window, and when the batch is full. packed then reads the event. packed handles all
// events, and both give the same results.
func (s *Stream) quick() {
	b, table := s.sub.buf, s.dec.table.quick
	batch, entries := s.out.records, s.out.entries[:len(s.out.records)]
	big := s.dec.swapped
	aligned := s.dec.head.machine.alignment != 0
	first := 0
	if aligned {
		first = min(s.dec.head.machine.alignment, 4) - 1
	}
	pos, tsc, n := s.sub.pos, s.dec.tsc, s.out.n
	lo, hi, at := s.sub.lo, s.sub.hi, s.sub.at
	kinds, all := s.sel.kinds, s.sel.kinds == nil
	for n < len(batch) && pos+maxEventHeader <= hi {
		p := (pos + first) &^ first
		w := binary.LittleEndian.Uint32(b[p-lo:])
		if big {
			w = bits.ReverseBytes32(w)
		}
		id := w >> shortBits
		p += 4
		switch {
		case id == withID:
			short := binary.LittleEndian.Uint16(b[p-lo:])
			if big {
				short = bits.ReverseBytes16(short)
			}
			id = uint32(short)
			p += 2
		case id >= withTSC:
			id = ^uint32(0)
		}
		if uint(id) >= uint(len(table)) {
			break
		}
		k := &table[id]
		if k.marker == nil {
			break
		}
		if aligned {
			pad := int(k.pad)
			p = (p + pad) &^ pad
		}
		next := p + int(k.size)
		if next > hi {
			break
		}
		stamp := uint64(w & shortMask)
		if stamp < tsc&shortMask {
			tsc += 1 << shortBits
		}
		tsc = tsc&^shortMask | stamp
		if !all {
			if w := uint(k.index >> 6); w >= uint(len(kinds)) || kinds[w]>>(k.index&63)&1 == 0 {
				pos = next
				continue
			}
		}
		r, e := &batch[n], &entries[n]
		r.Data, r.ID, r.Lost = b[p-lo:next-lo:next-lo], k.index, 0
		e.Marker, e.TSC, e.Offset = k.marker, tsc, at+int64(pos)
		n, pos = n+1, next
	}
	s.out.n, s.sub.pos, s.dec.tsc = n, pos, tsc
}

// finish sets the fields that all records of a batch share, and the times. One loop of divisions is
// faster than single divisions.
func (s *Stream) finish() {
	batch := s.out.records[:s.out.n]
	cpu, index := int32(s.file.CPU), s.index
	for i := range batch {
		r := &batch[i]
		r.CPU, r.Task, r.Stream = cpu, -1, index
	}
	s.trace.clock.times(batch, s.out.entries[:s.out.n])
}
