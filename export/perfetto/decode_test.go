package perfetto_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// value is a value of a field of a message.
type value struct {
	num  uint64
	data []byte // bytes of a message, a string or bytes
}

// message is a decoded message: the values of each field in order.
type message map[protowire.Number][]value

func decode(t testing.TB, b []byte) message {
	t.Helper()
	m := message{}
	for len(b) > 0 {
		field, wire, n := protowire.ConsumeTag(b)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		b = b[n:]
		var v value
		switch wire {
		case protowire.VarintType:
			v.num, n = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			v.num, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			v.data, n = protowire.ConsumeBytes(b)
		default:
			t.Fatalf("field %d has wire type %d", field, wire)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		b = b[n:]
		m[field] = append(m[field], v)
	}
	return m
}

// num returns the only value of a field, or 0.
func (m message) num(field protowire.Number) uint64 {
	if v := m[field]; len(v) > 0 {
		return v[0].num
	}
	return 0
}

func (m message) text(field protowire.Number) string {
	if v := m[field]; len(v) > 0 {
		return string(v[0].data)
	}
	return ""
}

func (m message) sub(t testing.TB, field protowire.Number) message {
	if v := m[field]; len(v) > 0 {
		return decode(t, v[0].data)
	}
	return nil
}

// member describes a field of a message.
type member struct {
	name string
	kind string // as in ftrace.txt
}

// kind describes an event.
type kind struct {
	name, group string
	typed       bool
	members     map[protowire.Number]member
}

// schema returns Perfetto's messages, from a second parser of ftrace.txt.
func schema(t testing.TB) map[protowire.Number]*kind {
	text, err := os.ReadFile("ftrace.txt")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[protowire.Number]*kind{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		k := &kind{name: words[0], typed: true, members: map[protowire.Number]member{}}
		for _, w := range words[2:] {
			if w[0] == '@' {
				continue
			}
			name, spec, _ := strings.Cut(w, "=")
			var n int
			var typ string
			if _, err := fmt.Sscanf(spec, "%d%s", &n, &typ); err != nil {
				t.Fatal(line, err)
			}
			k.members[protowire.Number(n)] = member{name, typ}
		}
		var n int
		fmt.Sscan(words[1], &n)
		kinds[protowire.Number(n)] = k
	}
	return kinds
}

// written is an event in the trace.
type written struct {
	time uint64
	pid  int32
	lost bool // a loss is before it
	kind *kind
	data message
}

// place is the source of events.
type place struct {
	machine uint64
	cpu     uint32
}

// trace is a decoded trace.
type trace struct {
	packets []message
	events  map[place][]written
	symbols map[uint64]string
	names   map[uint64]string // names of threads
}

// decodeTrace decodes a trace with events of ftrace. Descriptions and symbols must precede their
// use.
func decodeTrace(t testing.TB, b []byte) *trace {
	t.Helper()
	kinds := schema(t)
	tr := &trace{events: map[place][]written{}, symbols: map[uint64]string{}, names: map[uint64]string{}}
	for field, packets := range decode(t, b) {
		if field != 1 {
			t.Fatalf("field %d of the trace", field)
		}
		for _, p := range packets {
			tr.packets = append(tr.packets, decode(t, p.data))
		}
	}
	for _, p := range tr.packets {
		for _, s := range p.sub(t, 12)[26] {
			sym := decode(t, s.data)
			tr.symbols[sym.num(1)] = sym.text(2)
		}
		if rename := p.sub(t, 120); rename != nil {
			tr.names[rename.num(1)] = rename.text(2)
		}
		tr.bundle(t, p, kinds)
	}
	return tr
}

func (tr *trace) bundle(t testing.TB, p message, kinds map[protowire.Number]*kind) {
	bundle := p.sub(t, 1)
	for _, g := range bundle[11] {
		id, k := generic(t, decode(t, g.data))
		kinds[id] = k
	}
	at := place{p.num(98), uint32(bundle.num(1))}
	for i, e := range bundle[2] {
		m := decode(t, e.data)
		w := written{time: m.num(1), pid: int32(m.num(2)), lost: i == 0 && bundle.num(3) != 0}
		for number, v := range m {
			if number <= 2 {
				continue
			}
			if w.kind = kinds[number]; w.kind == nil || len(m) != 3 {
				t.Fatalf("event %d of %d fields", number, len(m))
			}
			w.data = decode(t, v[0].data)
		}
		tr.events[at] = append(tr.events[at], w)
	}
}

// generic decodes a GenericEventDescriptor.
func generic(t testing.TB, m message) (protowire.Number, *kind) {
	d := m.sub(t, 2)
	k := &kind{name: d.text(1), group: m.text(3), members: map[protowire.Number]member{}}
	for _, f := range d[2] {
		field := decode(t, f.data)
		k.members[protowire.Number(field.num(3))] = member{field.text(1),
			map[uint64]string{3: "l", 4: "v", 9: "s"}[field.num(5)]}
	}
	return protowire.Number(m.num(1)), k
}
