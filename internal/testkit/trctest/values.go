package trctest

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/runtime/render"
)

// value is the value of a code or macro.
type value struct {
	number           uint64
	text             string
	isNumber, isText bool // isText: a switch compares the text
	// shown is the padded text of the value when used by itself, without the blank after it.
	shown   string
	blank   bool // a blank follows the text
	padding int
}

// short ends the template unless the event has end bytes (aix.md 4.12).
func (r *Reference) short(end int64) {
	if end > int64(len(r.data)) {
		panic(stop{render.ExitShort})
	}
}

// take reads n bytes at the pointer, which is at a byte boundary, and moves it.
func (r *Reference) take(n int64) []byte {
	at := r.bit/8 + r.base
	r.short(at + n)
	r.bit += 8 * n
	return r.data[at : at+n]
}

func big(b []byte) (v uint64) {
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}

// cut returns b up to its first NUL.
func cut(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

func (r *Reference) code(c *grammar.Code) {
	if v, prints := r.read(c); prints {
		r.show(v)
	}
}

func (r *Reference) show(v value) {
	s := v.shown
	if n := v.padding - len(s); n > 0 {
		s += strings.Repeat(" ", n)
	}
	r.print(s)
	if v.blank {
		r.blank()
	}
}

// read evaluates a code (aix.md 3.3). prints is false for codes that only move the pointer.
func (r *Reference) read(c *grammar.Code) (v value, prints bool) {
	if c.Letter != 'B' {
		r.bit = (r.bit + 7) / 8 * 8
	}
	switch c.Letter {
	case 'G':
		r.bit = int64(8*c.Size + c.Size2)
	case 'O':
		r.bit += int64(8*c.Size + c.Size2)
	case 'R':
		r.bit = max(0, r.bit-int64(8*c.Size))
	case 'W':
		r.bit = int64(8 * c.Size * r.word())
	case 'B':
		return r.bits(int64(8*c.Size + c.Size2)), true
	case 'H':
		n := r.head(c.Kind)
		return value{number: n, isNumber: true, shown: fmt.Sprintf("%04X", n), blank: true}, true
	case 'S':
		n := min(big(r.at(int64(r.size(c)))), 1<<20)
		r.short(r.bit/8 + r.base + int64(r.size(c)) + int64(n))
		r.bit += int64(8 * r.size(c))
		s := cut(r.take(int64(n)))
		return value{text: s, isText: true, shown: s}, true
	case 'A':
		if c.Size == 0 { // n blanks; no data is read
			return value{isText: true, padding: c.Size2}, true
		}
		s := cut(r.take(int64(c.Size)))
		return value{text: s, isText: true, shown: s, padding: c.Size2}, true
	default:
		return r.number(c, r.take(int64(r.size(c)))), true
	}
	return value{isNumber: true}, false
}

// at is take without moving the pointer.
func (r *Reference) at(n int64) []byte {
	was := r.bit
	b := r.take(n)
	r.bit = was
	return b
}

// size returns the size m of a code.
func (r *Reference) size(c *grammar.Code) int {
	switch {
	case c.Word || !c.HasSize:
		return r.word()
	case c.Letter == 'X' && c.Size == 0:
		return 1
	}
	return c.Size
}

// bits reads n bits, one by one.
func (r *Reference) bits(n int64) (v value) {
	r.short((r.bit+n+7)/8 + r.base)
	for i := range n {
		at := r.base*8 + r.bit + i
		bit := r.data[at/8] >> (7 - at%8) & 1
		v.shown += string('0' + rune(bit))
		if i < 64 {
			v.number = v.number<<1 | uint64(bit)
		}
	}
	v.isNumber = true
	r.bit += n
	return v
}

// head evaluates HB or HT.
func (r *Reference) head(kind byte) uint64 {
	switch {
	case kind == 'B' && !r.env.Generic:
		return 0
	case kind == 'B':
		return big(r.data[2:4])
	case r.env.Hook64:
		return big(r.data[0:2])
	}
	return uint64(r.data[1] & 0xf)
}

// number returns the value of bytes for a code that shows numbers.
func (r *Reference) number(c *grammar.Code, b []byte) value {
	v := value{number: big(b), isNumber: true, blank: true}
	if len(b) > 8 {
		v.number = big(b[len(b)-8:])
	}
	size := len(b)
	switch c.Letter {
	case 'X':
		v.shown = fmt.Sprintf("%X", b)
		v.blank = !c.HasSize || c.Size > 0
		v.isText, v.text = size > 8, v.shown
	case 'D':
		shift := 64 - 8*uint(size)
		v.number = uint64(int64(v.number<<shift) >> shift)
		v.shown = strconv.FormatInt(int64(v.number), 10)
	case 'U':
		v.shown = strconv.FormatUint(v.number, 10)
	case 'o':
		v.shown = strconv.FormatUint(v.number, 8)
	case 'F':
		f := math.Float64frombits(v.number)
		if size == 4 {
			f = float64(math.Float32frombits(uint32(v.number)))
		}
		v.shown = strings.ReplaceAll(strings.ToUpper(fmt.Sprintf("%.4E", f)), "+INF", "INF")
		if math.IsNaN(f) {
			v.shown = string(render.Float(nil, nil, v.number, uint64(size)))
		}
	case 'E':
		v.shown, v.blank = string(render.AIXErrno(nil, nil, v.number)), false
	case 'T':
		v.shown, v.blank = string(render.CTime(nil, nil, v.number)), false
	case 'P':
		v.shown, v.blank = string(render.ProcessPath(nil, r.world, v.number)), false
	}
	if strings.IndexByte("FETP", c.Letter) >= 0 {
		v.isText, v.text = true, v.shown
	}
	return v
}

// subject returns the value of a switch, a loop or an operand.
func (r *Reference) subject(n grammar.Node) value {
	switch n := n.(type) {
	case *grammar.Code:
		v, _ := r.read(n)
		return v
	case *grammar.Macro:
		return r.macroValue(n)
	}
	return value{isNumber: true}
}

// parse parses digits in the given base, unless a prefix sets another.
func parse(s string, base int) (uint64, bool) {
	if rest, ok := strings.CutPrefix(s, "0x"); ok {
		s, base = rest, 16
	} else if rest, ok := strings.CutPrefix(s, "o"); ok {
		s, base = rest, 8
	}
	v, err := strconv.ParseUint(s, base, 64)
	return v, err == nil
}

// choice runs the first case that matches (aix.md 3.5).
func (r *Reference) choice(n *grammar.Switch) {
	v := r.subject(n.Subject)
	if n.Mask != nil {
		mask, ok := parse(n.Mask.Text, 10)
		if !ok {
			mask, _ = parse(n.Mask.Text, 16)
		}
		v = value{number: v.number & mask, isNumber: true}
	}
	var cast *grammar.Code
	var macro string
	switch s := n.Subject.(type) {
	case *grammar.Code:
		cast = s
	case *grammar.Macro:
		cast, macro = s.Cast, s.Name
	}
	base := matchBase(n, cast, macro)
	for _, c := range n.Cases {
		if c.Any || r.hit(v, c.Match, base, cast) {
			r.nodes(c.Body)
			return
		}
	}
}

// matchBase returns the base of match values according to aix.md 4.4.
func matchBase(n *grammar.Switch, cast *grammar.Code, macro string) int {
	switch {
	case cast != nil && (cast.Letter == 'D' || cast.Letter == 'U'):
		return 10
	case cast != nil && cast.Letter == 'o':
		return 8
	case cast != nil:
		return 16
	case decimal[macro]:
		return 10
	}
	for _, c := range n.Cases {
		m := c.Match
		if c.Any || strings.HasPrefix(m, "0x") || strings.HasPrefix(m, "o") {
			continue
		}
		v, err := strconv.ParseUint(m, 16, 64)
		if strings.ContainsAny(m, "ABCDEFabcdef") || err == nil && len(m) == 4 && m[0] == '0' && v > 9 {
			return 16
		}
	}
	return 10
}

// hit compares one match value.
func (r *Reference) hit(v value, match string, base int, cast *grammar.Code) bool {
	if v.isText {
		switch {
		case cast != nil && cast.Letter == 'X':
			want := strings.TrimPrefix(match, "0x")
			return strings.EqualFold(strings.Repeat("0", max(0, len(v.text)-len(want)))+want, v.text)
		case cast != nil && cast.Letter == 'F':
			if f, err := strconv.ParseFloat(match, 64); err == nil {
				match = string(render.Float(nil, nil, math.Float64bits(f), 8))
			}
		}
		return v.text == match
	}
	want, ok := parse(match, base)
	if digits, negative := strings.CutPrefix(match, "-"); negative {
		want, ok = parse(digits, base)
		want = -want
	}
	if !ok {
		return false
	}
	if cast != nil && cast.Letter == 'B' {
		n := 8*cast.Size + cast.Size2
		if b, isBinary := parse(match, 2); n > 0 && n < 64 && want>>n != 0 && isBinary && b>>n == 0 {
			want = b
		}
	}
	if cast != nil && cast.Letter == 'D' && r.size(cast) < 8 {
		if n := 8 * uint(r.size(cast)); want>>n == 0 && want>>(n-1) == 1 {
			want |= ^uint64(0) << n
		}
	}
	return want == v.number
}
