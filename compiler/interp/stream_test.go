package interp

import (
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// TestOutcome checks that the reason and the place of every early end are stored in the Env. A
// program that runs to its end must not change them.
func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		name, text string
		body       []ir.Stmt
		want       render.Outcome
	}{
		{"end", "a", []ir.Stmt{lit("a")}, render.Outcome{}},
		{"met", "a", []ir.Stmt{lit("a"), &ir.Require{Of: field(fTail), Bytes: konst(ir.I32, 8)}}, render.Outcome{}},
		{"short", "a", []ir.Stmt{lit("a"), &ir.Require{Of: field(fTail), Bytes: konst(ir.I32, 20)}, lit("b")},
			render.Outcome{Reason: render.ExitShort, At: 20}},
		{"short of a moving place", "", []ir.Stmt{&ir.Require{Of: field(fTail), Bytes: load(ir.U16, fShort)}},
			render.Outcome{Reason: render.ExitShort, At: 0x1234}},
		{"skip", "", []ir.Stmt{&ir.Exit{Reason: ir.Skip}}, render.Outcome{Reason: render.ExitSkip}},
		{"stop", "", []ir.Stmt{&ir.Exit{Reason: ir.Stop, At: load(ir.I32, fInt)}},
			render.Outcome{Reason: render.ExitStop, At: -2}},
	} {
		p, err := Compile(nodeEvent(c.body...), ir.Target{WordSize: 8})
		if err != nil {
			t.Fatal(err)
		}
		env := &render.Env{Outcome: &render.Outcome{}}
		m := NewMachine(env)
		for range 2 { // the second time as well as the first
			*env.Outcome = render.Outcome{}
			if got := string(m.AppendText(nil, p, nodeRecord)); got != c.text || *env.Outcome != c.want {
				t.Errorf("%s: got %q and %v, want %q and %v", c.name, got, *env.Outcome, c.text, c.want)
			}
		}
	}
}

// template returns the lowering of a template with a counted string and a loop (aix.md 3.3): the
// string at byte 8, `LOOP $n {X4}` after it.
func template() (*ir.Event, []byte) {
	data := &ir.Field{Name: "data", Kind: ir.Tail, Elem: 1}
	all := field(data)
	u64 := func(v int64) ir.Value { return konst(ir.U64, v) }
	p, n := &ir.Local{T: ir.U64}, &ir.Local{T: ir.U64, Slot: 1}
	at := bin(ir.OpShr, p, u64(3))
	move := func(by ir.Value) ir.Stmt { return &ir.Let{V: bin(ir.OpAdd, p, by)} }
	upper := func(t ir.Type, at ir.Value) ir.Stmt {
		spec := ir.Spec{Verb: 'X', Zero: true, Width: 2 * int(t.Size), Prec: -1}
		return &ir.PutInt{V: &ir.Load{T: t, From: all, At: at}, Spec: spec}
	}
	ev := &ir.Event{
		Group: "trcfmt", Name: "500", HasText: true, Fields: []*ir.Field{data}, Slots: 2,
		Text: []ir.Stmt{
			&ir.Require{Of: all, Bytes: u64(9)},
			lit("hook "), upper(ir.U16, u64(2)), lit(" flag "),
			put(&ir.Bits{From: all, At: u64(33), Count: u64(1)}), lit(" "), upper(ir.U32, u64(4)), lit(" name "),
			&ir.Let{Slot: 1, V: &ir.Convert{T: ir.U64, X: &ir.Load{T: ir.U8, From: all, At: u64(8)}}},
			&ir.Require{Of: all, Bytes: bin(ir.OpAdd, n, u64(9))},
			cstr(&ir.Slice{Of: all, At: u64(9), Len: n}),
			&ir.Let{V: bin(ir.OpShl, bin(ir.OpAdd, n, u64(9)), u64(3))},
			&ir.Let{Slot: 1, V: &ir.Convert{T: ir.U64, X: &ir.Load{T: ir.U8, From: all, At: at}}},
			move(u64(8)),
			&ir.Loop{Cond: bin(ir.OpGt, n, u64(0)), Limit: 100, Body: []ir.Stmt{
				&ir.Require{Of: all, Bytes: bin(ir.OpAdd, at, u64(4))},
				lit(" "), upper(ir.U32, at), move(u64(32)),
				&ir.Let{Slot: 1, V: bin(ir.OpSub, n, u64(1))},
			}},
		},
	}
	return ev, []byte("\x50\x0e\x00\x05\x40\x00\x00\x0a\x03ksh\x04\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x03\xde\xad\xbe\xef")
}

func TestTemplate(t *testing.T) {
	ev, data := template()
	p, err := Compile(ev, ir.Target{BigEndian: true, WordSize: 4})
	if err != nil {
		t.Fatal(err)
	}
	m := NewMachine(nil)
	const want = "hook 0005 flag 1 4000000A name ksh 00000001 00000002 00000003 DEADBEEF"
	if got := string(m.AppendText(nil, p, data)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := string(m.AppendText(nil, p, data[:20])); got != "hook 0005 flag 1 4000000A name ksh 00000001" {
		t.Errorf("cut short: got %q", got)
	}
}

func BenchmarkTemplate(b *testing.B) {
	ev, data := template()
	p, err := Compile(ev, ir.Target{BigEndian: true, WordSize: 4})
	if err != nil {
		b.Fatal(err)
	}
	m := NewMachine(nil)
	var out []byte
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		out = m.AppendText(out[:0], p, data)
	}
}
