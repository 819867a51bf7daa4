package lttng

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	o.event("control/facilities", 0, coreStateLoad, builtIn["core"][coreLoad].format, name, checksum, id, s.int, s.long,
		s.pointer, s.sizeT, s.alignment)
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

// damageText joins the damage of a recording.
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
			o.load("fs", 7, 9) // reported twice
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
				"user_generic.string 0x4400": "data %s", "user_generic.string_pointer 0x4401": "string %s pointer %p",
				"user_generic.slow_printf 0x4402":    "string %s",
				"user_generic.function_entry 0x4403": "this_fn %p call_site %p",
				"user_generic.function_exit 0x4404":  "this_fn %p call_site %p",
				"user_generic.thread_brand 0x4405":   "name %s",
				"fs.open 0x900":                      "filename string, fd u32", "fs.empty 0x901": "",
				"fs.ids 0x902":     fmt.Sprintf("id {a i16, b i%d}, comm i8[2]", 8*l.WordSize),
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

// TestLargeOldEvent: with a size of 0xFFFF the fields give the size.
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
	if d := cmp.Diff([]string{"core.state_dump_facility_load 44", "user_generic.string_pointer 70008",
		"user_generic.string 8"}, have, cmp.Transformer("last", func(s []string) string {
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

// TestOldCompact: in 0.8 the number of events of facility compact determines the size of ids
// (lttng.md 4.2).
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

// TestWithEventDefs prefers the directory of the option, and the file of the processor.
func TestWithEventDefs(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "arch_x86_64.xml"),
		[]byte(`<facility name="arch"><event name="mine"/></facility>`), 0o600); err != nil {
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

// TestDescriptionMemory: the tree of a description uses the memory budget of the recording, and
// releases it.
func TestDescriptionMemory(t *testing.T) {
	var d descriptions
	d.trace = &Trace{rec: &Recording{memory: memory.New(record.MinMemory)}, path: "."}
	before := d.trace.rec.memory.Left()
	d.trace.rec.dir = fstest.MapFS{
		"eventdefs/large.xml": {Data: []byte("<facility name=\"large\">" + strings.Repeat("<a/>", 200_000) +
			"</facility>")},
		"eventdefs/small.xml": {Data: []byte("<facility name=\"small\"><event name=\"e\"/></facility>")},
	}
	if _, err := d.of(facility{name: "large"}); !errors.Is(err, ErrLimit) ||
		!strings.Contains(err.Error(), "eventdefs/large.xml:1: ") {
		t.Errorf("large: %v", err)
	}
	if list, err := d.of(facility{name: "small"}); err != nil || len(list) != 1 {
		t.Errorf("small: %v, %v", list, err)
	}
	if left := d.trace.rec.memory.Left(); left != before {
		t.Errorf("%d bytes are left, %d before", left, before)
	}
}
