package interp

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/tracec/tracec/runtime/render"
)

// pieces are consecutive statements. Most of their output has a bounded length, so they check the
// room once and then write.
type pieces struct {
	list  []piece
	calls []callFn
	takes []takeFn
	sums  []sum
	room  int // maximum number of bytes that they write, apart from texts; 0 if there are only texts
}

// callFn is a function of package render that takes one number.
type callFn = func([]byte, *render.Env, uint64) []byte

// takeFn is a function of package render that takes bytes of the record.
type takeFn = func([]byte, *render.Env, []byte) []byte

// A piece is a literal and the output after it. It fills a cache line.
type piece struct {
	lit         [litSize]byte
	value       valueFn // of pieceValue and pieceIf
	text        textFn  // of pieceText and pieceExit
	at          int32   // offset of a string, or of the 8 bytes around an integer of the record, or of their end
	extra       uint32  // see pieceKind
	left, right uint8   // shifts of the 8 bytes that leave the integer
	n           uint8   // length of the literal
	width       uint8   // minimum number of digits, or length of a string
	kind        pieceKind
	number      pieceKind // conversion of the integer of a pieceValue or a pieceMoved
	slot        uint8     // the local value from which the end of a pieceMoved counts
	big         bool      // byte order of an integer of the record
}

// litSize is the maximum size of a literal in a piece. It is copied as a whole, independent of its
// length, which needs no call. litSize is less than reach, so that the compiler knows that the copy
// stays in bounds.
const litSize = 32

// reach is the maximum number of bytes that a piece writes, including bytes beyond its output.
const reach = 64

type pieceKind uint8

const (
	pieceLit     pieceKind = iota // only the literal
	pieceValue                    // an integer that value returns
	pieceText                     // the output of text
	pieceMoved                    // an integer of the record at a place that moves; value also returns it
	pieceString                   // characters of the record up to a NUL
	pieceIf                       // the literal is printed if the value is not 0
	pieceIfBits                   // the literal is printed if local value number at has all bits of extra
	pieceSum                      // sum number extra becomes the local value number at
	pieceNUL                      // the distance of a NUL from sum number extra becomes the local value number at
	pieceTake                     // output of takes[at], of bytes from sum number extra on; the next sum counts them
	pieceLong                     // the record must have extra bytes; at of them follow a certain place
	pieceLongSum                  // the size of the record must be at least sum number extra
	pieceExit                     // the output of text, which may end the program

	// The following kinds have an integer of the record.
	pieceUdec // in decimal; extra is 8 times the number of digits before the last one that remain
	pieceHex8 // with 8 digits; extra selects the letters
	pieceHex16
	pieceDec   // in decimal with a sign
	pieceHex   // in hexadecimal
	pieceUpper // with capital letters
	pieceLet   // it becomes the local value number extra
	pieceCall  // it is the argument of the call number extra

	pieceName // pieceString for nameSize characters; these 8 bytes are the first of them
)

// nameSize is the size of the name of a thread, TASK_COMM_LEN.
const nameSize = 16

// longest is the maximum length of a number: a uint64 with a sign.
const longest = 20

// append appends the output of the pieces. Rare kinds are handled in other functions, so append
// needs no calls.
func (p *pieces) append(m *Machine, dst, data []byte) []byte {
	if p.room == 0 {
		return p.appendTexts(m, dst, data)
	}
	n := len(dst)
	b := withRoom(dst, p.room)
	list := p.list
	data = data[:len(data):len(data)] // len and cap are equal: the compiler then keeps only one of them
	for i := range list {
		s := &list[i]
		out := (*[reach]byte)(b[n : n+reach : n+reach])
		*(*[litSize]byte)(out[:litSize]) = s.lit
		at := int(s.n) & (litSize - 1)
		n += at
		kind, v := s.kind, uint64(0)
		if kind >= pieceUdec {
			v = s.load(word(data, int(s.at)))
		} else {
			switch {
			case kind == pieceLit || kind == pieceLong && len(data) >= int(s.extra):
				continue
			case kind == pieceMoved:
				kind = s.number
				if end := m.slots[s.slot] + uint64(s.at); end >= 8 && end <= uint64(len(data)) {
					v = s.load(word(data, int(end-8)))
				} else {
					v = s.value(m) << (s.right & 63)
				}
			case kind >= pieceLong:
				if b, n = p.exit(m, s, b, n); m.ended {
					return b[:n]
				}
				continue
			default:
				b, n = p.other(m, s, b, n, data)
				continue
			}
		}
		switch kind {
		case pieceUdec, pieceDec:
			i := v >> (s.right & 63)
			if kind == pieceDec {
				i = uint64(int64(v) >> (s.right & 63))
			}
			if i < 1e8 {
				w := render.Dec8(uint32(i))
				zeros := bits.TrailingZeros64((w-render.Zeros8)|1<<56>>(s.extra&63)) &^ 7
				binary.LittleEndian.PutUint64(out[at:at+8], w>>(zeros&63))
				n += 8 - zeros/8
			} else {
				b, n = p.integer(m, s, kind, b, n, v)
			}
		case pieceHex16:
			binary.LittleEndian.PutUint64(out[at:at+8], render.Hex8(uint32(v>>32), uint64(s.extra)))
			binary.LittleEndian.PutUint64(out[at+8:at+16], render.Hex8(uint32(v), uint64(s.extra)))
			n += 16
		case pieceHex8:
			binary.LittleEndian.PutUint64(out[at:at+8], render.Hex8(uint32(v>>(s.right&63)), uint64(s.extra)))
			n += 8
		case pieceName:
			w := binary.LittleEndian.Uint64(word(data, int(s.at+8)))
			binary.LittleEndian.PutUint64(out[at:at+8], v)
			binary.LittleEndian.PutUint64(out[at+8:at+16], w)
			if i := firstNUL(v); i < 8 {
				n += i
			} else {
				n += 8 + firstNUL(w)
			}
		default:
			b, n = p.integer(m, s, kind, b, n, v)
		}
	}
	return b[:n]
}

