package interp

import (
	"strings"
	"sync"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
)

// The record of the node tests: an int, a short, four u32 elements, a string, two words and a rest.
// Offsets are literal, so that the tests can be compared with the bytes.
var (
	fInt   = &ir.Field{Name: "i", Offset: 0, Size: 4, Signed: true}
	fShort = &ir.Field{Name: "s", Offset: 4, Size: 2}
	fByte  = &ir.Field{Name: "b", Offset: 6, Size: 1, Signed: true}
	fArray = &ir.Field{Name: "a", Kind: ir.Array, Offset: 8, Size: 16, Elem: 4}
	fText  = &ir.Field{Name: "t", Kind: ir.Array, Offset: 24, Size: 8, Elem: 1, Text: true}
	fDyn   = &ir.Field{Name: "d", Kind: ir.Dynamic, Offset: 32, Size: 4, Elem: 1, Text: true}
	fRel   = &ir.Field{Name: "r", Kind: ir.Dynamic, Offset: 36, Size: 4, Elem: 1, Text: true, Rel: true}
	fTail  = &ir.Field{Name: "x", Kind: ir.Tail, Offset: 40, Elem: 1}

	nodeRecord = []byte("\xfe\xff\xff\xff\x34\x12\x80\x00" + // -2, 0x1234, -128
		"\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\xff\xff\xff\xff" +
		"name\x00xyz" +
		"\x2a\x00\x04\x00" + // 4 bytes at 42
		"\x06\x00\x02\x00" + // 2 bytes at 40+6
		"A\x00dyn\x00r!")
)

func nodeEvent(body ...ir.Stmt) *ir.Event {
	return &ir.Event{
		Group: "test", Name: "nodes", Size: 40, HasText: true, Slots: 2, Buffers: 1, Text: body,
		Fields: []*ir.Field{fInt, fShort, fByte, fArray, fText, fDyn, fRel, fTail},
	}
}

func field(f *ir.Field) ir.Region { return &ir.FieldBytes{Field: f} }

func load(t ir.Type, f *ir.Field) ir.Value { return &ir.Load{T: t, From: field(f)} }

func konst(t ir.Type, v int64) ir.Value { return &ir.Const{T: t, V: t.Extend(uint64(v))} }

func bin(op ir.Op, x, y ir.Value) ir.Value { return &ir.Binary{Op: op, X: x, Y: y} }

func putAs(verb byte, v ir.Value) ir.Stmt {
	return &ir.PutInt{V: v, Spec: ir.Spec{Verb: verb, Prec: -1}}
}

func put(v ir.Value) ir.Stmt { return putAs('d', v) }

// padded has zeros in front.
func padded(v ir.Value, width int) ir.Stmt {
	return &ir.PutInt{V: v, Spec: ir.Spec{Verb: 'd', Zero: true, Width: width, Prec: -1}}
}

func putText(t ir.Text) ir.Stmt { return &ir.PutText{T: t, Spec: ir.Spec{Verb: 's', Prec: -1}} }

func cstr(r ir.Region) ir.Stmt { return putText(&ir.CString{Of: r}) }

func lit(s string) ir.Stmt { return &ir.Lit{S: s} }

