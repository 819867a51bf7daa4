package tracec_test

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/lttngtest"
)

// typ is a type of a facility. It has its own reader and writer, which are independent of the
// tested ones.
type typ struct {
	kind string // an element of XML
	size int    // of numbers, given in XML
	n    int    // elements
	of   []*typ // members; the element; count and element
}

var signed = map[string]bool{"int": true, "enum": true}

func drawType(t *rapid.T, depth int, fixed bool) *typ {
	kinds := []string{"int", "uint", "float", "enum", "int", "string", "struct", "array", "sequence", "union"}
	if fixed {
		kinds = []string{"int", "uint", "float", "struct", "array", "union"}
	}
	if depth > 2 {
		kinds = kinds[:3]
	}
	x := &typ{kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	switch x.kind {
	case "float":
		x.size = rapid.SampledFrom([]int{4, 8}).Draw(t, "size")
	case "int", "uint", "enum":
		x.size = rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "size")
	case "struct", "union":
		for range rapid.IntRange(1, 3).Draw(t, "members") {
			x.of = append(x.of, drawType(t, depth+1, fixed || x.kind == "union"))
		}
	case "array":
		x.n, x.of = rapid.IntRange(min(depth, 1), 3).Draw(t, "elements"), []*typ{drawType(t, depth+1, fixed)}
	case "sequence":
		count := &typ{kind: "uint", size: rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "size")}
		x.of = []*typ{count, drawType(t, depth+1, false)}
	}
	return x
}

// xml returns the type in the form of a description.
func (x *typ) xml() string {
	switch x.kind {
	case "string":
		return "<string/>"
	case "struct", "union":
		s := ""
		for i, m := range x.of {
			s += fmt.Sprintf(`<field name="%c">%s</field>`, 'p'+i, m.xml())
		}
		return "<" + x.kind + ">" + s + "</" + x.kind + ">"
	case "array":
		return fmt.Sprintf(`<array size="%d">%s</array>`, x.n, x.of[0].xml())
	case "sequence":
		return "<sequence>" + x.of[0].xml() + x.of[1].xml() + "</sequence>"
	}
	return fmt.Sprintf(`<%s size="%d"/>`, x.kind, x.size)
}

// A payload holds data in the form of a writer of that time, and the values that a reader decodes.
type payload struct {
	*lttngtest.Trace
	t    *rapid.T
	data []byte
}

func (p *payload) align(x *typ) int {
	a := min(p.Alignment, x.size)
	for _, m := range x.of {
		a = max(a, p.align(m))
	}
	return max(a, 1)
}

func (x *typ) fixed() bool {
	for _, m := range x.of {
		if !m.fixed() {
			return false
		}
	}
	return x.kind != "string" && x.kind != "sequence"
}

func (p *payload) fillTo(align int) {
	p.data = append(p.data, make([]byte, p.Pad(len(p.data), align))...)
}

// write appends a value. Bytes are small, so that no float is a NaN.
func (p *payload) write(x *typ) {
	p.fillTo(p.align(x))
	switch x.kind {
	case "string":
		p.data = append(append(p.data, rapid.StringMatching(`[a-z]{0,9}`).Draw(p.t, "string")...), 0)
		p.fillTo(p.Word)
	case "struct":
		for _, m := range x.of {
			p.write(m)
		}
		if x.fixed() {
			p.fillTo(p.align(x))
		}
	case "union":
		size := 0
		for _, m := range x.of {
			one := &payload{Trace: p.Trace, t: p.t}
			one.write(m)
			size = max(size, len(one.data))
		}
		p.data = append(p.data, rapid.SliceOfN(rapid.ByteRange(0, 60), size, size).Draw(p.t, "union")...)
		p.fillTo(p.align(x))
	case "array":
		for range x.n {
			p.write(x.of[0])
		}
	case "sequence":
		n := rapid.IntRange(0, 3).Draw(p.t, "elements")
		count := binary.LittleEndian.AppendUint64(nil, uint64(n))[:x.of[0].size]
		if p.Order.String() == "BigEndian" {
			count = binary.BigEndian.AppendUint64(nil, uint64(n))[8-x.of[0].size:]
		}
		p.data = append(p.data, count...)
		p.fillTo(p.align(x.of[1]))
		for range n {
			p.write(x.of[1])
		}
		p.fillTo(p.Word)
	default:
		p.data = append(p.data, rapid.SliceOfN(rapid.ByteRange(0, 60), x.size, x.size).Draw(p.t, "number")...)
	}
}

