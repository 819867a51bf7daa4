package dump

import (
	"strconv"

	"github.com/tracec/tracec/runtime/uftrace"
)

// addrMask is what a record holds of an address: uftrace prints kernel addresses without the bits that it does not hold.
const addrMask = 1<<48 - 1

// digits2 are the numbers 00 to 99.
const digits2 = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849" +
	"5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

// clock writes times as seconds and nine digits. Seconds change seldom: their text is kept.
type clock struct {
	begin, end uint64 // of the second that text is for, in ns
	text       [24]byte
	size       int
}

// append writes a time in ns: 2416.281630192.
func (c *clock) append(dst []byte, t uint64) []byte {
	if t-c.begin >= c.end-c.begin {
		sec := t / 1e9
		c.begin, c.end = sec*1e9, sec*1e9+1e9
		c.size = len(append(strconv.AppendUint(c.text[:0], sec, 10), '.'))
	}
	ns := uint32(t - c.begin)
	dst = append(dst, c.text[:c.size]...)
	a, b := ns/100000, ns%100000 // four digits and five
	return append(dst,
		digits2[a/100*2], digits2[a/100*2+1], digits2[a%100*2], digits2[a%100*2+1],
		'0'+byte(b/10000), digits2[b/100%100*2], digits2[b/100%100*2+1], digits2[b%100*2], digits2[b%100*2+1])
}

// nameCache keeps the text of functions and where they were called: `main(55f38a5d0276) depth: `. It has a fixed number of
// places; what falls on a taken one takes it over.
type nameCache struct {
	name  func(*uftrace.Symbol) string
	slots []nameSlot
}

type nameSlot struct {
	addr uint64
	sym  *uftrace.Symbol
	text []byte
}

const nameSlotBits = 12

func newNameCache(name func(*uftrace.Symbol) string) *nameCache {
	return &nameCache{name: name, slots: make([]nameSlot, 1<<nameSlotBits)}
}

// text is valid until the next call.
func (c *nameCache) text(addr uint64, sym *uftrace.Symbol) []byte {
	s := &c.slots[addr*0x9e3779b97f4a7c15>>(64-nameSlotBits)]
	if s.addr != addr || s.sym != sym || s.text == nil {
		s.addr, s.sym = addr, sym
		s.text = appendName(s.text[:0], addr, sym, c.name)
	}
	return s.text
}

// appendName writes name(address) and what stands before the depth.
func appendName(dst []byte, addr uint64, sym *uftrace.Symbol, name func(*uftrace.Symbol) string) []byte {
	addr &= addrMask
	if sym != nil {
		dst = append(dst, name(sym)...)
	} else {
		dst = append(dst, '<')
		dst = strconv.AppendUint(dst, addr, 16)
		dst = append(dst, '>')
	}
	dst = append(dst, '(')
	dst = strconv.AppendUint(dst, addr, 16)
	return append(dst, ") depth: "...)
}

// kindNames are the types as uftrace names them, by uftrace.Kind.
var kindNames = [...]string{uftrace.Enter: "entry", uftrace.Leave: "exit ", uftrace.Lost: "lost ", uftrace.Event: "event"}

// prefixes are what stands between the time and the name, by kind: `  32386: [entry] `.
type prefixes [len(kindNames)][]byte

// newPrefixes prepares the lines of a thread. The column is one wider since v0.17 (uftrace.md 2.6).
func newPrefixes(tid int32, wide bool) (p prefixes) {
	for k, name := range kindNames {
		p[k] = append(appendTID(nil, tid, wide), "["+name+"] "...)
	}
	return p
}

// appendTID writes `  32386: `.
func appendTID(dst []byte, tid int32, wide bool) []byte {
	width := 5
	if wide {
		width = 7
	}
	dst = append(dst, "  "...)
	var b [12]byte
	n := strconv.AppendInt(b[:0], int64(tid), 10)
	for i := len(n); i < width; i++ {
		dst = append(dst, ' ')
	}
	return append(append(dst, n...), ": "...)
}
