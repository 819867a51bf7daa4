package lttng

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// xmlEvent reads an event with fields of the given types, called a, b and so on.
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
	b.WriteString(`<type name="bomb"><struct>` + strings.Repeat(`<field name="b"><typeref name="bomb2"/></field>`, 40) +
		`</struct></type>`)
	b.WriteString(`<type name="bomb2"><struct>` + strings.Repeat(`<field name="b"><typeref name="bomb3"/></field>`,
		400) + `</struct></type>`)
	b.WriteString(`<type name="bomb3"><struct>` + strings.Repeat(`<field name="b"><struct/></field>`, 400) +
		`</struct></type></facility>`)
	root, err := parseXML("f.xml", []byte(b.String()), memory.New(0).Lease())
	if err != nil {
		t.Fatal(err)
	}
	events, err := describeFacility("f.xml", root, d)
	if len(events) != 1 || (events[0].err != nil) != (err != nil) ||
		err != nil && (!errors.Is(err, ErrMarker) || events[0].fields != nil) {
		t.Fatalf("%s: %+v, %v", types, events, err)
	}
	return events[0]
}

// shapes returns the sizes and alignments of fields and of their members: `4/4 -1/8(0/1 8/8)`.
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

// TestXMLTypes checks sizes and alignments by the rules of lttng.md 5.2 and 5.3, and by the rules
// of C for structures and unions.
func TestXMLTypes(t *testing.T) {
	s32, s64 := sizes{4, 4, 4, 4, 4}, sizes{4, 8, 8, 8, 8}
	pair := `<struct><field name="x"><char/></field><field name="y"><long/></field></struct>`
	for _, c := range []struct {
		types           []string
		source          string // of 64 bits
		at64, at32, raw string // shapes: aligned, aligned in 32 bits, packed in 32 bits
	}{
		{[]string{`<char/>`, `<uchar/>`, `<short/>`, `<ushort/>`, `<int/>`, `<uint/>`, `<long/>`, `<ulong/>`},
			"a i8, b u8, c i16, d u16, e i32, f u32, g i64, h u64", "1/1 1/1 2/2 2/2 4/4 4/4 8/8 8/8",
			"1/1 1/1 2/2 2/2 4/4 4/4 4/4 4/4", "1/1 1/1 2/1 2/1 4/1 4/1 4/1 4/1"},
		{[]string{`<size_t/>`, `<ssize_t/>`, `<off_t/>`, `<pointer/>`, `<string/>`,
			`<enum size="1"><label name="x"/></enum>`, `<enum/>`},
			"a u64, b i64, c i64, d p64, e string, f i8, g i32", "8/8 8/8 8/8 8/8 0/1 1/1 4/4",
			"4/4 4/4 4/4 4/4 0/1 1/1 4/4", "4/1 4/1 4/1 4/1 0/1 1/1 4/1"},
		{[]string{`<int size="2"/>`, `<uint size="8"/>`, `<int_fixed size="1"/>`, `<float size="4"/>`,
			`<float size=" 8 "/>`},
			"a i16, b u64, c i8, d f32, e f64", "2/2 8/8 1/1 4/4 8/8", "2/2 8/4 1/1 4/4 8/4", "2/1 8/1 1/1 4/1 8/1"},
		{[]string{pair, `<struct/>`}, "a {x i8, y i64}, b {}", "16/8(1/1 8/8) 0/1", "8/4(1/1 4/4) 0/1",
			"5/1(1/1 4/1) 0/1"},
		{[]string{`<struct><field name="y"><long/></field><field name="x"><char/></field></struct>`}, "a {y i64, x i8}",
			"16/8(8/8 1/1)", "8/4(4/4 1/1)", "5/1(4/1 1/1)"},
		{[]string{`<array size="3">` + pair + `</array>`, `<array size="0x10"><char/></array>`},
			"a {x i8, y i64}[3], b i8[16]",
			"48/8(16/8(1/1 8/8)) 16/1(1/1)", "24/4(8/4(1/1 4/4)) 16/1(1/1)", "15/1(5/1(1/1 4/1)) 16/1(1/1)"},
		{[]string{`<union><field name="p"><array size="5"><char/></array></field><field name="q"><uint/></field></union>`}, "a union{p i8[5], q u32}",
			"8/4(5/1(1/1) 4/4)", "8/4(5/1(1/1) 4/4)", "5/1(5/1(1/1) 4/1)"},
		{[]string{`<sequence><description>d</description><uint size=1/><long/></sequence>`}, "a i64[u8]", "1/8(8/8)",
			"1/4(4/4)", "1/1(4/1)"},
		{[]string{`<struct><field name="s"><string/></field><field name="i"><int/></field></struct>`},
			"a {s string, i i32}", "-1/4(0/1 4/4)", "-1/4(0/1 4/4)", "-1/1(0/1 4/1)"},
		{[]string{`<array size="2"><string/></array>`}, "a string[2]", "-1/1(0/1)", "-1/1(0/1)", "-1/1(0/1)"},
	} {
		e := xmlEvent(t, describer{sizes: s64, pad: 8}, c.types...)
		if have := declare(e.fields); have != c.source {
			t.Errorf("%s: %s, want %s", c.types, have, c.source)
		}
		narrow, packed := xmlEvent(t, describer{sizes: s32, pad: 4}, c.types...),
			xmlEvent(t, describer{sizes: s32}, c.types...)
		have := []string{shapes(e.fields), shapes(narrow.fields), shapes(packed.fields)}
		if d := cmp.Diff([]string{c.at64, c.at32, c.raw}, have); d != "" {
			t.Errorf("%s (-want +have)\n%s", c.types, d)
		}
	}
}

