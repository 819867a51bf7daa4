package export

import (
	"encoding/binary"
	"slices"

	"github.com/tracec/tracec/report/uftrace/clock"
)

// flushSize is how much text is collected before it is written.
const flushSize = 128 << 10

// Parts of a line are copied by a fixed number of bytes, of which as many count as they have: that takes a few instructions, where a
// copy of some bytes is a call.
const (
	beginRoom = 32
	digitRoom = 12
	idRoom    = 64
	nameRoom  = 32
	lineRoom  = beginRoom + digitRoom + idRoom + nameRoom
)

// lines collects lines that begin with a time.
type lines struct {
	out   []byte
	clock clock.Clock
	from  uint64 // of the second that begin is for, in ns
	begin [beginRoom]byte
	size  int // of begin; 0 before the first line
}

// id is what comes between the time and the name of a line.
type id struct {
	text [idRoom]byte
	size int
}

func newID(text []byte) id {
	i := id{size: len(text)}
	copy(i.text[:], text)
	return i
}

const second = 1e9 // ns

// lineBegin is what comes before the time.
const lineBegin = ",\n" + `{"ts":`

// line writes the begin of a line: the time in microseconds and three digits, the id and the name.
func (l *lines) line(t uint64, i *id, name []byte) {
	n := len(l.out)
	if cap(l.out)-n < lineRoom {
		l.out = slices.Grow(l.out, lineRoom)
	}
	if ns := t - l.from; t >= l.from && ns < second && l.size > 0 {
		b := l.out[n : n+lineRoom]
		*(*[beginRoom]byte)(b) = l.begin
		us := uint32(ns) / 1000
		b = b[l.size:]
		binary.LittleEndian.PutUint32(b, digits3[us/1000])
		binary.LittleEndian.PutUint32(b[3:], digits3[us%1000])
		binary.LittleEndian.PutUint32(b[7:], digits3[uint32(ns)%1000])
		b[6] = '.'
		b = b[10:]
		*(*[idRoom]byte)(b) = i.text
		if b = b[i.size:]; len(name) <= nameRoom && cap(name) >= nameRoom && len(b) >= nameRoom {
			text := [nameRoom]byte(name[:nameRoom]) // a copy from slice to slice would be a call
			*(*[nameRoom]byte)(b) = text
			l.out = l.out[:n+l.size+10+i.size+len(name)]
			return
		}
		l.out = append(l.out[:n+l.size+10+i.size], name...)
		return
	}
	l.out = append(l.out, lineBegin...)
	l.out = l.clock.AppendMicroseconds(l.out, t)
	l.out = append(append(l.out, i.text[:i.size]...), name...)
	l.turn(t)
}

// turn prepares the begin of lines of the second that a time is in. In the first one times have fewer digits.
func (l *lines) turn(t uint64) {
	if t < second {
		l.size = 0
		return
	}
	l.from = t - t%second
	text := l.clock.AppendMicroseconds(append(l.begin[:0], lineBegin...), l.from)
	l.size = len(text) - len("000000.000")
}

// digits3 are the digits of the numbers 000 to 999, as three bytes of a word.
var digits3 = func() (table [1000]uint32) {
	for i := range table {
		table[i] = uint32('0'+i/100) | uint32('0'+i/10%10)<<8 | uint32('0'+i%10)<<16
	}
	return table
}()
