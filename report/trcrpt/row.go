package trcrpt

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tracec/tracec/runtime/render"
)

// A row is a template for the start of a line, which most lines copy. It contains the columns that
// rarely change, and the first digits of the time. The values of each event are written over the
// copy.
type row struct {
	bytes  []byte   // the columns, and blanks for the levels; its length is a multiple of rowStep
	stays  []column // columns of the state and the thread
	moves  []column // columns that differ for each event, except the id
	state  state    // the state in bytes
	tid    uint64
	begun  bool   // bytes holds a state
	fits   bool   // no value of the state is wider than its column
	base   uint64 // the elapsed time in bytes, without the last 8 digits
	tight  bool   // the elapsed time fills its column
	isLate bool   // the elapsed time does not fit its column
	plain  bool   // fits, and neither tight nor isLate
}

// rowStep is the number of bytes of a row that are copied at a time, without a call.
const rowStep = 64

// digits8 is the number of values of eight digits.
const digits8 = 1e8

// prepare makes the row with blanks only.
func (c *columns) prepare(o *Options) {
	size := c.base + 3*levelWidth
	c.row.bytes = slices.Repeat(blanks[:1], (size+rowStep-1)/rowStep*rowStep)
	c.row.base, c.row.isLate = math.MaxUint64-digits8, true
	c.times = o.Timestamp == timeLong
	c.moreThanTimes = o.Exec || o.PID || o.CPUID || o.SVC || o.FileName || o.PURR || o.ReportedCPUs
	for i, col := range c.list {
		switch col.field {
		case fieldID:
			c.id = col.end
			if i+1 < len(c.list) && !c.list[i+1].right {
				c.id--
			}
		case fieldElapsed, fieldDelta, fieldPURR:
			c.row.moves = append(c.row.moves, col)
		default:
			c.row.stays = append(c.row.stays, col)
		}
	}
	if c.times {
		c.elapsedEnd, c.deltaEnd = c.row.moves[0].end, c.row.moves[1].end
		c.common = c.id > 0 && len(c.row.moves) == 2
	}
}

// append appends the columns of a line that begins at the end of dst. It also appends the blanks
// before its text, which starts level columns after them.
func (c *columns) append(dst []byte, l *line, level int) []byte {
	w := &c.row
	if len(w.stays) > 0 && (!w.begun || w.tid != l.tid || w.state != l.state) {
		c.keep(l)
	}
	if c.times && uint64(l.elapsed)-w.base >= digits8 {
		c.begin(uint64(l.elapsed))
	}
	begin := len(dst)
	dst = slices.Grow(dst, len(w.bytes))
	b := dst[begin : begin+len(w.bytes)]
	for from := 0; from < len(w.bytes); from += rowStep {
		*(*[rowStep]byte)(b[from:]) = *(*[rowStep]byte)(w.bytes[from:])
	}
	if !c.common || !w.plain || uint64(l.delta) >= digits8 || len(l.id) > c.id {
		return c.appendRare(dst, b, l, level)
	}
	binary.LittleEndian.PutUint32(b, l.code)
	binary.LittleEndian.PutUint64(b[c.elapsedEnd-8:], render.Dec8(uint32(uint64(l.elapsed)-w.base)))
	delta := b[c.deltaEnd-9 : c.deltaEnd]
	digits := render.Dec8(uint32(l.delta))
	binary.LittleEndian.PutUint64(delta[1:], digits)
	if delta[0] = byte(digits); byte(digits) == '0' {
		delta[0] = ' '
	}
	delta[1], delta[2] = byte(digits>>8), '.'
	return dst[:begin+c.base+level]
}

// appendRare is append for rare values. b is a copy of the row.
func (c *columns) appendRare(dst, b []byte, l *line, level int) []byte {
	begin := len(dst)
	if !c.write(b, l) {
		return reach(c.appendPushed(dst, l), begin, c.base+level)
	}
	dst = dst[:begin+c.base+level]
	if level == 0 && c.base > 0 && dst[len(dst)-1] != ' ' {
		dst = append(dst, ' ')
	}
	return dst
}

// write writes the values of an event. It returns false if one is wider than its column.
func (c *columns) write(b []byte, l *line) bool {
	w := &c.row
	if len(w.stays) > 0 && !w.fits {
		return false
	}
	if c.id > 0 {
		if len(l.id) > c.id {
			return false
		}
		binary.LittleEndian.PutUint32(b, l.code)
	}
	moves := w.moves
	if c.times {
		if w.isLate || w.tight && touches(b, &moves[0]) {
			return false
		}
		binary.LittleEndian.PutUint64(b[moves[0].end-8:], render.Dec8(uint32(uint64(l.elapsed)-w.base)))
		moves = moves[1:]
	}
	for i := range moves {
		if !c.put(b, &moves[i], l) {
			return false
		}
	}
	return true
}

// idWidth is the width of the column of ids, and their maximum length.
const idWidth = 4

// idCode returns the bytes of an id in its column.
func idCode(id string) uint32 {
	column := [idWidth]byte{' ', ' ', ' ', ' '}
	copy(column[:], id)
	return binary.LittleEndian.Uint32(column[:])
}

// touches reports whether a value directly precedes a column.
func touches(b []byte, col *column) bool { return col.start > 0 && b[col.start-1] != ' ' }

// begin writes the digits of an elapsed time except the last 8.
func (c *columns) begin(elapsed uint64) {
	w, col := &c.row, &c.row.moves[0]
	w.base = elapsed - elapsed%digits8
	room := w.bytes[col.start:col.end]
	copy(room, blanks)
	w.isLate = int64(elapsed) < 0 || !render.FixedRight(room, w.base, 9)
	w.tight = room[0] != ' '
	w.settle()
}

// keep writes the state.
func (c *columns) keep(l *line) {
	w := &c.row
	w.begun, w.state, w.tid = true, l.state, l.tid
	w.fits = true
	for i := range w.stays {
		col := &w.stays[i]
		copy(w.bytes[col.start:col.end], blanks)
	}
	for i := range w.stays {
		w.fits = w.fits && c.put(w.bytes, &w.stays[i], l)
	}
	w.settle()
}

func (w *row) settle() { w.plain = !w.isLate && !w.tight && (w.fits || len(w.stays) == 0) }
