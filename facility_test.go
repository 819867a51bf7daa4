package tracec_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// shown holds the events of a trace's facility as a Reader returns them.
type shown struct {
	size   int
	text   string
	values map[string]string
}

// openTrace opens a trace.
func openTrace(t testing.TB, o *lttngtest.Trace) *lttng.Recording {
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
	r, err := tracec.NewReader(rec)
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

// fieldsXML describes an event with fields a, b and so on.
func fieldsXML(types ...string) string {
	var b strings.Builder
	b.WriteString(`<event name="e">`)
	for i, x := range types {
		fmt.Fprintf(&b, `<field name="%c">%s</field>`, 'a'+i, x)
	}
	return b.String() + `</event>`
}

// TestFacilityTypes reads payloads that were laid out by hand, by lttng.md 5.2 and 5.3 and the
// rules of C for structures.
func TestFacilityTypes(t *testing.T) {
	struct3 := `<struct><field name="x"><short/></field><field name="y"><long/></field><field name="z"><char/></field></struct>`
	struct2 := `<struct><field name="x"><short/></field><field name="y"><char/></field></struct>`
	union := `<union><field name="u"><uint/></field><field name="f"><float size="8"/></field></union>`
	named := `<struct><field name="s"><string/></field><field name="n"><int/></field></struct>`
	counted := `<struct><field name="l"><sequence><uchar/><short/></sequence></field><field name="n"><char/></field></struct>`
	for _, c := range []struct {
		types               []string
		le64, le32, packed  string // bytes: 64 and 32 bits, little-endian and aligned; 32 bits, big-endian and packed
		text                string
		values              map[string]string
		packedText, packedU string // if they differ
	}{
		{types: []string{`<char/>`, struct3, `<char/>`},
			le64:   "01 00000000000000 feff 000000000000 0300000000000000 04 00000000000000 05",
			le32:   "01 000000 feff 0000 03000000 04 000000 05",
			packed: "01 fffe 00000003 04 05",
			text:   "{ 1, { -2, 3, 4 }, 5 }", values: map[string]string{"a": "1", "b": "{x=-2 y=3 z=4}", "c": "5"}},
		{types: []string{`<char/>`, `<sequence><ushort/><uint/></sequence>`, `<char/>`},
			le64:   "01 000000 0200 0000 0a000000 0b000000 0c",
			le32:   "01 000000 0200 0000 0a000000 0b000000 0c",
			packed: "01 0002 0000000a 0000000b 0c",
			text:   "{ 1, { 10, 11 }, 12 }", values: map[string]string{"a": "1", "b": "[10 11]", "c": "12"}},
		{types: []string{`<sequence><uchar/><char/></sequence>`, `<char/>`},
			le64:   "03 616263 00000000 0c",
			le32:   "03 616263 0c",
			packed: "03 616263 0c",
			text:   "{ { 97, 98, 99 }, 12 }", values: map[string]string{"a": "[97 98 99]", "b": "12"}},
		{types: []string{`<char/>`, union, `<char/>`},
			le64:   "01 00000000000000 0000000000000440 07",
			le32:   "01 000000 0000000000000440 07",
			packed: "01 4004000000000000 07",
			text:   "{ 1, { 0, 2.500000 }, 7 }", values: map[string]string{"a": "1", "b": "{u=0 f=2.5}", "c": "7"},
			packedText: "{ 1, { 1074003968, 2.500000 }, 7 }", packedU: "{u=1074003968 f=2.5}"},
		{types: []string{`<array size="2"><string/></array>`, `<short/>`},
			le64:   "616200 0000000000 6300 000000000000 0900",
			le32:   "616200 00 6300 0000 0900",
			packed: "616200 6300 0009",
			text:   `{ { "ab", "c" }, 9 }`, values: map[string]string{"a": "[ab c]", "b": "9"}},
		{types: []string{`<float size="4"/>`, `<float size="8"/>`},
			le64:   "0000c03f 00000000 00000000000002c0",
			le32:   "0000c03f 00000000000002c0",
			packed: "3fc00000 c002000000000000",
			text:   "{ 1.500000, -2.250000 }", values: map[string]string{"a": "1.5", "b": "-2.25"}},
		{types: []string{`<array size="2">` + struct2 + `</array>`, `<char/>`},
			le64:   "0100 02 00 0300 04 00 05",
			le32:   "0100 02 00 0300 04 00 05",
			packed: "0001 02 0003 04 05",
			text:   "{ { { 1, 2 }, { 3, 4 } }, 5 }", values: map[string]string{"a": "[{x=1 y=2} {x=3 y=4}]", "b": "5"}},
		{types: []string{`<sequence><uchar/>` + named + `</sequence>`},
			le64:   "02 000000 6100 0000 01000000 626300 00 02000000 00000000",
			le32:   "02 000000 6100 0000 01000000 626300 00 02000000",
			packed: "02 6100 00000001 626300 00000002",
			text:   `{ { { "a", 1 }, { "bc", 2 } } }`, values: map[string]string{"a": "[{s=a n=1} {s=bc n=2}]"}},
		{types: []string{named, `<char/>`},
			le64:   "616263646566676800 00000000000000 05000000 06",
			le32:   "616263646566676800 000000 05000000 06",
			packed: "616263646566676800 00000005 06",
			text:   `{ { "abcdefgh", 5 }, 6 }`, values: map[string]string{"a": "{s=abcdefgh n=5}", "b": "6"}},
		{types: []string{`<array size="1">` + counted + `</array>`, `<char/>`},
			le64:   "00 00 000000000000 07 09",
			le32:   "00 00 0000 07 09",
			packed: "00 07 09",
			text:   "{ { { {  }, 7 } }, 9 }", values: map[string]string{"a": "[{l=[] n=7}]", "b": "9"}},
		{types: []string{`<pointer/>`, `<enum size="2"/>`, `<array size="0"><int/></array>`,
			`<sequence><int/><int/></sequence>`},
			le64:   "efbe000000000000 0300 0000 00000000",
			le32:   "efbe0000 0300 0000 00000000",
			packed: "0000beef 0003 00000000",
			text:   `{ 0xbeef, 3, {  }, {  } }`, values: map[string]string{"a": "48879", "b": "3", "c": "[]",
				"d": "[]"}},
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
					want.text, want.values["b"] = c.packedText, c.packedU
				}
			}
			o.Events = []lttngtest.Event{{Data: data}, {Data: data, Unsized: true}, {Data: data}}
			if d := cmp.Diff([]shown{want, want, want}, showAll(t, openTrace(t, o)),
				cmp.AllowUnexported(shown{})); d != "" {
				t.Errorf("%s, %d (-want +have):\n%s", c.types, i, d)
			}
		}
	}
}

