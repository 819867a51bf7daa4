package interp

import (
	"testing"

	"github.com/tracec/tracec/compiler/ir"
)

// schedSwitch is sched:sched_switch of a 64-bit kernel, as lowered from its print fmt.
func schedSwitch() *ir.Event {
	f := func(name string, kind ir.Kind, off, size int, signed bool) *ir.Field {
		return &ir.Field{Name: name, Kind: kind, Offset: off, Size: size, Elem: 1, Signed: signed,
			Text: kind == ir.Array}
	}
	prevComm, prevPID, prevPrio := f("prev_comm", ir.Array, 8, 16, false), f("prev_pid", ir.Int, 24, 4, true),
		f("prev_prio", ir.Int, 28, 4, true)
	prevState := f("prev_state", ir.Int, 32, 8, true)
	nextComm, nextPID, nextPrio := f("next_comm", ir.Array, 40, 16, false), f("next_pid", ir.Int, 56, 4, true),
		f("next_prio", ir.Int, 60, 4, true)
	plain := ir.Spec{Prec: -1}
	d := ir.Spec{Verb: 'd', Prec: -1}
	str := func(f *ir.Field) ir.Stmt {
		return &ir.PutText{T: &ir.CString{Of: &ir.FieldBytes{Field: f}}, Spec: plain}
	}
	i32 := func(f *ir.Field) ir.Stmt {
		return &ir.PutInt{V: &ir.Load{T: ir.I32, From: &ir.FieldBytes{Field: f}}, Spec: d}
	}
	lit := func(s string) ir.Stmt { return &ir.Lit{S: s} }
	i64 := func(v int64) ir.Value { return &ir.Const{T: ir.I64, V: uint64(v)} }
	state := &ir.Load{T: ir.I64, From: &ir.FieldBytes{Field: prevState}}
	low := &ir.Binary{Op: ir.OpAnd, X: state, Y: i64(0xff)}
	table := &ir.Table{Rows: []ir.Row{{Value: 1, Text: "S"}, {Value: 2, Text: "D"}, {Value: 4, Text: "T"},
		{Value: 8, Text: "t"}, {Value: 16, Text: "X"}, {Value: 32, Text: "Z"}, {Value: 64, Text: "P"},
		{Value: 128, Text: "I"}}}
	return &ir.Event{
		Group: "sched", Name: "sched_switch", Size: 64, HasText: true,
		Fields: []*ir.Field{prevComm, prevPID, prevPrio, prevState, nextComm, nextPID, nextPrio},
		Text: []ir.Stmt{
			lit("prev_comm="), str(prevComm), lit(" prev_pid="), i32(prevPID), lit(" prev_prio="), i32(prevPrio),
			lit(" prev_state="),
			&ir.PutText{Spec: plain, T: &ir.CondText{
				If:   low,
				Then: &ir.Call{Name: "Flags", Args: []ir.Arg{low, ir.StrArg("|"), table}},
				Else: &ir.CString{Of: &ir.Str{S: "R"}},
			}},
			&ir.PutText{Spec: plain, T: &ir.CondText{
				If:   &ir.Binary{Op: ir.OpAnd, X: state, Y: i64(0x100)},
				Then: &ir.CString{Of: &ir.Str{S: "+"}},
				Else: &ir.CString{Of: &ir.Str{S: ""}},
			}},
			lit(" ==> next_comm="), str(nextComm), lit(" next_pid="), i32(nextPID), lit(" next_prio="), i32(nextPrio),
		},
	}
}

var switchRecord = []byte("\x3a\x01\x00\x00\x00\x00\x00\x00" +
	"kworker/1:2\x00\x00\x00\x00\x00" + "\x39\x30\x00\x00" + "\x78\x00\x00\x00" + "\x80\x00\x00\x00\x00\x00\x00\x00" +
	"bash\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" + "\x15\xcd\x5b\x07" + "\x78\x00\x00\x00")

func TestSchedSwitch(t *testing.T) {
	p, err := Compile(schedSwitch(), ir.Target{WordSize: 8})
	if err != nil {
		t.Fatal(err)
	}
	got := string(NewMachine(nil).AppendText(nil, p, switchRecord))
	want := "prev_comm=kworker/1:2 prev_pid=12345 prev_prio=120 prev_state=I ==> next_comm=bash next_pid=123456789 next_prio=120"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func BenchmarkSchedSwitch(b *testing.B) {
	p, err := Compile(schedSwitch(), ir.Target{WordSize: 8})
	if err != nil {
		b.Fatal(err)
	}
	m := NewMachine(nil)
	var out []byte
	b.ReportAllocs()
	b.SetBytes(int64(len(switchRecord)))
	for b.Loop() {
		out = m.AppendText(out[:0], p, switchRecord)
	}
}
