package lttng

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// oldTrace writes traces of 0.7 and 0.8.
type oldTrace struct {
	*Writer
	t   *testing.T
	mem *traceFiles
	now uint64
}

func newOldTrace(t *testing.T, l Layout) *oldTrace {
	l.BlockSize, l.CPUs, l.Freq, l.StartTSC = 4096, 1, 1e9, 1000
	mem := newMemory()
	w, err := newWriter(mem.create, l)
	if err != nil {
		t.Fatal(err)
	}
	return &oldTrace{w, t, mem, l.StartTSC}
}

// event writes the values of a format as an event of a facility.
func (o *oldTrace) event(channel string, facility, number int, format string, values ...any) {
	o.t.Helper()
	if err := o.open(channel); err != nil {
		o.t.Fatal(err)
	}
	s := o.layout.sizes()
	m := &Marker{Name: format, ID: uint16(facility<<8 | number)}
	var err error
	if m.Fields, err = layOut(format, s, false); err != nil {
		o.t.Fatal(err)
	}
	m.padStrings(o.layout.Alignment)
	data, _, err := o.payload(m, false, values)
	if err != nil {
		o.t.Fatal(err)
	}
	o.now += 10
	f := o.files[channel][0]
	f.compact = channel == compactChannel
	if err := f.write(event{tsc: o.now, marker: m, data: data}, 0); err != nil {
		o.t.Fatal(err)
	}
}

// load writes the load of a facility.
func (o *oldTrace) load(name string, checksum uint32, id int) {
	o.t.Helper()
	s := o.layout.sizes()
	o.event("control/facilities", 0, coreStateLoad, builtIn["core"][coreLoad].format, name, checksum, id, s.int, s.long, s.pointer, s.sizeT, s.alignment)
}