// TestNodes has at least one case for every rule in the comments of package ir.
func TestNodes(t *testing.T) {
	i, s, b := load(ir.I32, fInt), load(ir.U16, fShort), load(ir.I8, fByte)
	zero := bin(ir.OpSub, i, i) // a zero that folding does not recognize
	at := func(t ir.Type, r ir.Region, at ir.Value) ir.Stmt { return put(&ir.Load{T: t, From: r, At: at}) }
	local := func(n int) ir.Value { return &ir.Local{T: ir.I32, Slot: n} }
	slice := func(r ir.Region, at, n ir.Value) ir.Region { return &ir.Slice{Of: r, At: at, Len: n} }
	min32 := bin(ir.OpShl, bin(ir.OpSub, bin(ir.OpSub, zero, i), konst(ir.I32, 1)), konst(ir.I32, 31))
	for _, c := range []struct {
		name, want string
		body       []ir.Stmt
	}{
		{"d of signed", "-2", []ir.Stmt{put(i)}},
		{"d of unsigned", "4294967294", []ir.Stmt{put(load(ir.U32, fInt))}},
		{"d of a cast to unsigned 64", "18446744073709551614", []ir.Stmt{put(&ir.Convert{T: ir.U64, X: i})}},
		{"x of signed", "fffffffe", []ir.Stmt{putAs('x', i)}},
		{"x of a widened signed", "fffffffffffffffe", []ir.Stmt{putAs('x', &ir.Convert{T: ir.I64, X: i})}},
		{"X of a byte", "80", []ir.Stmt{putAs('X', b)}},
		{"o", "11064", []ir.Stmt{putAs('o', s)}},
		{"c", "4", []ir.Stmt{putAs('c', s)}},
		{"flags", "0x00001234|", []ir.Stmt{&ir.PutInt{V: s,
			Spec: ir.Spec{Verb: 'x', Sharp: true, Zero: true, Width: 10, Prec: -1}}, lit("|")}},
		{"zeros in front of decimals", "-02 -2 4660 004660 -0128 4294967294 00000002 000000002", []ir.Stmt{
			padded(i, 3), lit(" "), padded(i, 2), lit(" "), padded(s, 3), lit(" "), padded(s, 6), lit(" "),
			padded(b, 5), lit(" "), padded(load(ir.U32, fInt), 8), lit(" "),
			padded(&ir.Load{T: ir.U32, From: field(fArray), At: konst(ir.I32, 4)}, 8), lit(" "),
			padded(bin(ir.OpSub, zero, i), 9),
		}},
		{"negative width argument", "-2  |", []ir.Stmt{&ir.PutInt{V: i,
			Spec: ir.Spec{Verb: 'd', WidthArg: bin(ir.OpAdd, i, i), Prec: -1}}, lit("|")}},
		{"negative precision argument", "name", []ir.Stmt{&ir.PutText{T: &ir.CString{Of: field(fText)},
			Spec: ir.Spec{PrecArg: i, Prec: 0}}}},
		{"cut and padded text", "  na", []ir.Stmt{&ir.PutText{T: &ir.CString{Of: field(fText)},
			Spec: ir.Spec{Width: 4, Prec: 2}}}},
		{"string without NUL", "xyz", []ir.Stmt{cstr(slice(field(fText), konst(ir.I32, 5), nil))}},
		{"dynamic", "dyn", []ir.Stmt{cstr(field(fDyn))}},
		{"relative dynamic", "r!", []ir.Stmt{cstr(field(fRel))}},
		{"tail", "8 A", []ir.Stmt{put(&ir.Len{Of: field(fTail)}), lit(" "), cstr(field(fTail))}},
		{"element", "3 4294967295", []ir.Stmt{at(ir.U32, field(fArray), konst(ir.I32, 8)), lit(" "),
			at(ir.U32, field(fArray), konst(ir.U8, 12))}},
		{"element behind the end", "0", []ir.Stmt{at(ir.U32, field(fArray), konst(ir.I32, 13))}},
		{"element before the start", "0", []ir.Stmt{at(ir.U32, field(fArray), i)}},
		{"element at a variable place", "2", []ir.Stmt{at(ir.I32, field(fArray), bin(ir.OpAdd, i, konst(ir.I32, 6)))}},
		{"element at a variable place behind the end", "0",
			[]ir.Stmt{at(ir.I32, field(fArray), bin(ir.OpAdd, i, konst(ir.I32, 15)))}},
		{"load from dynamic data", "100 0", []ir.Stmt{at(ir.U8, field(fDyn), nil), lit(" "),
			at(ir.U64, field(fDyn), nil)}},
		{"slice with a negative place", "", []ir.Stmt{cstr(slice(field(fText), i, nil))}},
		{"slice with a negative length", "", []ir.Stmt{cstr(slice(field(fText), nil, i))}},
		{"slice cut to what is there", "me", []ir.Stmt{cstr(slice(field(fText), konst(ir.I32, 2),
			konst(ir.U64, 1<<62)))}},
		{"slice of a huge unsigned length", "", []ir.Stmt{cstr(slice(field(fText), nil, konst(ir.U64, -1)))}},
		{"unset local", "0", []ir.Stmt{put(local(1))}},
		{"unset buffer", "0", []ir.Stmt{put(&ir.Len{Of: &ir.LocalBytes{}})}},
		{"local", "-2", []ir.Stmt{&ir.Let{Slot: 1, V: i}, put(local(1))}},
		{"buffer", "name", []ir.Stmt{&ir.LetBytes{V: field(fText)}, cstr(&ir.LocalBytes{})}},
		{"division by zero", "0 0", []ir.Stmt{put(bin(ir.OpDiv, i, zero)), lit(" "), put(bin(ir.OpRem, i, zero))}},
		{"unsigned division by zero", "0", []ir.Stmt{put(bin(ir.OpDiv, s, bin(ir.OpSub, s, s)))}},
		{"least by -1", "-2147483648 0", []ir.Stmt{
			put(bin(ir.OpDiv, min32, bin(ir.OpAdd, i, konst(ir.I32, 1)))), lit(" "),
			put(bin(ir.OpRem, min32, bin(ir.OpAdd, i, konst(ir.I32, 1)))),
		}},
		{"division truncates", "-42", []ir.Stmt{put(bin(ir.OpDiv, &ir.Convert{T: ir.I32, X: b}, konst(ir.I32, 3)))}},
		{"division of unsigned", "2147483647", []ir.Stmt{put(bin(ir.OpDiv, load(ir.U32, fInt), konst(ir.U32, 2)))}},
		{"shift modulo the width", "9320", []ir.Stmt{put(bin(ir.OpShl, s, konst(ir.I32, 17)))}},
		{"shift by a negative count", "1", []ir.Stmt{put(bin(ir.OpShr, load(ir.U32, fInt), konst(ir.I32, -1)))}},
		{"shift of signed", "-1", []ir.Stmt{put(bin(ir.OpShr, i, konst(ir.U8, 40)))}},
		{"signed comparison", "1", []ir.Stmt{put(bin(ir.OpLt, i, zero))}},
		{"unsigned comparison", "0", []ir.Stmt{put(bin(ir.OpLt, load(ir.U32, fInt), &ir.Convert{T: ir.U32, X: zero}))}},
		{"&& and ||", "0 1", []ir.Stmt{put(bin(ir.OpLogAnd, i, zero)), lit(" "), put(bin(ir.OpLogOr, s, zero))}},
		{"function", "2", []ir.Stmt{put(&ir.Func{T: ir.I8, Name: "Ffs", Args: []ir.Value{i}})}},
		{"function cut to its type", "52", []ir.Stmt{put(&ir.Func{T: ir.I8, Name: "Swab16",
			Args: []ir.Value{&ir.Func{T: ir.U16, Name: "Swab16", Args: []ir.Value{s}}}})}},
		{"bits", "1 1 38", []ir.Stmt{ // of na: 01101110 01100001
			put(&ir.Bits{From: field(fText), At: konst(ir.I32, 1), Count: konst(ir.I32, 1)}), lit(" "),
			put(&ir.Bits{From: field(fText), At: konst(ir.I32, -1), Count: konst(ir.I64, 2)}), lit(" "),
			put(&ir.Bits{From: field(fText), At: konst(ir.I32, 6), Count: bin(ir.OpAdd, i, konst(ir.I32, 8))}),
		}},
		{"bits behind the end are 0", "488", []ir.Stmt{put(&ir.Bits{From: slice(field(fText), konst(ir.I32, 7), nil),
			At: konst(ir.I32, 1), Count: konst(ir.I32, 9)})}},
		{"text is", "1 0 1", []ir.Stmt{
			put(&ir.TextIs{T: &ir.CString{Of: field(fText)}, S: "name"}), lit(" "),
			put(&ir.TextIs{T: &ir.CString{Of: field(fText)}, S: "nam"}), lit(" "),
			put(&ir.TextIs{T: &ir.Call{Name: "MacroHex", Args: []ir.Arg{s}}, S: "1234"}),
		}},
		{"facts that nobody knows", "0", []ir.Stmt{put(&ir.Fact{T: ir.I32, ID: ir.FactPID}),
			putText(&ir.FactText{ID: ir.FactSVC})}},
		{"met requirement", "A 65", []ir.Stmt{
			&ir.Require{Of: field(fTail), Bytes: konst(ir.I32, 8)}, cstr(field(fTail)), lit(" "),
			put(&ir.Load{T: ir.U8, From: field(fTail)}),
		}},
		{"requirement that is not met", "a", []ir.Stmt{lit("a"), &ir.Require{Of: field(fTail), Bytes: konst(ir.I32, 9)},
			lit("b")}},
		{"negative requirement", "ab", []ir.Stmt{lit("a"), &ir.Require{Of: field(fDyn), Bytes: i}, lit("b")}},
		{"exit from a nested program in a loop", "abab", []ir.Stmt{
			&ir.Loop{Cond: konst(ir.I32, 1), Limit: 9, Body: []ir.Stmt{
				putText(&ir.Program{Body: []ir.Stmt{
					lit("a"),
					&ir.If{Cond: local(0), Then: []ir.Stmt{lit("b"), &ir.Exit{Reason: ir.Stop}, lit("c")}},
				}}),
				&ir.Let{V: konst(ir.I32, 1)}, lit("b"),
			}},
			lit("d"),
		}},
		{"one arm of a text", "a1", []ir.Stmt{
			putText(&ir.CondText{
				If:   i,
				Then: &ir.Program{Body: []ir.Stmt{&ir.Let{V: konst(ir.I32, 1)}, lit("a")}},
				Else: &ir.Program{Body: []ir.Stmt{&ir.Let{V: konst(ir.I32, 2)}, lit("b")}},
			}), put(local(0)),
		}},
		{"switch", "first", []ir.Stmt{&ir.Switch{X: i, Default: []ir.Stmt{lit("default")}, Cases: []ir.SwitchCase{
			{Values: []uint64{1, ir.I32.Extend(^uint64(1))}, Body: []ir.Stmt{lit("first")}},
			{Values: []uint64{ir.I32.Extend(^uint64(1))}, Body: []ir.Stmt{lit("second")}},
		}}}},
		{"loop", "0123", []ir.Stmt{&ir.Loop{
			Cond: bin(ir.OpLt, local(0), konst(ir.I32, 4)), Limit: 99,
			Body: []ir.Stmt{put(local(0)), &ir.Let{V: bin(ir.OpAdd, local(0), konst(ir.I32, 1))}},
		}}},
		{"loop without end", "...", []ir.Stmt{&ir.Loop{Cond: i, Limit: 3, Body: []ir.Stmt{lit(".")}}}},
		{"text as an argument", "6e 61", []ir.Stmt{putText(&ir.Call{Name: "Hex",
			Args: []ir.Arg{&ir.CString{Of: field(fText)}, konst(ir.I32, 2)}})}},
		{"texts as arguments of arguments", "36 65 20 36 31", []ir.Stmt{putText(&ir.Call{Name: "Hex", Args: []ir.Arg{
			&ir.Call{Name: "Hex", Args: []ir.Arg{&ir.Program{Body: []ir.Stmt{cstr(field(fText))}}, konst(ir.I32, 2)}},
			konst(ir.I32, 9),
		}})}},
		{"a constant region", "2 b", []ir.Stmt{put(&ir.Len{Of: &ir.Str{S: "bc"}}), lit(" "),
			putAs('c', &ir.Load{T: ir.U8, From: &ir.Str{S: "bc"}})}},
		{"a chosen region", "name", []ir.Stmt{cstr(&ir.CondBytes{If: i, Then: field(fText), Else: field(fDyn)})}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			ev, target := nodeEvent(c.body...), ir.Target{WordSize: 8}
			for _, fold := range []bool{true, false} {
				p, err := compile(ev, target, fold, false)
				if err != nil {
					t.Fatal(err)
				}
				if got := string(NewMachine(nil).AppendText(nil, p, nodeRecord)); got != c.want {
					t.Errorf("fold %v: got %q, want %q", fold, got, c.want)
				}
			}
			if got := referenceText(ev, target, nil, nodeRecord); got != c.want {
				t.Errorf("reference: got %q, want %q", got, c.want)
			}
		})
	}
}

