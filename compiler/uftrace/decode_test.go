package uftrace_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/runtime/render"
)

// formats are all kinds of values that a payload may hold.
var formats = strings.Fields("d8 d16 d32 d64 i8 i16 i32 i64 u8 u32 u64 x16 x64 o32 o64 c c32 p32 p64 e64:color f32 f64 f80 f16 t0:none t1:one t7:odd t40 s S s S")

// drawValues draws a list of arguments.
func drawValues(t *rapid.T) []uftrace.Value {
	n := rapid.IntRange(0, 8).Draw(t, "n")
	var out []uftrace.Value
	for i := range n {
		f := rapid.SampledFrom(formats).Draw(t, "format")
		v := uftrace.Value{Index: i + 1, Format: f[0]}
		size, name, _ := strings.Cut(f[1:], ":")
		fmt.Sscan(size, &v.Size)
		v.TypeName = name
		switch {
		case f == "c":
			v.Size = 1
		case v.Format != 't':
			v.Size /= 8
		}
		out = append(out, v)
	}
	return out
}

// drawPayload draws values that fit the list: the numbers that plain returns, in the byte order,
// and the bytes.
func drawPayload(t *rapid.T, values []uftrace.Value, order binary.ByteOrder) []byte {
	var out []byte
	for _, v := range values {
		b := rapid.SliceOfN(rapid.Byte(), v.Size, v.Size).Draw(t, "value")
		if v.Size == 8 && rapid.Bool().Draw(t, "int") { // in a register
			small := rapid.Int32Range(-70000, 70000).Draw(t, "number")
			order.PutUint64(b, uint64(uint32(small)))
		}
		if v.Format == 's' || v.Format == 'S' {
			s := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "string")
			at := len(out)
			out = append(out, 0, 0)
			order.PutUint16(out[at:], uint16(len(s)))
			b = s
		}
		out = append(out, b...)
		for len(out)%4 != 0 { // padding holds old contents of the buffer
			out = append(out, rapid.Byte().Draw(t, "padding"))
		}
	}
	return out
}

// plain decodes a payload in the simplest way, according to uftrace.md 1.6. short reports that the
// payload ends too early.
func plain(values []uftrace.Value, data []byte, order binary.ByteOrder) (out []string, short bool) {
	at := 0
	for _, v := range values {
		size := v.Size
		if v.Format == 's' || v.Format == 'S' {
			if len(data) < at+2 {
				return out, true
			}
			size = int(order.Uint16(data[at:]))
			if len(data) < at+2+size {
				return out, true
			}
			out = append(out, fmt.Sprintf("%x", data[at+2:at+2+size]))
			at += (2 + size + 3) / 4 * 4
			continue
		}
		if len(data) < at+size {
			return out, true
		}
		b := data[at : at+size]
		at += (size + 3) / 4 * 4
		n, signed := uint64(0), v.Format == 'd' || v.Format == 'i' || v.Format == 'e'
		switch {
		case v.Format == 'f' && size == 10:
			mant, head := order.Uint64(b[:8]), order.Uint16(b[8:])
			if order == binary.BigEndian {
				mant, head = order.Uint64(b[2:]), order.Uint16(b)
			}
			out = append(out, fmt.Sprint(render.Float80(mant, uint64(head))))
			continue
		case v.Format == 't' || size > 8:
			out = append(out, fmt.Sprintf("%x", b))
			continue
		case size == 1:
			n = uint64(b[0])
		case size == 2:
			n = uint64(order.Uint16(b))
		case size == 4:
			n = uint64(order.Uint32(b))
		default:
			n = order.Uint64(b)
		}
		if v.Format == 'e' && size == 8 { // without an enumeration it is an int
			n, size = uint64(uint32(n)), 4
		}
		if signed {
			shift := 64 - 8*size
			n = uint64(int64(n<<shift) >> shift)
		}
		if v.Format == 'd' && size == 8 && n > 0xffff0000 && n <= 0xffffffff { // as the text, uftrace.md 2.4
			n -= 1 << 32
		}
		out = append(out, fmt.Sprint(n))
	}
	return out, false
}

// kept runs the program that yields values.
func kept(t interface{ Fatal(...any) }, ev *ir.Event, target ir.Target, data []byte) (out []string, short bool) {
	e := *ev
	e.Text = e.Decode
	p, err := interp.CompileValues(&e, target)
	if err != nil {
		t.Fatal(err)
	}
	env := &render.Env{Outcome: &render.Outcome{}}
	m := interp.NewMachine(env)
	m.Keep = func(n int, v uint64, b []byte) {
		if n != len(out) {
			t.Fatal("value", n, "comes at place", len(out))
		}
		if ev.Values()[n].Type() == (ir.Type{}) {
			out = append(out, fmt.Sprintf("%x", b))
			return
		}
		out = append(out, fmt.Sprint(v))
	}
	if text := m.AppendText(nil, p, data); len(text) != 0 {
		t.Fatal("text", string(text))
	}
	return out, env.Outcome.Reason == render.ExitShort
}