// TestXMLErrors covers descriptions that are invalid or hostile.
func TestXMLErrors(t *testing.T) {
	for types, want := range map[string]string{
		`<float/>`:                                `float of "" bytes`,
		`<float size="2"/>`:                       `float of "2" bytes`,
		`<int size="3"/>`:                         `int of "3" bytes`,
		`<pointer size="4"/>`:                     `pointer of "4" bytes`,
		`<strange/>`:                              "unknown type strange",
		`<typeref name="nobody"/>`:                `type "nobody" is not defined`,
		`<typeref name="loop"/>`:                  "types within types without an end",
		`<typeref name="bomb"/>`:                  "more than 1024 fields",
		`<array size="100000000"><char/></array>`: `an array of "100000000" elements, where there can be up to 65536`,
		`<array size="-1"><char/></array>`:        `an array of "-1" elements`,
		`<array size="5"/>`:                       "an array without a type",
		`<array size="5"><struct/></array>`:       "elements of no size",
		`<array size="65536"><array size="65536"><char/></array></array>`:                                                        "an array of 4294967296 bytes",
		`<array size="65536"><array size="65536"><array size="65536"><array size="65536"><int/></array></array></array></array>`: " bytes",
		`<sequence><uint/></sequence>`:                                                                       "a sequence of 1 types",
		`<sequence><string/><uint/></sequence>`:                                                              "a sequence with a length that is not an integer",
		`<sequence><uint/><array size="0"><int/></array></sequence>`:                                         "elements of no size",
		`<array size="9"><array size="0"><string/></array></array>`:                                          "elements of no size",
		`<array size="9"><struct><field name="a"><array size="0"><string/></array></field></struct></array>`: "elements of no size",
		`<union><field name="s"><string/></field></union>`:                                                   "a union with s, which has no fixed size",
		`<struct><field name="a b"><int/></field></struct>`:                                                  `invalid name of a field: "a b"`,
		strings.Repeat(`<array size="1">`, 40) + `<int/>` +
			strings.Repeat(`</array>`, 40): "types within types without an end",
	} {
		e := xmlEvent(t, describer{sizes: sizes{4, 8, 8, 8, 8}, pad: 8}, types)
		if e.err == nil || !strings.Contains(e.err.Error(), want) || !strings.Contains(e.err.Error(), "f.xml:1: ") {
			t.Errorf("%.60s: %v, want %q", types, e.err, want)
		}
	}
	e := xmlEvent(t, describer{sizes: sizes{4, 8, 8, 8, 8}},
		slices.Repeat([]string{`<array size="65536"><long/></array>`}, 1000)...)
	if e.err == nil || !strings.Contains(e.err.Error(), "more than 67108864 bytes") {
		t.Errorf("1000 arrays: %v", e.err)
	}
}

func TestBadXML(t *testing.T) {
	for _, text := range []string{"", "<", "<facility", "<facility name='f'><event>", "<other/>",
		"<facility><event name='%d'/></facility>", strings.Repeat("<a>", 1000)} {
		root, err := parseXML("f.xml", []byte(text), memory.New(0).Lease())
		if err == nil {
			_, err = describeFacility("f.xml", root, describer{sizes: sizes{4, 4, 4, 4, 4}, pad: 4})
		}
		if !errors.Is(err, ErrMarker) || !strings.Contains(err.Error(), "f.xml:") {
			t.Errorf("%.30q: %v, want an ErrMarker with the file", text, err)
		}
	}
}
