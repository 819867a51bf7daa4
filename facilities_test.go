package tracec_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/render"
)

// typ is a type of a facility, with a reader and a writer that know nothing of ours.
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

// xml returns the type as a description has it.
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

// A payload is data as a writer of the era wrote it, and the values that a reader decodes.
type payload struct {
	*lttngtest.Trace
	t      *rapid.T
	data   []byte
	values map[string][]string
	list   map[string]bool // values that may come several times
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

// read returns the text of a value and the place after it.
func (p *payload) read(x *typ, name string, at int) (string, int) {
	up := func(at, align int) int { return at + p.Pad(at, align) }
	at = up(at, p.align(x))
	var list []string
	add := func(x *typ, name string, from int) (end int) {
		s, end := p.read(x, name, from)
		list = append(list, s)
		return end
	}
	switch x.kind {
	case "string":
		n := strings.IndexByte(string(p.data[at:]), 0)
		s := string(p.data[at : at+n])
		p.values[name] = append(p.values[name], s)
		return `"` + s + `"`, up(at+n+1, p.Word)
	case "struct", "union":
		end, start := at, at
		for i, m := range x.of {
			if at = add(m, fmt.Sprintf("%s.%c", name, 'p'+i), at); x.kind == "union" {
				end, at = max(end, at), start
			}
		}
		if at = max(at, end); x.fixed() {
			at = up(at, p.align(x))
		}
	case "array":
		for range x.n {
			at = add(x.of[0], name, at)
		}
	case "sequence":
		n, end := p.number(x.of[0], at)
		at = up(end, p.align(x.of[1]))
		for range n {
			at = add(x.of[1], name, at)
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
		if v == "" {
			v = s
		}
		p.values[name] = append(p.values[name], v)
		return s, end
	}
	return "{ " + strings.Join(list, ", ") + " }", at
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

// repeats notes which values may come several times.
func (p *payload) repeats(x *typ, name string, several bool) {
	switch x.kind {
	case "struct", "union":
		for i, m := range x.of {
			p.repeats(m, fmt.Sprintf("%s.%c", name, 'p'+i), several)
		}
	case "array", "sequence":
		p.repeats(x.of[len(x.of)-1], name, true)
	default:
		p.list[name] = several
	}
}

// drawPayload draws an event: its types, and a payload of them.
func drawPayload(t *rapid.T, o *lttngtest.Trace) (types []*typ, p *payload) {
	p = &payload{Trace: o, t: t, values: map[string][]string{}, list: map[string]bool{}}
	for i := range rapid.IntRange(1, 4).Draw(t, "fields") {
		x := drawType(t, 0, false)
		types = append(types, x)
		p.repeats(x, string(rune('a'+i)), false)
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
		var names, texts []string
		at := 0
		for i, x := range types {
			var s string
			s, at = p.read(x, string(rune('a'+i)), at)
			names, texts = append(names, x.xml()), append(texts, s)
		}
		want := shown{len(p.data), "{ " + strings.Join(texts, ", ") + " }", map[string]string{}}
		for name, several := range p.list {
			switch v := p.values[name]; {
			case several && len(v) > 0:
				want.values[name] = "[" + strings.Join(v, " ") + "]"
			case !several:
				want.values[name] = v[0]
			}
		}
		o.Description = fieldsXML(names...)
		o.Events = []lttngtest.Event{{Data: p.data}, {Data: p.data, Unsized: true}}
		for n := range p.data {
			o.Events = append(o.Events, lttngtest.Event{Data: p.data[:n]})
		}
		rec := openTrace(t, o)
		checkFlat(rt, rec, p)
		have := showAll(t, rec)
		if d := cmp.Diff([]shown{want, want}, have[:2], cmp.AllowUnexported(shown{})); d != "" {
			rt.Fatalf("%s of % x (-want +have):\n%s", o.Description, p.data, d)
		}
		for _, cut := range have[2:] {
			text, _, short := strings.Cut(" "+cut.text, fmt.Sprintf(" [short record: %d of ", cut.size))
			if !strings.HasPrefix(" "+want.text, text) || !short && cut.text != want.text {
				rt.Fatalf("%s: cut to %d bytes: %s, whole: %s", o.Description, cut.size, cut.text, want.text)
			}
			for name, v := range cut.values {
				if !strings.HasPrefix(want.values[name], strings.TrimSuffix(v, "]")) {
					rt.Fatalf("%s: cut to %d bytes: %s is %s, whole: %s", o.Description, cut.size, name, v, want.values[name])
				}
			}
		}
	})
}

// indexes match the indexes of elements in the names of flat values.
var indexes = regexp.MustCompile(`\[\d+\]`)

// checkFlat compares the values of generated decoders.
func checkFlat(t *rapid.T, rec *lttng.Recording, p *payload) {
	u, errs := recorded.Unit(rec, func(channel, name string) bool { return channel == "f" })
	if len(errs) > 0 { // elements that generated decoders do not have
		return
	}
	ev := *u.Events[0]
	ev.Text = ev.Decode
	program, err := interp.CompileValues(&ev, u.Target)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	m := interp.NewMachine(&render.Env{BigEndian: u.Target.BigEndian, WordSize: u.Target.WordSize})
	m.Keep = func(i int, bits uint64, b []byte) {
		switch d, name := ev.Values[i], indexes.ReplaceAllString(ev.Values[i].Name, ""); {
		case d.Text:
			got[name] = append(got[name], string(b))
		case d.Float && d.Type.Size == 4:
			got[name] = append(got[name], strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'g', -1, 32))
		case d.Float:
			got[name] = append(got[name], strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64))
		case d.Type.Signed:
			got[name] = append(got[name], strconv.FormatInt(int64(bits), 10))
		case d.Type.Size > 0:
			got[name] = append(got[name], strconv.FormatUint(bits, 10))
		case u.Events[0].Fields[i+1].Kind == ir.Counted: // elements of one byte
			for _, c := range b {
				got[name] = append(got[name], strconv.Itoa(int(c)))
			}
		}
	}
	m.AppendText(nil, program, p.data)
	for name, values := range got {
		if d := cmp.Diff(p.values[name], values); d != "" {
			t.Fatalf("%s of % x: %s (-want +flat):\n%s", p.Description, p.data, name, d)
		}
	}
	for name, values := range p.values {
		if opaque := slices.ContainsFunc(u.Events[0].Fields, func(f *ir.Field) bool { return f.Kind == ir.Bytes }); got[name] == nil && !opaque {
			t.Fatalf("%s of % x: %s is missing, want %s", p.Description, p.data, name, values)
		}
	}
}