// read returns the text of a value, the value in the form of a Reader, and the place after it.
func (p *payload) read(x *typ, at int) (text, value string, end int) {
	up := func(at, align int) int { return at + p.Pad(at, align) }
	at = up(at, p.align(x))
	var texts, values []string
	add := func(x *typ, name string, from int) (end int) {
		s, v, end := p.read(x, from)
		texts, values = append(texts, s), append(values, name+v)
		return end
	}
	brackets := "[]"
	switch x.kind {
	case "string":
		n := strings.IndexByte(string(p.data[at:]), 0)
		s := string(p.data[at : at+n])
		return `"` + s + `"`, s, up(at+n+1, p.Word)
	case "struct", "union":
		end, start := at, at
		for i, m := range x.of {
			if at = add(m, fmt.Sprintf("%c=", 'p'+i), at); x.kind == "union" {
				end, at = max(end, at), start
			}
		}
		if at = max(at, end); x.fixed() {
			at = up(at, p.align(x))
		}
		brackets = "{}"
	case "array":
		for range x.n {
			at = add(x.of[0], "", at)
		}
	case "sequence":
		n, end := p.number(x.of[0], at)
		at = up(end, p.align(x.of[1]))
		for range n {
			at = add(x.of[1], "", at)
		}
		at = up(at, p.Word)
	default:
		n, end := p.number(x, at)
		s, v := strconv.FormatUint(n, 10), ""
		switch {
		case x.kind == "float":
			f := math.Float64frombits(n)
			if x.size == 4 {
				f = float64(math.Float32frombits(uint32(n)))
			}
			s, v = strconv.FormatFloat(f, 'f', 6, 64), strconv.FormatFloat(f, 'g', -1, 8*x.size)
		case signed[x.kind]:
			s = strconv.FormatInt(int64(n<<(64-8*x.size))>>(64-8*x.size), 10)
		}
		return s, cmp.Or(v, s), end
	}
	return "{ " + strings.Join(texts, ", ") + " }", brackets[:1] + strings.Join(values, " ") + brackets[1:], at
}

func (p *payload) number(x *typ, at int) (uint64, int) {
	b := make([]byte, 8)
	if p.Order.String() == "BigEndian" {
		copy(b[8-x.size:], p.data[at:])
		return binary.BigEndian.Uint64(b), at + x.size
	}
	copy(b, p.data[at:at+x.size])
	return binary.LittleEndian.Uint64(b), at + x.size
}

// drawPayload draws an event: its types, and a payload with these types.
func drawPayload(t *rapid.T, o *lttngtest.Trace) (types []*typ, p *payload) {
	p = &payload{Trace: o, t: t}
	for range rapid.IntRange(1, 4).Draw(t, "fields") {
		x := drawType(t, 0, false)
		types = append(types, x)
		p.write(x)
	}
	return types, p
}

// TestFacilities: events of random facilities, whole, of unknown size, and cut at every byte.
func TestFacilities(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := &lttngtest.Trace{Order: binary.LittleEndian, Word: rapid.SampledFrom([]int{4, 8}).Draw(rt, "word")}
		if rapid.Bool().Draw(rt, "big") {
			o.Order = binary.BigEndian
		}
		if rapid.Bool().Draw(rt, "aligned") {
			o.Alignment = o.Word
		}
		types, p := drawPayload(rt, o)
		want := shown{size: len(p.data), values: map[string]string{}}
		var names, texts []string
		at := 0
		for i, x := range types {
			var s, v string
			s, v, at = p.read(x, at)
			names, texts, want.values[string(rune('a'+i))] = append(names, x.xml()), append(texts, s), v
		}
		want.text = "{ " + strings.Join(texts, ", ") + " }"
		o.Description = fieldsXML(names...)
		o.Events = []lttngtest.Event{{Data: p.data}, {Data: p.data, Unsized: true}}
		for n := range p.data {
			o.Events = append(o.Events, lttngtest.Event{Data: p.data[:n]})
		}
		rec := openTrace(t, o)
		have := showAll(t, rec)
		if d := gocmp.Diff([]shown{want, want}, have[:2], gocmp.AllowUnexported(shown{})); d != "" {
			rt.Fatalf("%s of % x (-want +have):\n%s", o.Description, p.data, d)
		}
		for _, cut := range have[2:] {
			text, _, short := strings.Cut(" "+cut.text, fmt.Sprintf(" [short record: %d of ", cut.size))
			if !strings.HasPrefix(" "+want.text, text) || !short && cut.text != want.text {
				rt.Fatalf("%s: cut to %d bytes: %s, whole: %s", o.Description, cut.size, cut.text, want.text)
			}
			for name, v := range cut.values {
				if !strings.HasPrefix(want.values[name], strings.TrimRight(v, "]}")) {
					rt.Fatalf("%s: cut to %d bytes: %s is %s, whole: %s", o.Description, cut.size, name, v,
						want.values[name])
				}
			}
		}
	})
}