func (o *oldTrace) done(files map[string]string, opts ...Option) *Recording {
	o.t.Helper()
	if err := o.Close(); err != nil {
		o.t.Fatal(err)
	}
	for name, text := range files {
		o.mem.files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return openMemory(o.t, o.mem, opts...)
}

// damageText joins what a recording complains about.
func damageText(rec *Recording) string {
	var b strings.Builder
	for _, d := range rec.Damage() {
		fmt.Fprintln(&b, d)
	}
	return b.String()
}

const fsXML = `<?xml version="1.0"?>
<facility name=fs>
  <description>The fs facility</description>
  <event name="open">
    <description>A file was opened</description>
    <field name="filename"><string/></field>
    <field name="fd"><description>File descriptor</description><uint size="4"/></field>
  </event>
  <event name="empty"/>
  <event name="ids"><field name="id"> <typeref name="pair"/> </field> <field name="comm"><array size="2"><char/></array></field></event>
  <type name="pair"><struct><field name="a"><typeref name="small"/></field><field name="b"><long/></field></struct></type>
  <typedef name="small"><short/></typedef>
  <event name="vprintk"><field name="n"><int/></field><field name="text"><sequence><uint size=1/><char/></sequence></field></event>
</facility>`

func TestFacilities(t *testing.T) {
	for _, l := range []Layout{
		{Dialect: V07, WordSize: 4, Alignment: 4},
		{Dialect: V07, WordSize: 8, Heartbeat: true, BigEndian: true},
		{Dialect: V08, WordSize: 8, Alignment: 8},
		{Dialect: V08, WordSize: 4, Alignment: 4, Heartbeat: true},
	} {
		t.Run(fmt.Sprintf("%s-%d-%d", l.Dialect, l.WordSize, l.Alignment), func(t *testing.T) {
			o := newOldTrace(t, l)
			o.load("user_generic", userGenericSum, 0x44)
			o.load("fs", 7, 9)
			o.load("fs", 7, 9) // said twice
			o.event("cpu", 0x44, 1, "s %s p %p", "abc", 0x1234)
			o.event("cpu", 9, 0, "f %s fd #4u%u", "name", 3)
			o.event("cpu", 9, 1, " ")
			o.event("cpu", 9, 2, "id.a %hd id.b %ld comm[0] #1d%d comm[1] #1d%d", -2, 5, 'a', 'b')
			o.event("cpu", 9, 3, "n %d l #1u%u a #1d%d", 1, 1, 'x')
			o.event("cpu", 0, 3, "timestamp #8u%llu", uint64(5_000_000_000))
			o.now = 5_000_000_000
			o.event("cpu", 9, 1, " ")
			rec := o.done(map[string]string{"eventdefs/fs.xml": fsXML})
			formats := map[string]string{}
			for _, m := range rec.Markers() {
				if m.Channel != "core" {
					formats[fmt.Sprintf("%s.%s %#x", m.Channel, m.Name, m.ID)] = m.Format
				}
			}
			if d := cmp.Diff(map[string]string{
				"user_generic.string 0x4400": "data %s", "user_generic.string_pointer 0x4401": "string %s pointer %p", "user_generic.slow_printf 0x4402": "string %s",
				"user_generic.function_entry 0x4403": "this_fn %p call_site %p", "user_generic.function_exit 0x4404": "this_fn %p call_site %p", "user_generic.thread_brand 0x4405": "name %s",
				"fs.open 0x900": "filename string, fd u32", "fs.empty 0x901": "", "fs.ids 0x902": fmt.Sprintf("id {a i16, b i%d}, comm i8[2]", 8*l.WordSize),
				"fs.vprintk 0x903": "n i32, text i8[u8]",
			}, formats); d != "" {
				t.Errorf("formats (-want +have)\n%s", d)
			}
			var have []got
			for _, g := range read(t, rec) {
				if g.Channel == "/cpu" {
					have = append(have, got{Marker: g.Marker, TSC: g.TSC, Data: fmt.Sprint(len(g.Data))})
				}
			}
			at := uint64(1000 + 3*10)
			w := l.WordSize
			n := func(packed, aligned int) string {
				if l.Alignment == 0 {
					return fmt.Sprint(packed)
				}
				return fmt.Sprint(aligned)
			}
			if d := cmp.Diff([]got{
				{Marker: "user_generic.string_pointer", TSC: at + 10, Data: n(4+w, 2*w)},
				{Marker: "fs.open", TSC: at + 20, Data: n(5+4, 8+4)},
				{Marker: "fs.empty", TSC: at + 30, Data: "0"},
				{Marker: "fs.ids", TSC: at + 40, Data: n(2+w+2, 2*w+2)},
				{Marker: "fs.vprintk", TSC: at + 50, Data: "6"},
				{Marker: "core.time_heartbeat_full", TSC: 5_000_000_000, Data: "8"},
				{Marker: "fs.empty", TSC: 5_000_000_010, Data: "0"},
			}, have); d != "" {
				t.Errorf("events (-want +have)\n%s", d)
			}
			if len(rec.Damage()) != 0 {
				t.Errorf("damage:\n%s", damageText(rec))
			}
		})
	}
}

// TestLargeOldEvent: a size of 0xFFFF says that the fields give the size.
func TestLargeOldEvent(t *testing.T) {
	o := newOldTrace(t, Layout{Dialect: V08, WordSize: 4, Alignment: 4})
	o.layout.BlockSize = 1 << 18
	o.load("user_generic", userGenericSum, 1)
	long := strings.Repeat("x", 70000)
	o.event("cpu", 1, 1, "s %s p %p", long, 7)
	o.event("cpu", 1, 0, "s %s", "behind")
	rec := o.done(nil)
	var have []string
	for _, g := range read(t, rec) {
		have = append(have, fmt.Sprint(g.Marker, " ", len(g.Data)))
	}
	if d := cmp.Diff([]string{"core.state_dump_facility_load 44", "user_generic.string_pointer 70008", "user_generic.string 8"}, have, cmp.Transformer("last", func(s []string) string {
		return strings.Join(s, "\n")
	})); d != "" {
		t.Errorf("(-want +have)\n%s\n%s", d, damageText(rec))
	}
}

func TestFacilityTrouble(t *testing.T) {
	o := newOldTrace(t, Layout{Dialect: V08, WordSize: 4})
	o.load("user_generic", 1, 5)
	o.load("other", 2, 5)
	o.load("unheard_of", 3, 6)
	o.event("cpu", 6, 0, "s %s", "bytes are kept")
	rec := o.done(nil)
	text := damageText(rec)
	for _, want := range []string{
		"facility user_generic has the checksum 0x1, the description at hand is of 0xb1865e44",
		"facility other has the id 5 of facility user_generic",
		"facility unheard_of has no description",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("damage:\n%s\nwants %q", text, want)
		}
	}
	var unknown []got
	for _, g := range read(t, rec) {
		if g.Marker == "" {
			unknown = append(unknown, g)
		}
	}
	if len(unknown) != 1 || unknown[0].Data != "bytes are kept\x00" {
		t.Errorf("unknown events: %+v", unknown)
	}
}

