package ctf

import (
	"errors"
	"io"
	"io/fs"

	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/record"
)

// openGrowing opens the file of a stream that is followed.
func (s *Stream) openGrowing() error {
	f, err := s.rec.watch.Open(s.rec.dir, s.file.Path, s.rec.name+"/"+s.file.Path, true)
	if err != nil {
		return damage.In(s.rec.name, &Damage{File: s.file.Path, Err: err})
	}
	s.grow.file, s.win.src, s.win.size, s.closer = f, f, 0, f
	return nil
}

// await waits until the packet is complete. After the end of the recording, a packet is read as far
// as it was written.
func (s *Stream) await() error {
	if len(s.made.records) > 0 {
		return errWait // the records of the batch are in the window
	}
	g := s.grow
	for {
		have, err := g.file.Need(s.pk.offset, max(g.needed, 1))
		if errors.Is(err, record.ErrRestarted) {
			s.restart()
			continue
		}
		s.win.size = s.pk.offset + have
		switch {
		case errors.Is(err, record.ErrPending):
			return err
		case errors.Is(err, io.EOF), errors.Is(err, record.ErrReplaced):
			g.needed = 0
			if s.rec.refresh(s.file.trace); have == 0 {
				return err
			}
			return nil
		case err != nil:
			return damage.In(s.rec.name, &Damage{File: s.file.Path, Offset: s.pk.offset, Err: err})
		}
		s.rec.refresh(s.file.trace)
		if g.needed = s.need(have); g.needed <= have {
			g.needed = 0
			return nil
		}
	}
}

// restart moves to the beginning of a file that has replaced the previous one.
func (s *Stream) restart() {
	if st, err := fs.Stat(s.rec.dir, s.file.Path); err == nil {
		s.rec.known = append(s.rec.known, st)
	}
	s.pk.offset, s.win.buf, s.grow.needed, s.gone = 0, s.win.buf[:0], 0, false
}

// need returns the required number of bytes of the file from the packet on. have is the available
// number. While the required number is unknown, the result is larger than have.
func (s *Stream) need(have int64) int64 {
	offset, clock := s.pk.offset, s.m.clock
	defer func() { s.pk.offset, s.m.clock = offset, clock }()
	for guess := int64(0); ; {
		rest := have - (s.pk.offset - offset)
		whole := uint64(rest) * 8
		err := s.look(whole)
		if err == nil {
			var size uint64
			if size, _, err = s.sizes(whole); err == nil {
				if s.m.bits[packetSize] == 0 {
					return have + 1 // it ends at the end of the file
				}
				return s.pk.offset - offset + int64(size/8)
			}
		}
		guess = int64(s.pk.guess / 8)
		if errors.Is(err, errShort) || s.waits(err) {
			return have + 1
		}
		next, ok := s.find(s.pk.offset+1, guess)
		if !ok {
			return have + 1
		}
		s.pk.offset = next // resync will find it
	}
}

// again moves back to an event of the packet that metadata now describe.
func (s *Stream) again() error {
	if !s.rec.refresh(s.file.trace) && !s.file.trace.read.ended {
		return record.ErrPending
	}
	s.grow.stuck = false
	at, clock, idle, lost, counts := s.m.at, s.m.clock, s.m.idle, s.harm.lost, s.pk.counts
	s.pk.counts = counters{}
	if err := s.enter(); err != nil {
		s.note(int64(s.pk.size/8), err)
		s.harm.lost, s.open = record.LostUnknown, false
		return nil
	}
	s.m.at, s.m.clock, s.m.idle, s.harm.lost, s.pk.counts = at, clock, idle, lost, counts
	return nil
}