// TestNames prints fields of the size of a thread's name, which are read as two words.
func TestNames(t *testing.T) {
	f := &ir.Field{Name: "comm", Kind: ir.Array, Offset: 8, Size: 16, Elem: 1, Text: true}
	ev := &ir.Event{
		Group: "test", Name: "names", Size: 24, HasText: true, Fields: []*ir.Field{f},
		Text: []ir.Stmt{lit("["), cstr(field(f)), lit("]"), cstr(field(f)), lit(".")},
	}
	for _, name := range []string{
		"", "a", "seven77", "eight888", "nine99999", "fifteen-fifteen", "sixteen-sixteen!",
		"\x01\x01\x01\x01\x01\x01\x01\x01",
		"\x80\x81\xff\x01\x80\x00\x01\x01\x01\x01", "\xff\xff\xff\xff\xff\xff\xff\xff\x80\x80\x01\x00\x80\x01\x01\xff",
	} {
		data := append([]byte("headhead"), (name + "\x00older older older")[:16]...)
		want, _, _ := strings.Cut(string(data[8:]), "\x00")
		want = "[" + want + "]" + want + "."
		for _, big := range []bool{false, true} {
			target := ir.Target{WordSize: 8, BigEndian: big}
			p, err := Compile(ev, target)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(NewMachine(nil).AppendText(nil, p, data)); got != want {
				t.Errorf("%q, big endian %v: got %q, want %q", name, big, got, want)
			}
			if got := referenceText(ev, target, nil, data); got != want {
				t.Errorf("%q: reference: got %q, want %q", name, got, want)
			}
		}
	}
}

