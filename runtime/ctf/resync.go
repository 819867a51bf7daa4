package ctf

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/tracec/tracec/runtime/ctf/metadata"
	"github.com/tracec/tracec/runtime/record"
)

// resync continues after a packet that cannot be read. It uses the size of the packet, or the next
// magic number, or the index of LTTng if packets have no magic number. It notes the damage, with
// the number of skipped bytes.
func (s *Stream) resync(why error) {
	from, clock, guess := s.pk.offset, s.m.clock, int64(s.pk.guess/8)
	for at := from; !s.gone; {
		next, ok := s.find(at+1, guess)
		if !ok {
			break
		}
		s.pk.offset, s.pk.size, s.m.clock, guess = next, 0, clock, 0
		if err := s.enter(); err == nil {
			s.rec.note(s, from, next-from, why)
			s.harm.lost = record.LostUnknown
			return
		}
		at = next
	}
	s.rec.note(s, from, s.win.size-from, why)
	s.pk.offset, s.pk.size = s.win.size, 0
	s.harm.lost = record.LostUnknown
}

// find returns a possible place of the next packet, at from or later. guess is the size of the
// packet before from, or 0 if it is unknown.
func (s *Stream) find(from, guess int64) (int64, bool) {
	if at := from - 1 + guess; guess > 0 && at < s.win.size {
		return at, true
	}
	if sig := s.file.trace.signature(); sig != nil {
		return s.findMagic(sig, from)
	}
	for _, at := range s.file.places() {
		if at >= from && at < s.win.size {
			return at, true
		}
	}
	return 0, false
}

// signature returns the first bytes of each packet of a trace: the magic number, and the UUID if it
// is next. It returns nil if packets have none.
func (t *Trace) signature() []byte {
	if t.Header == nil || len(t.Header.Members) == 0 {
		return nil
	}
	c := t.Header.Members[0].Class
	if c.Kind != metadata.Int || c.Bits != 32 || c.Order.Reversed || !slices.Contains(c.Roles, metadata.Magic) {
		return nil
	}
	sig := binary.LittleEndian.AppendUint32(nil, ctfMagic)
	if c.Order.BigEndian {
		sig = binary.BigEndian.AppendUint32(nil, ctfMagic)
	}
	if len(t.Header.Members) > 1 && slices.Contains(t.Header.Members[1].Class.Roles, metadata.MetadataUUID) {
		if id, err := hex.DecodeString(strings.ReplaceAll(t.UUID, "-", "")); err == nil && len(id) == 16 {
			sig = append(sig, id...)
		}
	}
	return sig
}

// findMagic searches for the signature of packets.
func (s *Stream) findMagic(sig []byte, from int64) (int64, bool) {
	buf := make([]byte, 8<<10)
	for from < s.win.size {
		n, err := s.win.src.ReadAt(buf, from)
		if i := bytes.Index(buf[:n], sig); i >= 0 {
			return from + int64(i), true
		}
		if err != nil || n < len(buf) || s.choice.Err() != nil {
			break
		}
		from += int64(n - len(sig) + 1)
	}
	return 0, false
}

// Index files of LTTng (docs/spec/ctf.md 6.2).
const (
	indexMagic = 0xc1f1dcc1
	indexHead  = 16
	leastEntry = 56 // bytes
	mostIndex  = 1 << 20
)

// indexed returns the offsets of packets that the index of LTTng lists for a file. It returns nil
// if there is no index. The offsets are checked by reading the packets.
func (r *Recording) indexed(f *File) (places []int64) {
	data, err := r.readSmall(path.Join(path.Dir(f.Path), "index", path.Base(f.Path)+".idx"), mostIndex)
	if err != nil || len(data) < indexHead || binary.BigEndian.Uint32(data) != indexMagic {
		return nil
	}
	size := uint64(binary.BigEndian.Uint32(data[12:]))
	if size < leastEntry || size%8 != 0 || r.memory.Take(int64(len(data)/leastEntry)*8) != nil {
		return nil
	}
	for data = data[indexHead:]; uint64(len(data)) >= size; data = data[size:] {
		places = append(places, int64(min(binary.BigEndian.Uint64(data), 1<<62)))
	}
	slices.Sort(places)
	return places
}
