package dynamic_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/internal/lttngtest"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// shown is what a Reader says of the events of the facility of a trace.
type shown struct {
	size   int
	text   string
	values map[string]string
}

// open opens a trace.
func open(t testing.TB, o *lttngtest.Trace) *lttng.Recording {
	t.Helper()
	rec, err := lttng.OpenFS(o.Files(), "trace")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// showAll reads the events.
func showAll(t testing.TB, rec *lttng.Recording) (list []shown) {
	t.Helper()
	r, err := dynamic.NewReader(rec)
	if err != nil {
		t.Fatal(err)
	}
	for ev := range r.All() {
		if ev.Type.System != "f" {
			continue
		}
		s := shown{size: len(ev.Data), values: map[string]string{}}
		text, ok := ev.AppendText(nil)
		if !ok || ev.Type.Err != nil {
			t.Fatalf("%s has no text: %v", ev.Type.Name, ev.Type.Err)
		}
		s.text = string(text)
		for f, v := range ev.Fields() {
			s.values[f.Name] = v.String()
		}
		list = append(list, s)
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	if d := rec.Damage(); len(d) > 0 {
		t.Fatal(d[0])
	}
	return list
}

// fieldsXML is an event with fields a, b and so on.
func fieldsXML(types ...string) string {
	var b strings.Builder
	b.WriteString(`<event name="e">`)
	for i, x := range types {
		fmt.Fprintf(&b, `<field name="%c">%s</field>`, 'a'+i, x)
	}
	return b.String() + `</event>`
}

// TestFacilityTypes: payloads that were laid out by hand, by lttng.md 5.2 and 5.3 and the rules of C for structures.
func TestFacilityTypes(t *testing.T) {
	struct3 := `<struct><field name="x"><short/></field><field name="y"><long/></field><field name="z"><char/></field></struct>`
	struct2 := `<struct><field name="x"><short/></field><field name="y"><char/></field></struct>`
	union := `<union><field name="u"><uint/></field><field name="f"><float size="8"/></field></union>`
	named := `<struct><field name="s"><string/></field><field name="n"><int/></field></struct>`
	for _, c := range []struct {
		types               []string
		le64, le32, packed  string // bytes: 64 and 32 bits, little-endian and aligned; 32 bits, big-endian and packed
		text                string
		values              map[string]string
		packedText, packedU string // where they differ
	}{
		{types: []string{`<char/>`, struct3, `<char/>`},
			le64:   "01 00000000000000 feff 000000000000 0300000000000000 04 00000000000000 05",
			le32:   "01 000000 feff 0000 03000000 04 000000 05",
			packed: "01 fffe 00000003 04 05",
			text:   " { 1, { -2, 3, 4 }, 5 }", values: map[string]string{"a": "1", "b.x": "-2", "b.y": "3", "b.z": "4", "c": "5"}},
		{types: []string{`<char/>`, `<sequence><ushort/><uint/></sequence>`, `<char/>`},
			le64:   "01 000000 0200 0000 0a000000 0b000000 0c",
			le32:   "01 000000 0200 0000 0a000000 0b000000 0c",
			packed: "01 0002 0000000a 0000000b 0c",
			text:   " { 1, { 10, 11 }, 12 }", values: map[string]string{"a": "1", "b": "[10 11]", "c": "12"}},
		{types: []string{`<sequence><uchar/><char/></sequence>`, `<char/>`},
			le64:   "03 616263 00000000 0c",
			le32:   "03 616263 0c",
			packed: "03 616263 0c",
			text:   " { { 97, 98, 99 }, 12 }", values: map[string]string{"a": "[97 98 99]", "b": "12"}},
		{types: []string{`<char/>`, union, `<char/>`},
			le64:   "01 00000000000000 0000000000000440 07",
			le32:   "01 000000 0000000000000440 07",
			packed: "01 4004000000000000 07",
			text:   " { 1, { 0, 2.500000 }, 7 }", values: map[string]string{"a": "1", "b.u": "0", "b.f": "2.5", "c": "7"},
			packedText: " { 1, { 1074003968, 2.500000 }, 7 }", packedU: "1074003968"},
		{types: []string{`<array size="2"><string/></array>`, `<short/>`},
			le64:   "616200 0000000000 6300 000000000000 0900",
			le32:   "616200 00 6300 0000 0900",
			packed: "616200 6300 0009",
			text:   ` { { "ab", "c" }, 9 }`, values: map[string]string{"a": "[ab c]", "b": "9"}},
		{types: []string{`<float size="4"/>`, `<float size="8"/>`},
			le64:   "0000c03f 00000000 00000000000002c0",
			le32:   "0000c03f 00000000000002c0",
			packed: "3fc00000 c002000000000000",
			text:   " { 1.500000, -2.250000 }", values: map[string]string{"a": "1.5", "b": "-2.25"}},
		{types: []string{`<array size="2">` + struct2 + `</array>`, `<char/>`},
			le64:   "0100 02 00 0300 04 00 05",
			le32:   "0100 02 00 0300 04 00 05",
			packed: "0001 02 0003 04 05",
			text:   " { { { 1, 2 }, { 3, 4 } }, 5 }", values: map[string]string{"a.x": "[1 3]", "a.y": "[2 4]", "b": "5"}},
		{types: []string{`<sequence><uchar/>` + named + `</sequence>`},
			le64:   "02 000000 6100 0000 01000000 626300 00 02000000 00000000",
			le32:   "02 000000 6100 0000 01000000 626300 00 02000000",
			packed: "02 6100 00000001 626300 00000002",
			text:   ` { { { "a", 1 }, { "bc", 2 } } }`, values: map[string]string{"a.s": "[a bc]", "a.n": "[1 2]"}},
		{types: []string{named, `<char/>`},
			le64:   "616263646566676800 00000000000000 05000000 06",
			le32:   "616263646566676800 000000 05000000 06",
			packed: "616263646566676800 00000005 06",
			text:   ` { { "abcdefgh", 5 }, 6 }`, values: map[string]string{"a.s": "abcdefgh", "a.n": "5", "b": "6"}},
		{types: []string{`<pointer/>`, `<enum size="2"/>`, `<array size="0"><int/></array>`, `<sequence><int/><int/></sequence>`},
			le64:   "efbe000000000000 0300 0000 00000000",
			le32:   "efbe0000 0300 0000 00000000",
			packed: "0000beef 0003 00000000",
			text:   ` { 0xbeef, 3, {  }, {  } }`, values: map[string]string{"a": "48879", "b": "3"}},
	} {
		for i, text := range []string{c.le64, c.le32, c.packed} {
			data, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			o := &lttngtest.Trace{Order: binary.LittleEndian, Word: 4, Description: fieldsXML(c.types...)}
			want := shown{len(data), c.text, c.values}
			switch i {
			case 0:
				o.Word, o.Alignment = 8, 8
			case 1:
				o.Alignment = 4
			case 2:
				o.Order = binary.BigEndian
				if c.packedText != "" {
					want.text, want.values["b.u"] = c.packedText, c.packedU
				}
			}
			o.Events = []lttngtest.Event{{Data: data}, {Data: data, Unsized: true}, {Data: data}}
			if d := cmp.Diff([]shown{want, want, want}, showAll(t, open(t, o)), cmp.AllowUnexported(shown{})); d != "" {
				t.Errorf("%s, %d (-want +have):\n%s", c.types, i, d)
			}
		}
	}
}

// TestFloatOrder: float_word_order is the order of floats where it names one (lttng.md 3.2).
func TestFloatOrder(t *testing.T) {
	for _, c := range []struct {
		floats uint32
		data   string
		big    bool
	}{
		{0, "00002040", false}, {1234, "00002040", false}, {4321, "40200000", false}, {0, "40200000", true}, {1234, "00002040", true}, {4321, "40200000", true},
	} {
		data, _ := hex.DecodeString(c.data)
		o := &lttngtest.Trace{Order: binary.LittleEndian, Word: 4, Floats: c.floats, Description: fieldsXML(`<float size="4"/>`), Events: []lttngtest.Event{{Data: data}}}
		if c.big {
			o.Order = binary.BigEndian
		}
		if have := showAll(t, open(t, o)); len(have) != 1 || have[0].text != " { 2.500000 }" || have[0].values["a"] != "2.5" {
			t.Errorf("%+v: %+v", c, have)
		}
	}
}

// TestHostileCounts: a count of elements that are not there, and more elements than any event had.
func TestHostileCounts(t *testing.T) {
	o := &lttngtest.Trace{Order: binary.LittleEndian, Word: 4, Description: fieldsXML(`<sequence><uint/><char/></sequence>`)}
	o.Events = []lttngtest.Event{{Data: []byte("\xff\xff\xff\xffab")}, {Data: binary.LittleEndian.AppendUint32(nil, 0)}}
	have := showAll(t, open(t, o))
	if len(have) != 2 || have[0].text != " { { 97, 98 [short record: 6 of 7 bytes]" || have[0].values["a"] != "[97 98]" || have[1].text != " { {  } }" {
		t.Errorf("%+v", have)
	}
	for n, want := range map[int]string{70_000: "7, 7 } }", 2 << 20: "7, 7, ... } }"} {
		o.Events = []lttngtest.Event{{Data: append(binary.LittleEndian.AppendUint32(nil, uint32(n)), bytes.Repeat([]byte{7}, n)...), Unsized: true}}
		have := showAll(t, open(t, o))
		if len(have) != 1 || have[0].size != 4+n || !strings.HasSuffix(have[0].text, want) {
			t.Fatalf("%d elements: %.100s", n, fmt.Sprint(have))
		}
		if count := strings.Count(have[0].values["a"], "7"); count != n && count < 1<<20-100 {
			t.Errorf("%d elements: %d values", n, count)
		}
	}
	o.Events = []lttngtest.Event{{Data: []byte("\xff\xff\xff\xffab"), Unsized: true}}
	rec := open(t, o)
	for range rec.Merge(record.Options{}).All() {
	}
	if d := rec.Damage(); len(d) != 1 || !strings.Contains(d[0].Error(), "an event that is longer than its sub-buffer") {
		t.Errorf("damage %v", d)
	}
}

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

// payload is what a writer of the era would have laid out, and what a reader makes of it.
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

// write appends a value. Bytes are small, so that none makes a float that is no number.
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
		want := shown{len(p.data), " { " + strings.Join(texts, ", ") + " }", map[string]string{}}
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
		rec := open(t, o)
		checkFlat(rt, rec, p)
		have := showAll(t, rec)
		if d := cmp.Diff([]shown{want, want}, have[:2], cmp.AllowUnexported(shown{})); d != "" {
			rt.Fatalf("%s of % x (-want +have):\n%s", o.Description, p.data, d)
		}
		for _, cut := range have[2:] {
			text, _, short := strings.Cut(cut.text, fmt.Sprintf(" [short record: %d of ", cut.size))
			if !strings.HasPrefix(want.text, text) || !short && text != want.text {
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

// indexes are those of elements in the names of flat values.
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