// TestOldCompact: the number of events of facility compact says how long ids are in 0.8 (lttng.md 4.2).
func TestOldCompact(t *testing.T) {
	o := newOldTrace(t, Layout{Dialect: V08, WordSize: 4, Heartbeat: true, TSCLSB: 4, TSCBits: 24, CompactShift: 26})
	o.load("compact", 1, 3)
	o.event("compact", 0, 0, " ")
	o.event("compact", 0, 2, "irq #2u%u", 7)
	rec := o.done(map[string]string{"eventdefs/compact.xml": `<facility name="compact"><event name="a"/><event name="b"/>
		<event name="irq"><field name="n"><ushort/></field></event></facility>`})
	var have []string
	for _, g := range read(t, rec) {
		if g.Channel == "/compact" {
			have = append(have, fmt.Sprint(g.Marker, " ", len(g.Data)))
		}
	}
	if d := cmp.Diff([]string{"compact.a 0", "compact.irq 2"}, have); d != "" {
		t.Errorf("(-want +have)\n%s\n%s", d, damageText(rec))
	}
}

// TestWithEventDefs prefers the directory that was asked for, and the file of the processor.
func TestWithEventDefs(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "arch_x86_64.xml"), []byte(`<facility name="arch"><event name="mine"/></facility>`), 0o600); err != nil {
		t.Fatal(err)
	}
	o := newOldTrace(t, Layout{Dialect: V08, WordSize: 8})
	o.load("arch", 1, 2)
	rec := o.done(map[string]string{"eventdefs/arch.xml": `<facility name="arch"><event name="of_the_trace"/></facility>`}, WithEventDefs(dir))
	ms := rec.Markers()
	if m := ms[0]; m.Channel != "arch" || m.Name != "mine" {
		t.Errorf("%+v, want arch.mine", m)
	}
}