// TestFloatOrder checks that floats have the order in float_word_order, if it is given (lttng.md
// 3.2).
func TestFloatOrder(t *testing.T) {
	for _, c := range []struct {
		floats uint32
		data   string
		big    bool
	}{
		{0, "00002040", false}, {1234, "00002040", false}, {4321, "40200000", false}, {0, "40200000", true},
		{1234, "00002040", true}, {4321, "40200000", true},
	} {
		data, _ := hex.DecodeString(c.data)
		o := &lttngtest.Trace{Order: binary.LittleEndian, Word: 4, Floats: c.floats,
			Description: fieldsXML(`<float size="4"/>`), Events: []lttngtest.Event{{Data: data}}}
		if c.big {
			o.Order = binary.BigEndian
		}
		if have := showAll(t, openTrace(t, o)); len(have) != 1 || have[0].text != "{ 2.500000 }" ||
			have[0].values["a"] != "2.5" {
			t.Errorf("%+v: %+v", c, have)
		}
	}
}

// TestHostileCounts reads a count above the number of elements, and more elements than in any
// earlier event.
func TestHostileCounts(t *testing.T) {
	o := &lttngtest.Trace{Order: binary.LittleEndian, Word: 4,
		Description: fieldsXML(`<sequence><uint/><char/></sequence>`)}
	o.Events = []lttngtest.Event{{Data: []byte("\xff\xff\xff\xffab")}, {Data: binary.LittleEndian.AppendUint32(nil, 0)}}
	have := showAll(t, openTrace(t, o))
	if len(have) != 2 || have[0].text != "{ { 97, 98 [short record: 6 of 7 bytes]" ||
		have[0].values["a"] != "[97 98]" || have[1].text != "{ {  } }" {
		t.Errorf("%+v", have)
	}
	for n, want := range map[int]string{70_000: "7, 7 } }", 2 << 20: "7, 7, ... } }"} {
		o.Events = []lttngtest.Event{{Data: append(binary.LittleEndian.AppendUint32(nil, uint32(n)),
			bytes.Repeat([]byte{7}, n)...), Unsized: true}}
		have := showAll(t, openTrace(t, o))
		if len(have) != 1 || have[0].size != 4+n || !strings.HasSuffix(have[0].text, want) {
			t.Fatalf("%d elements: %.100s", n, fmt.Sprint(have))
		}
		if count := strings.Count(have[0].values["a"], "7"); count != n && count < 1<<20-100 {
			t.Errorf("%d elements: %d values", n, count)
		}
	}
	o.Events = []lttngtest.Event{{Data: []byte("\xff\xff\xff\xffab"), Unsized: true}}
	rec := openTrace(t, o)
	for range rec.Merge(record.Options{}).All() {
	}
	if d := rec.Damage(); len(d) != 1 || !strings.Contains(d[0].Error(),
		"an event that is longer than its sub-buffer") {
		t.Errorf("damage %v", d)
	}
}

// TestNestedAllocations checks that structures and their lists allocate nothing per event, once a
// list of the same length has been read.
func TestNestedAllocations(t *testing.T) {
	point := `<struct><field name="s"><string/></field><field name="l"><sequence><uchar/><short/></sequence></field></struct>`
	o := &lttngtest.Trace{Order: binary.LittleEndian, Word: 4,
		Description: fieldsXML(`<sequence><uchar/>`+point+`</sequence>`, point)}
	for i := range 2000 {
		one := []byte{'a', 0, 2, byte(i), 0, 7, 0}
		o.Events = append(o.Events, lttngtest.Event{Data: slices.Concat([]byte{2}, one, one, one)})
	}
	r, err := tracec.NewReader(openTrace(t, o))
	if err != nil {
		t.Fatal(err)
	}
	var dst []byte
	ask, sum := true, int64(0)
	walk := func() {
		for ev := range r.All() {
			if !ask || ev.Type.System != "f" {
				continue
			}
			list, _ := ev.At(0)
			for i := range list.Len() {
				for _, v := range list.Elem(i).Fields() {
					if v.Kind() == tracec.List {
						sum += v.Elem(v.Len() - 1).Int()
					}
				}
			}
			for i := range ev.Type.Fields {
				v, _ := ev.At(i)
				dst = v.Append(dst[:0])
			}
		}
	}
	walk() // lists grow
	if sum != 2*7*2000 {
		t.Fatalf("the sum is %d", sum)
	}
	all := testing.AllocsPerRun(3, walk)
	ask = false
	if plain := testing.AllocsPerRun(3, walk); all > plain+50 { // the lists of each walk grow once
		t.Errorf("%v allocations, %v of them to walk", all, plain)
	}
}