// TestBigEndian reads every size, signed and not, before and after the first eight bytes.
func TestBigEndian(t *testing.T) {
	data := []byte("\xff\xfe\x80\x01\x00\x00\x00\x07" + "\x80\x00\x00\x00\x00\x00\x01\x02" + "\xff\x7f\x81\x00")
	at := func(off, size int, typ ir.Type) ir.Value {
		return &ir.Load{T: typ, From: field(&ir.Field{Offset: off, Size: size})}
	}
	var body []ir.Stmt
	ev := &ir.Event{Size: len(data), HasText: true}
	for _, v := range []ir.Value{
		at(0, 2, ir.I16), at(0, 2, ir.U16), at(2, 1, ir.I8), at(4, 4, ir.U32),
		at(8, 8, ir.I64), at(8, 8, ir.U64), at(8, 4, ir.I32), at(16, 2, ir.I16), at(17, 1, ir.U8), at(18, 1, ir.I8),
	} {
		ev.Fields = append(ev.Fields, v.(*ir.Load).From.(*ir.FieldBytes).Field)
		body = append(body, put(v), lit(" "), putAs('x', v), lit("\n"))
	}
	ev.Text = body
	p, err := Compile(ev, ir.Target{BigEndian: true, WordSize: 8})
	if err != nil {
		t.Fatal(err)
	}
	const want = "-2 fffe\n65534 fffe\n-128 80\n7 7\n-9223372036854775550 8000000000000102\n" +
		"9223372036854776066 8000000000000102\n-2147483648 80000000\n-129 ff7f\n127 7f\n-127 81\n"
	if got := string(NewMachine(nil).AppendText(nil, p, data)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestShortAndTextless covers records and events without a text.
func TestShortAndTextless(t *testing.T) {
	p, err := Compile(nodeEvent(lit("text")), ir.Target{WordSize: 8})
	if err != nil {
		t.Fatal(err)
	}
	m := NewMachine(nil)
	if got, want := string(m.AppendText([]byte("> "), p, nodeRecord[:39])),
		"> [short record: 39 of 40 bytes]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	none := nodeEvent()
	none.HasText, none.Text = false, nil
	if p, err = Compile(none, ir.Target{WordSize: 8}); err != nil {
		t.Fatal(err)
	}
	if got := m.AppendText(nil, p, nil); len(got) != 0 || p.HasText() || p.Size() != 40 {
		t.Errorf("got %q, %v, %d", got, p.HasText(), p.Size())
	}
}

// TestCompileRefuses checks that an invalid event gives an error that names it.
func TestCompileRefuses(t *testing.T) {
	_, err := Compile(nodeEvent(put(&ir.Local{T: ir.I32, Slot: 9})), ir.Target{WordSize: 8})
	if err == nil || !strings.Contains(err.Error(), "test:nodes") {
		t.Errorf("got %v", err)
	}
}

// TestSharedProgram runs one program in several goroutines at once, for the race detector.
func TestSharedProgram(t *testing.T) {
	p, err := Compile(schedSwitch(), ir.Target{WordSize: 8})
	if err != nil {
		t.Fatal(err)
	}
	want := string(NewMachine(nil).AppendText(nil, p, switchRecord))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			m := NewMachine(nil)
			for range 200 {
				if got := string(m.AppendText(nil, p, switchRecord)); got != want {
					t.Errorf("got %q, want %q", got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}
