package aix

import (
	"encoding/binary"
	"math"

	"github.com/tracec/tracec/runtime/record"
)

// walked is the reason why a walk stopped.
type walked uint8

const (
	walkOn      walked = iota // it did not stop
	walkFull                  // the batch is full
	walkMore                  // more of the region is needed, or the next one
	walkCorrupt               // the current entry, or the bytes after it, look wrong
)

// walk decodes entries of the window as long as each is followed by a possible hook word. resync
// decides about anything unusual.
func (s *Stream) walk() walked {
	for {
		switch {
		case s.out.n == batchSize:
			return walkFull
		case s.doubt.planned < len(s.doubt.plans):
			if !s.proceed() {
				return walkFull
			}
			continue
		case s.gap.open() || s.past.known.entries == 0 && s.fresh():
			return walkCorrupt
		case s.gap.lost || s.win.region.initial || !s.past.stamped || s.slowPathOnly: // rare
		case s.past.form.is64:
			s.decodeFast64()
		default:
			s.decodeFast32()
		}
		if w := s.step(); w != walkOn {
			return w
		}
	}
}

// step decodes one entry of any kind.
func (s *Stream) step() walked {
	f, b, step := &s.past.form, s.win.buf[s.win.pos:], s.past.form.step()
	if s.out.n == batchSize {
		return walkFull
	}
	if len(b) < step {
		return s.win.short(b)
	}
	h, ok := f.parse(b)
	if !ok || h.id == 0 {
		return walkCorrupt
	}
	rest := len(b) - int(h.size)
	if rest < step {
		if !s.win.last && !(rest == 0 && s.sees(b, &h)) {
			return walkMore
		}
		if rest != 0 {
			return walkCorrupt
		}
	} else {
		next, ok := f.parse(b[h.size:])
		if !ok || next.id == 0 || (next.flags^h.flags)&Stamped != 0 {
			return walkCorrupt
		}
	}
	if h.flags&Stamped == 0 {
		if !s.past.familiar(b, &h) || s.past.hides(b[:h.size]) {
			return walkCorrupt
		}
	} else if s.past.stamped && (!s.past.near(f.tick(b, &h)) || s.past.overrun(b, &h) > 0) {
		return walkCorrupt
	}
	if h.reform {
		if s.past.contradicts(b, &h) {
			return walkCorrupt
		}
		if !s.out.room(&h) {
			return walkFull
		}
	}
	s.emit(b, &h)
	return walkOn
}

// sees reports whether an entry looks like earlier ones, if it is the only available data of a live
// source. It then need not wait for the next entry.
func (s *Stream) sees(b []byte, h *head) bool {
	return s.win.src.live() && s.past.familiar(b, h) &&
		(h.flags&Stamped == 0 || s.past.stamped && s.past.near(s.past.form.tick(b, h)))
}

// contradicts reports whether the two hook words of hook 00B have contradictory lengths.
func (y *history) contradicts(b []byte, h *head) bool {
	if !h.reform || y.form.is64 {
		return false
	}
	_, _, ok := wrapped(b, h)
	return !ok
}

// short handles less than a hook word.
func (w *window) short(b []byte) walked {
	if w.last && len(b) > 0 { // not even a hook word is left
		return walkCorrupt
	}
	return walkMore
}

// room reports whether the arena has room for a rewritten entry. The arena must not move while
// records point to it.
func (o *output) room(h *head) bool {
	return cap(o.arena)-len(o.arena) >= int(h.size)+32
}