// Values equal those of a plain walk over the payload, for random lists in both byte orders. For a
// cut payload, they are the first of these values, with the reason Short. The text of each form is
// then a prefix of the whole text.
func TestDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		target := ir.Target{BigEndian: rapid.Bool().Draw(t, "big"),
			WordSize: rapid.SampledFrom([]int{4, 8}).Draw(t, "word")}
		order := binary.ByteOrder(binary.LittleEndian)
		if target.BigEndian {
			order = binary.BigEndian
		}
		values := drawValues(t)
		data := drawPayload(t, values, order)
		f := uftrace.Function{Module: "m", Name: "f", Values: values}
		ev, err := uftrace.Compile(f, uftrace.Options{BigEndian: target.BigEndian})
		if err != nil {
			t.Fatal(err)
		}
		want, _ := plain(values, data, order)
		got, short := kept(t, ev, target, data)
		if diff := cmp.Diff(want, got); diff != "" || short {
			t.Fatalf("short %v, (-plain +program):\n%s", short, diff)
		}
		cut := rapid.IntRange(0, len(data)).Draw(t, "cut")
		want, wantShort := plain(values, data[:cut], order)
		got, short = kept(t, ev, target, data[:cut])
		if short != wantShort || len(got) > len(want) || !short && len(got) < len(want) {
			t.Fatalf("cut to %d: %d values, short %v; want %d, %v", cut, len(got), short, len(want), wantShort)
		}
		if diff := cmp.Diff(want[:len(got)], got, equateEmpty); diff != "" {
			t.Fatal(diff)
		}
		for _, form := range []uftrace.Form{uftrace.Replay, uftrace.Dump, uftrace.JSON} {
			ev, err := uftrace.Compile(f, uftrace.Options{Form: form})
			if err != nil {
				t.Fatal(err)
			}
			p, err := interp.Compile(ev, target)
			if err != nil {
				t.Fatal(err)
			}
			m := interp.NewMachine(nil)
			whole := string(m.AppendText(nil, p, data))
			if part := string(m.AppendText(nil, p, data[:cut])); !strings.HasPrefix(whole, part) {
				t.Fatalf("cut to %d: %q is no beginning of %q", cut, part, whole)
			}
		}
	})
}

var equateEmpty = cmp.Transformer("empty", func(s []string) string { return strings.Join(s, "\n") })

// Names of values are unique, and show the source of the value.
func TestNames(t *testing.T) {
	v := values(t, "retval/i32,retval/f32,retval/s,retval/e:kind,retval/t8:point,retval/f80")
	v[0].Location = "rax"
	ev, err := uftrace.Compile(uftrace.Function{Module: "prog", Name: "f", Exit: true, Values: v}, uftrace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if ev.Group != "prog" || ev.Name != "f" || !ev.Exit || len(ev.Fields) != 1+len(v) || ev.Fields[0].Kind != ir.Tail {
		t.Errorf("event %+v", ev)
	}
	next := func(f ir.Field) *ir.Field {
		f.Offset, f.Align = ir.Sequential, 4
		return &f
	}
	want := []*ir.Field{
		next(ir.Field{Name: "retval", CType: "retval/i32%rax", Size: 4, Signed: true}),
		next(ir.Field{Name: "retval_2", CType: "retval/f32", Kind: ir.Float, Size: 4}),
		next(ir.Field{Name: "retval_3", CType: "retval/s", Kind: ir.Counted, Size: 2, Text: true}),
		next(ir.Field{Name: "retval_4", CType: "retval/e:kind", Size: 8, Signed: true, Value: ir.I32}),
		next(ir.Field{Name: "retval_5", CType: "retval/t8:point", Kind: ir.Bytes, Size: 8}),
		next(ir.Field{Name: "retval_6", CType: "retval/f80", Kind: ir.Float, Size: 10, Value: ir.U64}),
	}
	if diff := cmp.Diff(want, ev.Values()); diff != "" {
		t.Error(diff)
	}
}

func TestRefuses(t *testing.T) {
	for _, v := range []uftrace.Value{{Format: 'q', Size: 4}, {Format: 'i'}, {Format: 'i', Size: -4},
		{Format: 't', Size: -1}, {}} {
		ev, err := uftrace.Compile(uftrace.Function{Module: "m", Name: "f", Values: []uftrace.Value{v}},
			uftrace.Options{})
		if err == nil || ev == nil || ev.HasText || ir.CheckEvent(ev) != nil {
			t.Errorf("%+v: %v, %v", v, ev, err)
		}
	}
}

// Values that no recorder writes cause no panic and no large allocation.
func FuzzCompile(f *testing.F) {
	f.Add([]byte("i4s8t40p8f10e8c1"), "kind", []byte("\x01\x00\x00\x00\x03\x00abc\x00\x00\x00"), true)
	f.Add([]byte("S1s1"), "", []byte("\xff\xff"), false)
	f.Fuzz(func(t *testing.T, list []byte, name string, data []byte, exit bool) {
		enums := uftrace.ParseEnums("enum kind {A,B=4}" + name)
		var values []uftrace.Value
		for i := 0; i+1 < len(list) && i < 200; i += 2 {
			v := uftrace.Value{Result: exit, Index: i, Format: list[i], Size: int(int8(list[i+1])), TypeName: name}
			if v.Size == 100 {
				v.Size = math.MaxInt/2 + 1
			}
			values = append(values, v)
		}
		for _, form := range []uftrace.Form{uftrace.Replay, uftrace.Dump, uftrace.JSON} {
			ev, err := uftrace.Compile(uftrace.Function{Exit: exit, Values: values},
				uftrace.Options{Form: form, Enums: []uftrace.Enums{enums}})
			if err != nil {
				return
			}
			if err := ir.CheckEvent(ev); err != nil {
				t.Fatal(err)
			}
			for _, target := range []ir.Target{{WordSize: 8}, {WordSize: 4, BigEndian: true}} {
				p, err := interp.Compile(ev, target)
				if err != nil {
					t.Fatal(err)
				}
				interp.NewMachine(nil).AppendText(nil, p, data)
				kept(t, ev, target, data)
			}
		}
	})
}
