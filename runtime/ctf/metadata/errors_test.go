package metadata

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/grammar/diag"
)

const (
	tsdlHead = "trace { major = 1; minor = 8; byte_order = le; };\ntypealias integer { size = 8; } := u8;\n"
	jsonHead = "\x1e{\"type\": \"preamble\", \"version\": 2}\n\x1e"
)

// u8 is a field class in JSON.
const u8 = `{"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "big-endian"}`

// payload is a fragment of an event with members.
func payload(members string) string {
	return jsonHead + `{"type": "event-record-class", "payload-field-class": {"type": "structure", "member-classes": [` + members + "]}}\n\x1e" + `{"type": "data-stream-class"}` + "\n"
}

// TestErrors checks that each error has its place.
func TestErrors(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"", "m:1:1: error: the trace block is missing"},
		{"trace { byte_order = le; major = 1; };", "m:1:1: error: the trace block has no minor version"},
		{tsdlHead + "trace { };", "m:3:1: error: a second trace block"},
		{tsdlHead + "typedef u8 a;\r\ntypedef u8 a;", `m:4:9: error: the type "a" is declared twice`},
		{tsdlHead + "struct s { u8 a; u8 a; };", `m:3:18: error: two fields are called "a"`},
		{tsdlHead + "event { fields := struct { u8 a[_n]; }; };",
			`m:3:33: error: event "": no field before is called "_n"`},
		{tsdlHead + "stream { event.context := struct { u8 a[_n]; }; }; event { id = 1; };",
			`m:3:41: error: stream 0: no field before is called "_n"`},
		{tsdlHead + "event { fields := struct { variant { u8 a; } v; }; };",
			`m:3:1: error: event "": a variant without a tag`},
		{tsdlHead + "event { fields := struct { integer { size = 8; map = clock.c.value; } a; }; };",
			`m:3:54: error: no clock is called "c"`},
		{tsdlHead + "event { loglevel = 15; fields := u8; };",
			"m:3:1: error: fields is not a structure [ctf-metadata]\nm:3:20: warning: a log level of 15: it is 0 to 14"},
		{tsdlHead + "event { fields := struct { u8 a; ", "m:3:1: error: the text ends before this declaration does"},
		{tsdlHead + "env { /* ;", "m:3:1: error: the text ends before this declaration does"},
		{tsdlHead + strings.Repeat("{", 200) + ";",
			"m:3:1: error: the text ends before this declaration does [tsdl-cut]\nm:3:101: error: more than 100 levels of braces"},
		{tsdlHead + "typedef u8 a" + strings.Repeat("[1]", 101) + ";", "m:3:14: error: more than 100 levels of types"},
		{jsonHead + `{"type": "trace-class", "nme": ""}`,
			`m:2:26: error: a fragment of type "trace-class" has no property "nme"`},
		{jsonHead + `{"type": "trace-class", "name": "", "name": ""}`,
			`m:2:38: error: the property "name" occurs twice`},
		{jsonHead + "{\"type\": \"\xff\"}", "m:2:12: error: bytes that are not UTF-8"},
		{jsonHead + "{\"type\": \"trace-class\",\n \"extensions\": {\"a\": 1}}",
			`m:3:16: error: a fragment of type "trace-class" has unknown extensions`},
		{jsonHead + `{"type": "trace-class"`, "m:2:2: error: the text ends before this fragment does"},
		{jsonHead + `{"type": "clock-class", "id": "a", "frequency": 0}`, "m:2:50: error: a clock of 0 Hz"},
		{payload(`{"name": "a", "field-class": "b"}`), `m:2:126: error: "a": no field class is called "b"`},
		{payload(`{"name": "a", "field-class": ` + u8[:len(u8)-1] + `, "roles": ["event-record-class-id"]}}`),
			"m:2:56: error: the role event-record-class-id has no meaning in this scope"},
		{payload(`{"name": "a", "field-class": {"type": "static-length-blob", "length": -1}}`),
			"m:2:167: error: length is -1: it is an integer from 0 to 2^64-1"},
		{payload(`{"name": "n", "field-class": ` + u8 +
			`}, {"name": "v", "field-class": {"type": "variant", "selector-field-location": {"path": ["n"]}, "options": [` +
			`{"field-class": ` + u8 + `, "selector-field-ranges": [[0, 5]]}, {"field-class": ` + u8 +
			`, "selector-field-ranges": [[5, 6]]}]}}`),
			`m:2:287: error: event "": two options are selected by one value of "n"`},
	} {
		_, err := Read("m", []byte(x.text))
		if !strings.HasPrefix(fmt.Sprint(err), x.want) {
			t.Errorf("%.200q:\n got %v\nwant %s", x.text, err, x.want)
		}
		readWhole(t, []byte(x.text))
	}
}