// emit appends the complete entry at the beginning of b to the batch.
func (s *Stream) emit(b []byte, h *head) {
	raw := b[:h.size:h.size]
	r, e := &s.out.records[s.out.n], &s.out.entries[s.out.n]
	*r = record.Record{Data: raw[:h.data:h.data], ID: uint32(h.id), CPU: s.cpu, Task: -1}
	*e = Entry{Offset: s.win.base + int64(s.win.pos), Raw: raw, Buffer: s.win.region.buffer, Flags: h.flags,
		HookData: h.sub}
	if h.flags&Trace64 != 0 {
		e.TID = binary.BigEndian.Uint64(raw[h.tid:])
	} else {
		e.TID = uint64(binary.BigEndian.Uint32(raw[h.tid:]))
	}
	*s.past.threads.place(e.TID) = e.TID
	if h.id != 0 {
		s.past.hooks.add(h.id)
	}
	if e.TID <= math.MaxInt32 {
		r.Task = int32(e.TID)
	}
	if h.flags&Stamped != 0 {
		e.Ticks = s.past.form.tick(raw, h)
		s.past.raw, s.past.stamped = e.Ticks, true
	}
	if s.gap.lost {
		s.gap.lost, r.Lost = false, record.LostUnknown
	}
	if h.reform || h.id == idUtility || s.win.region.initial || h.extra {
		s.unusual(r, e, h)
	}
	s.win.pos += int(h.size)
	s.out.n++
}

// unusual handles the rare parts of entries.
func (s *Stream) unusual(r *record.Record, e *Entry, h *head) {
	if s.win.region.initial {
		e.Flags |= Initial
	}
	if h.extra {
		bits := binary.BigEndian.Uint16(e.Raw)
		cpu, registers, count := s.past.form.places(h, bits)
		e.regsAt, e.registers = uint16(registers), uint8(count)
		if h.flags&HasCPU != 0 {
			if id := binary.BigEndian.Uint64(e.Raw[cpu:]); id < maxCPUs {
				r.CPU = int32(id)
			}
		}
	}
	if h.id == idUtility && !s.clock.known {
		if c, ok := clockOf(e.Raw, h); ok {
			s.clock.set(c)
			s.clock.known = true
		}
	}
	if h.reform {
		s.reformed(r, e, h)
	}
}

// reformed rewrites an entry of a mixed environment. There must be room for it.
func (s *Stream) reformed(r *record.Record, e *Entry, h *head) {
	begin := len(s.out.arena)
	out, data, ok := reform(s.out.arena, e.Raw, h, s.out.half)
	if !ok {
		d := s.win.src.fail(e.Offset, "hook 00B with a 64-bit hook word that has its length", ErrCorrupt)
		s.report(d)
		s.gap.lost = false // the entry itself is returned unchanged
		return
	}
	s.out.arena = out
	r.Data = out[begin : begin+data : begin+data]
	e.Flags |= Reformed
	if s.past.form.is64 {
		e.Flags &^= Hook64
		e.HookData = binary.BigEndian.Uint16(r.Data[2:])
		return
	}
	word := binary.BigEndian.Uint64(r.Data)
	e.Flags = e.Flags&^Generic | Hook64
	if word>>48&flag64Generic != 0 {
		e.Flags |= Generic
	}
	e.HookData = uint16(word)
	r.ID = uint32(word >> 16 & 0xFFFF)
}

// maxCPUs limits plausible processor numbers.
const maxCPUs = 1 << 16

// subClock is the subhook of hook 00A with the scale of the clock.
const subClock = 0x25C

// clockOf reads the scale of the clock from an entry of hook 00A. For a generic hook of 32 bits,
// the place of the subhook is not published, since its hook word has the length. We assume that it
// is in the data word.
func clockOf(raw []byte, h *head) (c Clock, ok bool) {
	if h.flags&Generic == 0 {
		return c, false
	}
	at, sub := 8, uint16(0)
	if h.flags&Hook64 != 0 {
		at, sub = 16, h.sub
	}
	if int(h.data) < at+24 || sub != subClock && binary.BigEndian.Uint16(raw[at-2:]) != subClock {
		return c, false
	}
	b := raw[at:]
	c = Clock{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[16:])}
	return c, c.Mul != 0 && c.Div != 0 || c.Type != ClockTimeBase
}