// xmlEvent reads an event of fields of some types, called a, b and so on.
func xmlEvent(t *testing.T, d describer, types ...string) definition {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<facility name="f"><event name="e">`)
	for i, x := range types {
		name := fmt.Sprint("f", i)
		if i < 26 {
			name = string(rune('a' + i))
		}
		fmt.Fprintf(&b, `<field name="%s">%s</field>`, name, x)
	}
	b.WriteString(`</event><type name="loop"><typeref name="loop"/></type>`)
	b.WriteString(`<type name="bomb"><struct>` + strings.Repeat(`<field name="b"><typeref name="bomb2"/></field>`, 40) + `</struct></type>`)
	b.WriteString(`<type name="bomb2"><struct>` + strings.Repeat(`<field name="b"><typeref name="bomb3"/></field>`, 400) + `</struct></type>`)
	b.WriteString(`<type name="bomb3"><struct>` + strings.Repeat(`<field name="b"><struct/></field>`, 400) + `</struct></type></facility>`)
	root, err := parseXML("f.xml", []byte(b.String()), memory.New(0).Lease())
	if err != nil {
		t.Fatal(err)
	}
	events, err := describeFacility("f.xml", root, d)
	if len(events) != 1 || (events[0].err != nil) != (err != nil) || err != nil && (!errors.Is(err, ErrMarker) || events[0].fields != nil) {
		t.Fatalf("%s: %+v, %v", types, events, err)
	}
	return events[0]
}

// shapes are the sizes and alignments of fields and of what is in them: `4/4 -1/8(0/1 8/8)`.
func shapes(fields []Field) string {
	var list []string
	for i := range fields {
		f := &fields[i]
		s := fmt.Sprintf("%d/%d", f.Size, f.Align)
		if f.Fields != nil {
			s += "(" + shapes(f.Fields) + ")"
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

// TestXMLTypes: sizes and alignments by the rules of lttng.md 5.2 and 5.3, and those of C for structures and unions.
func TestXMLTypes(t *testing.T) {
	s32, s64 := sizes{4, 4, 4, 4, 4}, sizes{4, 8, 8, 8, 8}
	pair := `<struct><field name="x"><char/></field><field name="y"><long/></field></struct>`
	for _, c := range []struct {
		types           []string
		source          string // of 64 bits
		at64, at32, raw string // shapes: aligned, aligned in 32 bits, packed in 32 bits
	}{
		{[]string{`<char/>`, `<uchar/>`, `<short/>`, `<ushort/>`, `<int/>`, `<uint/>`, `<long/>`, `<ulong/>`},
			"a i8, b u8, c i16, d u16, e i32, f u32, g i64, h u64", "1/1 1/1 2/2 2/2 4/4 4/4 8/8 8/8", "1/1 1/1 2/2 2/2 4/4 4/4 4/4 4/4", "1/1 1/1 2/1 2/1 4/1 4/1 4/1 4/1"},
		{[]string{`<size_t/>`, `<ssize_t/>`, `<off_t/>`, `<pointer/>`, `<string/>`, `<enum size="1"><label name="x"/></enum>`, `<enum/>`},
			"a u64, b i64, c i64, d p64, e string, f i8, g i32", "8/8 8/8 8/8 8/8 0/1 1/1 4/4", "4/4 4/4 4/4 4/4 0/1 1/1 4/4", "4/1 4/1 4/1 4/1 0/1 1/1 4/1"},
		{[]string{`<int size="2"/>`, `<uint size="8"/>`, `<int_fixed size="1"/>`, `<float size="4"/>`, `<float size=" 8 "/>`},
			"a i16, b u64, c i8, d f32, e f64", "2/2 8/8 1/1 4/4 8/8", "2/2 8/4 1/1 4/4 8/4", "2/1 8/1 1/1 4/1 8/1"},
		{[]string{pair, `<struct/>`}, "a {x i8, y i64}, b {}", "16/8(1/1 8/8) 0/1", "8/4(1/1 4/4) 0/1", "5/1(1/1 4/1) 0/1"},
		{[]string{`<struct><field name="y"><long/></field><field name="x"><char/></field></struct>`}, "a {y i64, x i8}", "16/8(8/8 1/1)", "8/4(4/4 1/1)", "5/1(4/1 1/1)"},
		{[]string{`<array size="3">` + pair + `</array>`, `<array size="0x10"><char/></array>`}, "a {x i8, y i64}[3], b i8[16]",
			"48/8(16/8(1/1 8/8)) 16/1(1/1)", "24/4(8/4(1/1 4/4)) 16/1(1/1)", "15/1(5/1(1/1 4/1)) 16/1(1/1)"},
		{[]string{`<union><field name="p"><array size="5"><char/></array></field><field name="q"><uint/></field></union>`}, "a union{p i8[5], q u32}",
			"8/4(5/1(1/1) 4/4)", "8/4(5/1(1/1) 4/4)", "5/1(5/1(1/1) 4/1)"},
		{[]string{`<sequence><description>d</description><uint size=1/><long/></sequence>`}, "a i64[u8]", "1/8(8/8)", "1/4(4/4)", "1/1(4/1)"},
		{[]string{`<struct><field name="s"><string/></field><field name="i"><int/></field></struct>`}, "a {s string, i i32}", "-1/4(0/1 4/4)", "-1/4(0/1 4/4)", "-1/1(0/1 4/1)"},
		{[]string{`<array size="2"><string/></array>`}, "a string[2]", "-1/1(0/1)", "-1/1(0/1)", "-1/1(0/1)"},
	} {
		e := xmlEvent(t, describer{sizes: s64, pad: 8}, c.types...)
		if have := declare(e.fields); have != c.source {
			t.Errorf("%s: %s, want %s", c.types, have, c.source)
		}
		narrow, packed := xmlEvent(t, describer{sizes: s32, pad: 4}, c.types...), xmlEvent(t, describer{sizes: s32}, c.types...)
		have := []string{shapes(e.fields), shapes(narrow.fields), shapes(packed.fields)}
		if d := cmp.Diff([]string{c.at64, c.at32, c.raw}, have); d != "" {
			t.Errorf("%s (-want +have)\n%s", c.types, d)
		}
	}
}

// TestXMLErrors: what cannot be described, or is hostile.
func TestXMLErrors(t *testing.T) {
	for types, want := range map[string]string{
		`<float/>`:                                `float of "" bytes`,
		`<float size="2"/>`:                       `float of "2" bytes`,
		`<int size="3"/>`:                         `int of "3" bytes`,
		`<pointer size="4"/>`:                     `pointer of "4" bytes`,
		`<strange/>`:                              "strange is no type",
		`<typeref name="nobody"/>`:                `type "nobody" is not defined`,
		`<typeref name="loop"/>`:                  "types within types without an end",
		`<typeref name="bomb"/>`:                  "more than 1024 fields",
		`<array size="100000000"><char/></array>`: `an array of "100000000" elements, where there can be up to 65536`,
		`<array size="-1"><char/></array>`:        `an array of "-1" elements`,
		`<array size="5"/>`:                       "an array of nothing",
		`<array size="5"><struct/></array>`:       "elements of no size",
		`<array size="65536"><array size="65536"><char/></array></array>`:                                                        "an array of 4294967296 bytes",
		`<array size="65536"><array size="65536"><array size="65536"><array size="65536"><int/></array></array></array></array>`: " bytes",
		`<sequence><uint/></sequence>`:                                                     "a sequence of 1 types",
		`<sequence><string/><uint/></sequence>`:                                            "a sequence whose length is no integer",
		`<sequence><uint/><array size="0"><int/></array></sequence>`:                       "elements of no size",
		`<union><field name="s"><string/></field></union>`:                                 "a union with s, whose size is not fixed",
		`<struct><field name="a b"><int/></field></struct>`:                                `"a b" is no name of a field`,
		strings.Repeat(`<array size="1">`, 40) + `<int/>` + strings.Repeat(`</array>`, 40): "types within types without an end",
	} {
		e := xmlEvent(t, describer{sizes: sizes{4, 8, 8, 8, 8}, pad: 8}, types)
		if e.err == nil || !strings.Contains(e.err.Error(), want) || !strings.Contains(e.err.Error(), "f.xml:1: ") {
			t.Errorf("%.60s: %v, want %q", types, e.err, want)
		}
	}
	e := xmlEvent(t, describer{sizes: sizes{4, 8, 8, 8, 8}}, slices.Repeat([]string{`<array size="65536"><long/></array>`}, 1000)...)
	if e.err == nil || !strings.Contains(e.err.Error(), "more than 67108864 bytes") {
		t.Errorf("1000 arrays: %v", e.err)
	}
}

// TestFlat: values one after another, as generated decoders have them. Alignments include the padding of structures.
func TestFlat(t *testing.T) {
	for _, c := range []struct {
		types []string
		want  string
		err   string
	}{
		{[]string{`<char/>`, `<struct><field name="x"><char/></field><field name="y"><long/></field><field name="z"><char/></field></struct>`, `<char/>`},
			"a:i8@1 b.x:i8@8 b.y:i64@8 b.z:i8@1 c:i8@8", ""},
		{[]string{`<array size="2"><struct><field name="x"><short/></field><field name="y"><char/></field></struct></array>`},
			"a[0].x:i16@2 a[0].y:i8@1 a[1].x:i16@2 a[1].y:i8@1", ""},
		{[]string{`<string/>`, `<union><field name="i"><int/></field><field name="f"><float size="8"/></field></union>`, `<float size="4"/>`},
			"a:string@1 b:union{i i32, f f64}=8@8 c:f32@4", ""},
		{[]string{`<sequence><uint size=2/><char/></sequence>`, `<char/>`}, "a:i8[u16]@2 b:i8@8", ""},
		{[]string{`<array size="2000"><char/></array>`, `<int/>`}, "a:i8[2000]=2000@1 b:i32@4", ""},
		{[]string{`<int/>`, `<sequence><uint/><int/></sequence>`}, "", "field b is i32[u32]: generated decoders do not"},
		{[]string{`<sequence><uint size=8/><char/></sequence>`}, "", "generated decoders do not read elements of that kind"},
		{[]string{`<array size="2000"><string/></array>`}, "", "generated decoders do not read elements of that kind"},
	} {
		m := &Marker{Fields: xmlEvent(t, describer{sizes: sizes{4, 8, 8, 8, 8}, pad: 8}, c.types...).fields}
		flat, err := m.Flat()
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.types, err, c.err)
			}
			continue
		}
		var have []string
		for _, f := range flat {
			s := f.Name + ":" + f.Source
			if f.Kind == Bytes {
				s += fmt.Sprint("=", f.Size)
			}
			have = append(have, fmt.Sprint(s, "@", f.Align))
		}
		if d := cmp.Diff(c.want, strings.Join(have, " ")); d != "" || err != nil {
			t.Errorf("%s: %v (-want +have)\n%s", c.types, err, d)
		}
	}
}

func TestBadXML(t *testing.T) {
	for _, text := range []string{"", "<", "<facility", "<facility name='f'><event>", "<other/>", "<facility><event name='%d'/></facility>", strings.Repeat("<a>", 1000)} {
		root, err := parseXML("f.xml", []byte(text), memory.New(0).Lease())
		if err == nil {
			_, err = describeFacility("f.xml", root, describer{sizes: sizes{4, 4, 4, 4, 4}, pad: 4})
		}
		if !errors.Is(err, ErrMarker) || !strings.Contains(err.Error(), "f.xml:") {
			t.Errorf("%.30q: %v, want an ErrMarker with the file", text, err)
		}
	}
}

// TestDescriptionMemory: the tree of a description takes its memory from that of the recording, and gives it back.
func TestDescriptionMemory(t *testing.T) {
	var d descriptions
	d.trace = &Trace{rec: &Recording{memory: memory.New(record.MinMemory)}, path: "."}
	before := d.trace.rec.memory.Left()
	d.trace.rec.dir = fstest.MapFS{
		"eventdefs/large.xml": {Data: []byte("<facility name=\"large\">" + strings.Repeat("<a/>", 200_000) + "</facility>")},
		"eventdefs/small.xml": {Data: []byte("<facility name=\"small\"><event name=\"e\"/></facility>")},
	}
	if _, err := d.of(facility{name: "large"}); !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "eventdefs/large.xml:1: ") {
		t.Errorf("large: %v", err)
	}
	if list, err := d.of(facility{name: "small"}); err != nil || len(list) != 1 {
		t.Errorf("small: %v, %v", list, err)
	}
	if left := d.trace.rec.memory.Left(); left != before {
		t.Errorf("%d bytes are left, %d before", left, before)
	}
}
