package trcfmt_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/runtime/render"
)

// values compiles a stanza and lists its values: name, type, source.
func values(t *testing.T, text string) string {
	t.Helper()
	r, _ := compile(t, text)
	tmpl := r.Templates[0]
	var out []string
	for _, c := range tmpl.Clashes {
		out = append(out, fmt.Sprintf("%d:%d %s", c.Pos.Line, c.Pos.Column, c.Code))
	}
	for _, f := range tmpl.Events[0].Values() {
		out = append(out, describe(f))
	}
	return strings.Join(out, "\n")
}

// describe returns a value in one line.
func describe(f *ir.Field) string {
	s, of, after := fmt.Sprintf("'%s' '%s' ", f.Name, f.CType), f, ""
	if f.Kind == ir.List {
		of, after = f.Fields[0], " repeated"
	}
	if t := of.Type(); t == (ir.Type{}) {
		s += of.Kind.String()
	} else {
		s += t.String()
	}
	if of.Kind == ir.Float {
		s += " float"
	}
	if of.Text {
		s += " text"
	}
	if f.Optional {
		s += " optional"
	}
	return s + after
}

func TestValueNames(t *testing.T) {
	for text, want := range map[string]string{
		// Labels.
		`block number X4`:                            `'block number' 'X4' u32`,
		`O2.0 "The # of loop iterations =" U4`:       `'The of loop iterations' 'U4' u32`,
		`"a=" X1 "bytes, fd=0x" X2`:                  "'a' 'X1' u8\n'fd' 'X2' u16",
		`"V.S=" X4 ` + "`(pid $D1%U4)`":              "'V S' 'X4' u32\n'pid' '$D1%U4' u32",
		`"one two three four five six =" X1`:         `'three four five six' 'X1' u8`,
		`"heading" \n X4`:                            `'X4 at 2' 'X4' u32`,
		`"d=" D2 "f=" F8 "s=" A8 "c=" S1 "raw=" X16`: "'d' 'D2' i16\n'f' 'F8' u64 float\n's' 'A8' bytes text\n'c' 'S1' bytes text\n'raw' 'X16' bytes",
		`"e=" E4 "t=" T4 "p=" P8 "o=" o2`:            "'e' 'E4' u32\n't' 'T4' u32\n'p' 'P8' u64\n'o' 'o2' u16",
		`"b=" B0.5 "l=" B2.3 "three=" X3`:            "'b' 'B0.5' u8\n'l' 'B2.3' u32\n'three' 'X3' u32",
		`"len=" HB HT $HL $PID`:                      ``,
		`"w=" XW "n=" DW`:                            "'w' 'XW' u64\n'n' 'DW' i64",
		"B0.1, 1 B_FLAG0 \\\n B0.1, 1 B_FLAG1":       "'B_FLAG0' 'B0.1' u8\n'B_FLAG1' 'B0.1' u8",
		`"op=" X1, 1 read, 2 write`:                  `'op' 'X1' u8`,
		`X4 X2`:                                      "'X4 at 2' 'X4' u32\n'X2 at 6' 'X2' u16",
		`"name=" S1 X4 X4`:                           "'name' 'S1' bytes text\n'X4 after name' 'X4' u32\n'X4 after name 2' 'X4' u32",
		// Macros.
		`{{ $stat = X2 }} $stat`:                            `'stat' '$stat' u16`,
		`{{ $len = X2 * 4 }} {{ $x = $len + 1 }}`:           `'len' '$len' u64`,
		`{{ $d = D4 }}`:                                     `'d' '$d' i32`,
		`{{ $n = X1 }} $n%S1`:                               "'n' '$n' u8\n'n string' '$n%S1' bytes text",
		`"fd=" $D1%D4 $D2 $D2%X1 $HD`:                       "'fd' '$D1%D4' i32\n'D2' '$D2' u64\n'HD' '$HD' u16",
		`"fault=" f($D1) {{ f(v) $v, 1 ONE }}`:              `'fault' '$D1' u64`,
		`{{ $s = $HD }} $HOOKENV, 32 {{ $s = $D1 & 0xFF }}`: `'s' '$s' u64`,
		`{{ $s = D2 }} {{ $s = X2 }}`:                       `'s' '$s' u64`,
		`{{ $x = $D1 }} "a " $x%D4 "b " $D2%D4 "c" X1`:      "'x' '$x' u64\n'b' '$D2%D4' i32\n'c' 'X1' u8",
		// Choices and loops.
		`"data " $GENERIC, 1 XW LOOP $HD { XW }`:       "'HD' '$HD' u16\n'XW after start' 'XW' u64 repeated\n'data' 'XW' u64 optional",
		`"op " $PID, 1 { "a=" X1 X1 }, 2 X1`:           "'a' 'X1' u8 optional\n'X1 at 3' 'X1' u8 optional\n'op' 'X1' u8 optional",
		`"t=" X1, 1 { "fd=" X4 }, 2 { "pid=" X4 }`:     "'t' 'X1' u8\n'fd' 'X4' u32 optional\n'pid' 'X4' u32 optional",
		`"t=" X1, 1 { "fd=" X4 }, 2 { "fd=" X2 }`:      "'t' 'X1' u8\n'fd' 'X4' u32 optional",
		`"t=" X1, 1 { "fd=" X4 }, \* { "fd=" X2 }`:     "'t' 'X1' u8\n'fd' 'X4' u32",
		`"n=" X1 LOOP X1 { "v=" X2 }`:                  "'n' 'X1' u8\n'X1 at 3' 'X1' u8\n'v' 'X2' u16 repeated",
		`"t=" X1, 1 $BREAK` + "\n":                     `'t' 'X1' u8`,
		"\"t=\" X1, 1 $BREAK \\\n \"u=\" X1":           "'t' 'X1' u8\n'u' 'X1' u8 optional",
		"$HOOKENV, 32 { \"a=\" X4 }, 64 { \"a=\" X8 }": `'a' 'X4' u64`,
		"$HOOKENV, 64 { \"a=\" X8 }":                   `'a' 'X8' u64 optional`,
		// Collisions.
		`"a=" X4 "a=" X4`:                       "1:25 field-name\n'a' 'X4' u32\n'a 2' 'X4' u32",
		`"t=" X1, 1 { "a=" X4 }, 2 { "a=" A4 }`: "1:45 field-name\n't' 'X1' u8\n'a' 'X4' u32 optional\n'a 2' 'A4' bytes text optional",
		`LOOP X1 { "a=" X1 "a=" X1 }`:           "1:35 field-name\n'X1 at 2' 'X1' u8\n'a' 'X1' u8 repeated\n'a 2' 'X1' u8 repeated",
		`"a b=" X4 "a_b=" X4`:                   "1:29 field-name\n'a b' 'X4' u32\n'a_b 2' 'X4' u32",
		`"has a=" X1, 1 { "a=" X1 }`:            "1:21 field-name\n'has a' 'X1' u8\n'a' 'X1' u8 optional",
		`"1st=" X1 "x1st=" X1 "b=" X1`:          "1:30 field-name\n'1st' 'X1' u8\n'x1st 2' 'X1' u8\n'b' 'X1' u8",
		`"a " $D1%U "a " $D2%U`:                 "1:28 field-name\n'a' '$D1%U' u64\n'a 2' '$D2%U' u64",
		`"a " $D1%U "a " X4`:                    "1:28 field-name\n'a' '$D1%U' u64\n'a 2' 'X4' u32",
		`"a " $D1%U "a " $D1%W8.15`:             "1:28 field-name\n'a' '$D1%U' u64\n'a 2' '$D1%W8.15' u64",
		`"x=" X4 "x=" X4 "x=" D2`:               "1:33 field-name\n'x' 'X4' u32\n'x 2' 'X4' u32\n'x 3' 'D2' i16",
		`"a=" X1 "a=" X2 "a 2=" X4`:             "1:25 field-name\n'a' 'X1' u8\n'a 2' 'X2' u16\n'a 2 2' 'X4' u32",
		`{{ $a = X1 }} "a=" X2`:                 "1:31 field-name\n'a' '$a' u8\n'a 2' 'X2' u16",
		`"v " $D1%U "v " $D1%X`:                 "'v' '$D1%U' u64",
		// One data word is one value.
		`starttimer($D1, 1) "order " $D1%U`: "'order' '$D1%U' u64",
		`$D1 $PID, 1 { "order " $D1%U }`:    "'D1' '$D1' u64",
		`$D1 "low " $D1%W0.7`:               "'D1' '$D1' u64\n'low' '$D1%W0.7' u64",
		`$D1 $HD "order " $D1%U $D2`:        "'HD' '$HD' u16\n'order' '$D1%U' u64\n'D2' '$D2' u64",
		`$D1%D $D2 $D2%D $D3%D4 $HD%D2`:     "'D1' '$D1%D' i64\n'D2' '$D2' u64\n'D3' '$D3%D4' i32\n'HD' '$HD%D2' i16",
		`$D1%D $D1%D4 $D1%D`:                "'D1' '$D1' u64",
		`$PID, 1 $D1%D, 2 $D1%U`:            "'D1' '$D1' u64",
		// A subroutine that is called twice.
		"$501 $501\n501 1.0 @s \"x=\" X1": "'x' 'X1' u8\n'x 2' 'X1' u8",
	} {
		if d := cmp.Diff(want, values(t, "500 1.0 @t "+text)); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
}

// decode runs the program that yields values.
func decode(t *testing.T, text string, env trcfmt.Env, event string) (string, render.Outcome) {
	t.Helper()
	r, _ := compile(t, text)
	ev := *r.Templates[0].Events[env.Index()]
	if r.Templates[0].Clashes != nil {
		t.Fatal(r.Templates[0].Clashes)
	}
	data, err := hex.DecodeString(strings.NewReplacer(" ", "", "\n", "").Replace(event))
	if err != nil {
		t.Fatal(err)
	}
	ev.Text = ev.Decode
	p, err := interp.CompileValues(&ev, env.Target())
	if err != nil {
		t.Fatal(err)
	}
	var outcome render.Outcome
	m := interp.NewMachine(&render.Env{BigEndian: true, Facts: &world{}, Outcome: &outcome})
	var out []string
	paths := map[int]string{}
	for _, l := range ev.Leaves() {
		paths[l.Number] = l.Path
	}
	all := ev.AllValues()
	m.Keep = func(n int, v uint64, b []byte) {
		switch f, name := all[n], paths[n]; {
		case f.Kind == ir.List:
		case f.Text:
			out = append(out, fmt.Sprintf("%s=%s", name, render.CString(b)))
		case f.Kind == ir.Bytes:
			out = append(out, fmt.Sprintf("%s=%x", name, b))
		case f.Type().Signed:
			out = append(out, fmt.Sprintf("%s=%d", name, int64(v)))
		default:
			out = append(out, fmt.Sprintf("%s=%d", name, v))
		}
	}
	if text := m.AppendText(nil, p, data); len(text) > 0 && len(data) >= ev.Size {
		t.Errorf("decoding prints %q", text)
	}
	return strings.Join(out, ", "), outcome
}

// The vectors of aix.md 8, as values.
func TestDecode(t *testing.T) {
	const v2 = "500E0005 00000001 00000002 00000003 00000004 00000005"
	cases := []struct {
		name, text  string
		env         trcfmt.Env
		event, want string
	}{
		{"V1", `010 1.0 L=APPL "USER EVENT - HKWD_USER1" O2.0 \n "The # of loop iterations =" U4 \n "time = " endtimer(0x010,0x010) starttimer(0x010,0x010)`,
			env32, "010A0000 00000001", "The of loop iterations=1"},
		{"V2", `500 1.0 "five" $D1%D4 "d=" $D5%X4 $HD`, env32, v2, "D1=1, HD=5, d=5"},
		{"V2 label", `500 1.0 "five" "one=" $D1%D4 "five=" $D5`, env32, v2, "one=1, five=5"},
		{"V3", `020 1.0 @gen "n=" X4 "name=" A6`, env32g, "02080006 00000001 68656C6C 6F000000", "n=1, name=hello"},
		{"V8", `500 1.0 @w "n=" X8 "name=" A6`, env64g, "C000000650000005 0000000000000001 68656C6C6F00 0000",
			"n=1, name=hello"},
		{"V12", `900 1.0 "ESDI STRATEGY" {{ $stat = X2 }} {{ $rv }} $90F "special_esdi_status=" $stat "for minor device " $rv
90F 1.0 @sub {{ $s }} {{ $return }} G4 "block number " X4 \n "byte count " X4 \n B0.1, 1 B_FLAG0 \
	B0.1, 1 B_FLAG1 \
	B0.1, 1 B_FLAG2 \n G16 {{ $return = X2 }}`,
			env32, "900E0003 00000010 00001000 A0000000 00070000 00000000",
			"stat=3, block number=16, byte count=4096, B_FLAG0=1, B_FLAG1=0, B_FLAG2=1, return=7"},
		{"loop", `500 1.0 @l G4 "k=" X1 {{ $n = X1 }} LOOP $n { "v=" X1 } "end=" X1`, env32,
			"500E0005 01020304 05060708", "k=1, n=2, v=3, v=4, end=5"},
		{"signed", `500 1.0 @l G4 "a=" D1 "b=" D2`, env32, "500E0005 FFFFFE00", "a=-1, b=-2"},
		{"counted", `500 1.0 @l G4 "s=" S1 "t=" X2`, env32, "500E0005 03414200 01020000", "s=AB, t=258"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, outcome := decode(t, c.text, c.env, c.event)
			if got != c.want || outcome.Reason != render.Ended {
				t.Errorf("got  %q\nwant %q (%v)", got, c.want, outcome)
			}
		})
	}
}

// One check of the length serves all reads that are certain, so that short events have no values at
// all.
func TestDecodeShort(t *testing.T) {
	got, outcome := decode(t, `500 1.0 "label" O2.0 "a=" X4 "b=" X4 X4 "end"`, env32, "500E0005 01020304 0506")
	if got != "" || outcome != (render.Outcome{Reason: render.ExitShort, At: 16}) {
		t.Errorf("%q, %v", got, outcome)
	}
}
