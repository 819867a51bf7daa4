package export

import (
	"slices"

	"github.com/tracec/tracec/report/uftrace/internal/line"
)

// flushSize is the size of the text that is buffered before writing.
const flushSize = 128 << 10

const (
	idRoom   = 64
	lineRoom = line.ClockRoom + idRoom + line.Short
)

// lines buffers lines that begin with a time.
type lines struct {
	out   []byte
	clock line.Clock
}

func newLines() lines { return lines{clock: line.NewClock(line.Microseconds, lineBegin)} }

// id is the text between the time and the name of a line.
type id struct {
	text [idRoom]byte
	size int
}

func newID(text []byte) id {
	i := id{size: len(text)}
	copy(i.text[:], text)
	return i
}

// lineBegin is the text before the time.
const lineBegin = ",\n" + `{"ts":`

// line appends the start of a line: the time in microseconds and three digits, the id and the name.
func (l *lines) line(t uint64, i *id, name []byte) {
	n := len(l.out)
	if cap(l.out)-n < lineRoom {
		l.out = slices.Grow(l.out, lineRoom)
	}
	b := l.out[n : n+lineRoom]
	at := l.clock.Put(b, t)
	b = b[at:]
	*(*[idRoom]byte)(b) = i.text // a copy of fixed size: see package line
	n += at + i.size
	if line.IsShort(name) {
		line.Copy(b[i.size:], name[:line.Short])
		l.out = l.out[:n+len(name)]
		return
	}
	l.out = append(l.out[:n], name...)
}