// packetOf returns a packet of metadata.
func packetOf(order binary.AppendByteOrder, text string, schemes ...byte) []byte {
	p := order.AppendUint32(nil, packetMagic)
	p = append(p, make([]byte, 20)...)
	p = order.AppendUint32(p, uint32(8*(packetHeader+len(text))))
	p = order.AppendUint32(p, uint32(8*(packetHeader+len(text)+5)))
	p = append(append(append(p, schemes...), make([]byte, 3-len(schemes))...), 1, 8)
	return append(append(p, text...), make([]byte, 5)...)
}

// TestPackets cuts a text into packets, at every place.
func TestPackets(t *testing.T) {
	text := tsdlHead + "event { fields := struct { u8 a[3]; nothing b; }; };"
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for cut := range len(text) {
			data := append(packetOf(order, text[:cut]), packetOf(order, text[cut:])...)
			_, err := Read("m", data)
			list, _ := err.(diag.List)
			if len(list) != 1 || list[0].Pos.Line != 3 {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			if at := list[0].Pos.Offset; data[at] != 'n' {
				t.Fatalf("cut at %d: the place is %d, of %q", cut, at, data[at])
			}
		}
	}
	le := binary.LittleEndian
	sum := packetOf(le, tsdlHead)
	sum[20] = 1
	for name, x := range map[string]struct {
		data []byte
		want string
	}{
		"compressed": {packetOf(le, tsdlHead, 2), "is compressed by gzip, which is not supported"},
		"encrypted":  {packetOf(le, tsdlHead, 0, 1), "is encrypted by AES, which is not supported"},
		"checksum":   {sum, "has a checksum (0x1, MD5), which is not checked"},
		"cut":        {packetOf(le, tsdlHead)[:80], "is cut: 80 bytes of "},
	} {
		if _, err := Read("m", x.data); !strings.Contains(fmt.Sprint(err), x.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHiding reads names of types that hide other types, words in any order, and absolute tags.
func TestHiding(t *testing.T) {
	m, err := Read("m", []byte(tsdlHead+`
typealias integer { size = 64; align = 8; } := unsigned long;
typealias integer { size = 32; align = 8; } := void *;
event {
	typealias integer { size = 16; } := u8;
	context := struct { enum : u8 { _a, b } u8; };
	fields := struct {
		const u8 u8;
		long unsigned l;
		void *p;
		variant <event.context.u8> { u8 a; struct { typedef string u8; u8 s; } b; } v;
	};
};`))
	if err != nil {
		t.Fatal(err)
	}
	e := m.Streams[0].Events[0]
	var got []int
	for _, f := range e.Payload.Members {
		got = append(got, f.Class.Bits)
	}
	v := e.Payload.Members[3].Class
	if d := cmp.Diff([]int{16, 64, 32, 0}, got); d != "" || v.Options[1].Class.Members[0].Class.Kind != String ||
		v.From.Fields[0] != e.Context.Members[0].Class {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestLimits checks that metadata that would grow without bounds end with an error.
func TestLimits(t *testing.T) {
	var twice, labels strings.Builder
	for i := range 100 {
		fmt.Fprintf(&twice, "typedef struct { t%d a; t%d b; } t%d;\n", i, i, i+1)
	}
	for i := range 20000 {
		fmt.Fprintf(&labels, "label%d,", i)
	}
	for _, x := range []struct{ text, want string }{
		{tsdlHead + "typedef u8 t0;\n" + twice.String(), "the types have too many parts"},
		{jsonHead + `{"type": ` + strings.Repeat("[", 100000), "more than 408 levels"},
		{tsdlHead + strings.Repeat("/*", 1<<20), "the text ends before"},
		{strings.Repeat("\x1e{", 10000), "9950 more errors"},
		{tsdlHead + strings.Repeat("a b;", 1000), "950 more errors"},
		{tsdlHead + "enum e : u8 {" + labels.String() + "};", "<nil>"},
	} {
		if _, err := Read("m", []byte(x.text)); !strings.Contains(fmt.Sprint(err), x.want) {
			t.Errorf("%.100q: %.300v", x.text, err)
		}
	}
}

// fragment returns a fragment after the preamble.
func fragment(text string) string { return jsonHead + text + "\n" }

// TestWarnings checks that each ignored part of the metadata has a warning with its place. For
// TSDL, babeltrace2 2.0.4 refuses all of these parts or warns about them.
func TestWarnings(t *testing.T) {
	stream := "stream { event.header := struct { u8 id; }; };\n"
	for _, x := range []struct{ text, want string }{
		{tsdlHead + "callsite { name = a; };", "m:3:1: warning: a callsite block is not read"},
		{tsdlHead + "stream { event.header := struct { u8 id; u8 x; }; };",
			`m:3:1: warning: the field "x" of a header has no meaning, and is not shown`},
		{tsdlHead + "stream { event.header := struct { string id; }; };",
			`m:3:1: warning: the field "id" is no integer, and has no meaning`},
		{tsdlHead + "stream { packet.context := struct { integer { size = 8; signed = true; } content_size; }; };",
			`m:3:1: warning: the field "content_size" is an integer with a sign`},
		{tsdlHead + "env { a = 1; a = 2; };", "m:3:18: warning: another value of a precedes this one; this one is used"},
		{tsdlHead + stream + "event { foo = 1; };", "m:4:9: warning: the event block has no setting foo"},
		{tsdlHead + stream + "event { fields := struct { enum : u8 { a = -1 } e; }; };",
			"m:4:44: warning: a value of -1, of an integer without a sign"},
		{fragment(`{"type": "trace-class", "attributes": []}`),
			"m:2:40: warning: attributes are an array, not an object"},
		{payload(`{"name": "a", "attributes": null, "field-class": ` + u8 + `}`),
			"m:2:125: warning: attributes are null, not an object"},
		{fragment(`{"type": "data-stream-class"}` + "\n\x1e" +
			`{"type": "event-record-class", "attributes": {"lttng.org,2009": {"log-level": "loud", "x": 1}, "other": 1}}`),
			"m:3:80: warning: the log level is none of emergency"},
		{fragment(`{"type": "data-stream-class"}` + "\n\x1e" +
			`{"type": "event-record-class", "attributes": {"lttng.org,2009": {"x": 1, "log-level": "info"}}}`),
			`m:3:67: warning: lttng.org,2009 has no attribute "x" for events`},
	} {
		_, err := Read("m", []byte(x.text))
		list, _ := err.(diag.List)
		if len(list) == 0 || !strings.HasPrefix(list[0].Error(), x.want) || len(list.Worst(diag.Error)) > 0 {
			t.Errorf("%.300q:\n got %v\nwant %s", x.text, err, x.want)
		}
	}
}

// TestUnusable has parts with errors. Parts that cannot be read correctly without them are left
// out.
func TestUnusable(t *testing.T) {
	event := "event { name = e; stream_id = 0; fields := struct { u8 n; }; };\n"
	for _, x := range []struct {
		text, want string
		streams    int
	}{
		{tsdlHead + "stream { id = 0; event.header := struct { none id; }; };\n" + event,
			`m:3:43: error: no type is called "none"`, 0},
		{strings.Replace(tsdlHead, "};", "packet.header := struct { none magic; }; };", 1) + event,
			`m:1:74: error: no type is called "none"`, 0},
		{tsdlHead + "stream { id = 0; id = 1; };\n" + event,
			"m:3:18: error: id has two settings in one stream block", 0},
		{tsdlHead + "event { fields := struct { integer { size = 8; size = 16; } n; }; };",
			"m:3:48: error: integer has two attributes size", 0},
		{strings.Replace(tsdlHead, "major", `uuid = "12"; major`, 1) + event, `m:1:16: error: "12" is not a UUID`, 1},
		{jsonHead + `{"type": "event-record-class", "name": "e"}`,
			`m:2:2: error: event "e" belongs to stream 0, which is not declared`, 0},
		{fragment(`{"type": "data-stream-class", "id": "0"}` + "\n\x1e" + `{"type": "event-record-class"}`),
			"m:2:38: error: id is a string, not a number", 0},
		{fragment(`{"type": "trace-class", "environment": {"a": null}}` + "\n\x1e" + `{"type": "data-stream-class"}`),
			`m:2:47: error: "a" of the environment is null`, 1},
		{"\x1e" + `{"type": "preamble", "version": 2, "extensions": {"ns": {"x": {}}}}` + "\n\x1e" +
			`{"type": "data-stream-class"}`, `m:1:51: error: a fragment of type "preamble" has unknown extensions`, 0},
	} {
		m, err := Read("m", []byte(x.text))
		list, _ := err.(diag.List)
		streams := 0
		if m != nil {
			streams = len(m.Streams)
		}
		if len(list) == 0 || !strings.HasPrefix(list[0].Error(), x.want) || streams != x.streams {
			t.Errorf("%.300q:\n got %v, %d streams\nwant %s", x.text, err, streams, x.want)
		}
	}
}