// word returns 8 bytes from an offset on. With bounds on both sides, the compiler need not check
// for an empty rest of b.
func word(b []byte, at int) []byte { return b[at : at+8 : at+8] }

// load reads the 8 bytes around an integer and drops the bits on its left. The caller must still
// shift the result to the right.
func (s *piece) load(b []byte) uint64 {
	v := binary.LittleEndian.Uint64(b)
	if s.big {
		v = bits.ReverseBytes64(v)
	}
	return v << (s.left & 63)
}

// firstNUL returns the number of characters of a word before the first NUL.
func firstNUL(w uint64) int {
	const each = 0x0101010101010101
	return bits.TrailingZeros64((w-each)&^w&(each<<7)) / 8
}

// appendTexts is append for pieces that print only texts or nothing.
func (p *pieces) appendTexts(m *Machine, dst, data []byte) []byte {
	b, n := dst[:cap(dst)], len(dst)
	for i := range p.list {
		s := &p.list[i]
		switch {
		case s.kind >= pieceUdec:
			b, n = p.integer(m, s, s.kind, b, n, s.load(data[s.at:]))
		case s.kind < pieceLong:
			b, n = p.other(m, s, b, n, data)
		case s.kind != pieceLong || len(data) < int(s.extra):
			if b, n = p.exit(m, s, b, n); m.ended {
				return b[:n]
			}
		}
	}
	return b[:n]
}

// integer handles an integer of the given kind, which must still be shifted to the right. It
// returns the whole buffer and the number of used bytes.
func (p *pieces) integer(m *Machine, s *piece, kind pieceKind, b []byte, n int, v uint64) ([]byte, int) {
	right := s.right & 63
	switch kind {
	case pieceUdec:
		n += decimal(b[n:], v>>right, int(s.width))
	case pieceUpper:
		n += render.PutHexUpper(b[n:], v>>right, int(s.width))
	case pieceHex:
		n += render.PutHex(b[n:], v>>right, int(s.width))
	case pieceDec:
		i, width := int64(v)>>right, int(s.width)
		if v = uint64(i); i < 0 {
			b[n] = '-'
			n++
			v, width = -v, width-1
		}
		n += decimal(b[n:], v, width)
	case pieceLet:
		m.slots[s.extra] = v >> right
	case pieceCall:
		dst := p.calls[s.extra](b[:n], m.env, v>>right)
		b, n = withRoom(dst, p.room), len(dst)
	}
	return b, n
}

// decimal writes a number of at least width digits, which are at most 8.
func decimal(b []byte, v uint64, width int) int {
	if width <= 1 || v >= 1e8 {
		return render.PutUdec(b, v)
	}
	w := render.Dec8(uint32(v))
	zeros := bits.TrailingZeros64((w-render.Zeros8)|1<<56>>(8*(width-1)&63)) &^ 7
	binary.LittleEndian.PutUint64(b, w>>(zeros&63))
	return 8 - zeros/8
}

// other handles pieces without an integer of the record. It returns the whole buffer and the number
// of used bytes.
func (p *pieces) other(m *Machine, s *piece, b []byte, n int, data []byte) ([]byte, int) {
	switch s.kind {
	case pieceValue:
		return p.integer(m, s, s.number, b, n, s.value(m)<<(s.left&63))
	case pieceMoved:
		return p.integer(m, s, s.number, b, n, s.value(m)<<(s.right&63))
	case pieceText:
		dst := s.text(m, b[:n])
		return withRoom(dst, p.room), len(dst)
	case pieceString:
		n += copy(b[n:], render.CString(data[s.at:][:s.width]))
	case pieceSum:
		m.slots[s.at] = p.sums[s.extra].of(m)
	case pieceNUL:
		from, to := window(len(data), p.sums[s.extra].of(m), uint64(len(data)))
		m.slots[s.at] = render.ToNUL(data[from:to])
	case pieceTake:
		from, to := window(len(data), p.sums[s.extra].of(m), p.sums[s.extra+1].of(m))
		dst := p.takes[s.at](b[:n], m.env, data[from:to])
		return withRoom(dst, p.room), len(dst)
	case pieceIfBits:
		if uint32(m.slots[s.at])&s.extra != s.extra {
			n -= int(s.n)
		}
	case pieceIf:
		if s.value(m) == 0 {
			n -= int(s.n)
		}
	}
	return b, n
}

// exit handles pieces that may end the program.
func (p *pieces) exit(m *Machine, s *piece, b []byte, n int) ([]byte, int) {
	switch s.kind {
	case pieceLong:
		m.end(render.ExitShort, int64(s.at))
		return b, n
	case pieceLongSum:
		if want := int64(p.sums[s.extra].of(m)); int64(len(m.data)) < want {
			m.end(render.ExitShort, want)
		}
		return b, n
	}
	dst := s.text(m, b[:n])
	return withRoom(dst, p.room), len(dst)
}

// withRoom returns dst extended to its capacity, which is at least its length plus n.
func withRoom(dst []byte, n int) []byte {
	if cap(dst)-len(dst) < n {
		dst = slices.Grow(dst, n)
	}
	return dst[:cap(dst)]
}
