package trcfmt_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/runtime/render"
)

// world is the state of the recording around an event.
type world struct{}

func (w *world) Fact(id render.Fact) uint64 {
	return map[render.Fact]uint64{render.FactPID: 4711, render.FactTID: 0x3a5b, render.FactTraceEnv: 64,
		render.FactRelativeLine: 1,
		render.FactTraceID:      0x7ff, render.FactLogIndex: 0x50, render.FactLogIndex0: 0x50}[id]
}

func (w *world) FactText(dst []byte, id render.Fact) []byte {
	return append(dst, map[render.Fact]string{render.FactSVC: "kread", render.FactExecPath: "/usr/bin/ksh",
		render.FactLogFile: "/trace"}[id]...)
}

func compile(t *testing.T, text string) (*trcfmt.Result, diag.List) {
	t.Helper()
	return compileBy(t, trcfmt.Options{}, text)
}

func compileBy(t *testing.T, opts trcfmt.Options, text string) (*trcfmt.Result, diag.List) {
	t.Helper()
	f, errs := grammar.Parse("test.trcfmt", []byte(text))
	for _, e := range errs {
		if e.Severity == diag.Error {
			t.Fatalf("%s\n%v", text, e)
		}
	}
	r, list := trcfmt.Compile("test.trcfmt", opts, f)
	for _, hook64 := range []bool{false, true} {
		if err := ir.Check(r.Unit(hook64)); err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
	}
	return r, list
}

// show renders an event: its bytes in hexadecimal, from the hook word on.
func show(t *testing.T, text string, env trcfmt.Env, hook uint16, event string) (string, render.Outcome) {
	t.Helper()
	return showBy(t, trcfmt.Options{}, text, env, hook, event)
}

func showBy(
	t *testing.T, opts trcfmt.Options, text string, env trcfmt.Env, hook uint16, event string,
) (string, render.Outcome) {
	t.Helper()
	r, _ := compileBy(t, opts, text)
	data, err := hex.DecodeString(strings.NewReplacer(" ", "", "\n", "").Replace(event))
	if err != nil {
		t.Fatal(err)
	}
	tmpl := r.Hook(hook)
	if tmpl == nil {
		t.Fatalf("no template for %04X", hook)
	}
	p, err := interp.Compile(tmpl.Events[env.Index()], env.Target())
	if err != nil {
		t.Fatal(err)
	}
	var outcome render.Outcome
	w := &world{}
	m := interp.NewMachine(&render.Env{BigEndian: true, WordSize: env.Target().WordSize, Facts: w, Outcome: &outcome})
	return trimLines(string(m.AppendText(nil, p, data))), outcome
}

// trimLines trims the text of an event as a report does (aix.md 4.1 f).
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

var (
	env32  = trcfmt.Env{}
	env32g = trcfmt.Env{Generic: true}
	env64  = trcfmt.Env{Hook64: true}
	env64g = trcfmt.Env{Hook64: true, Generic: true}
)

// The vectors of aix.md 8 that a template sees.
func TestVectors(t *testing.T) {
	const v2 = "500E0005 00000001 00000002 00000003 00000004 00000005"
	cases := []struct {
		name, text string
		env        trcfmt.Env
		hook       uint16
		event      string
		want       string
	}{
		{"V1", `010 1.0 L=APPL "USER EVENT - HKWD_USER1" O2.0 \n "The # of loop iterations =" U4 \n "The elapsed time of the last loop = "` + ` endtimer(0x010,0x010) starttimer(0x010,0x010)`,
			env32, 0x0100, "010A0000 00000001",
			"USER EVENT - HKWD_USER1\nThe # of loop iterations =1\nThe elapsed time of the last loop ="},
		{"V2", "500 1.0 L=KERN \"five\" $D1%D4 $D5%X4 $HD $HL $GENERIC $WORDSIZE HT", env32, 0x5000, v2,
			"five 1 00000005 0005 0014 0 4 000E"},
		{"V3", `020 1.0 @gen X4 A6 " " HB $HL $HD $GENERIC`, env32g, 0x0200, "02080006 00000001 68656C6C 6F000000",
			"00000001 hello 0006 0006 0006 1"},
		{"V4", "500 1.0 @w $HD HT $HL $HOOKENV $L5", env64, 0x5000,
			"8000002850000005 0000000000000001 0000000000000002 0000000000000003 0000000000000004 0000000000000005",
			"0005 8000 0028 64 0005"},
		{"V9", `F5F1 1.0 "USFS CONTROL" {{ fault(f) $f, 1 "TIMEOUT", \* "?" }} {{ op(o) $o, 1 "LOOKUP", \* $o }} \
	"fault type=" fault($D1) " errno=" $D2%E4 " channel=" $D3%D " opcode=" op($D4) " unique=" $D5%UW`,
			env64, 0xF5F1, "80000028F5F10007 0000000000000001 000000000000004E 0000000000000003 0000000000000001 000000000000002A",
			"USFS CONTROL fault type=TIMEOUT errno=ETIMEDOUT channel=3  opcode=LOOKUP unique=42"},
		{"V8", "500 1.0 @w X8 A6", env64g, 0x5000, "C000000650000005 0000000000000001 68656C6C6F00 0000",
			"0000000000000001 hello"},
		{"V11", "500 1.0 @w {{ $dog = 7 + 6 }} {{ $cat = $dog * 2 }} $dog $cat", env32, 0x5000, v2, "000D 001A"},
		{"V12", `900 1.0 "ESDI STRATEGY" {{ $stat = X2 }} {{ $rv }} $90F \
	"special_esdi_status=" $stat "for minor device " $rv
90F 1.0 @sub {{ $s }} {{ $return }} G4 "block number " X4 \n "byte count " X4 \n B0.1, 1 B_FLAG0 \
	B0.1, 1 B_FLAG1 \
	B0.1, 1 B_FLAG2 \n G16 {{ $return = X2 }}`,
			env32, 0x9000, "900E0003 00000010 00001000 A0000000 00070000 00000000",
			"ESDI STRATEGY block number 00000010\nbyte count 00001000\nB_FLAG0 B_FLAG2\nspecial_esdi_status=0003 for minor device 0007"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, outcome := show(t, c.text, c.env, c.hook, c.event)
			if got != c.want {
				t.Errorf("got  %q\nwant %q (%v)", got, c.want, outcome)
			}
		})
	}
}

const event32 = "500E0005 01020304 68656C6C 6F20776F 726C6400 FFFFFFFE"

func TestCodes(t *testing.T) {
	cases := []struct{ text, want string }{
		{`G8 A8.16 "|"`, "hello wo        |"},
		{`G8 A16.16 "|"`, "hello world     |"},
		{`G8 A16 "|"`, "hello world|"},
		{`A0.3 "|"`, "   |"},
		{`G4 X1 X0 X0 X1`, "01 020304"},
		{`G4 X3 X0`, "010203 04"},
		{`W5 D4 W5 U4 W5 o4`, "-2 4294967294 37777777776"},
		{`G4 B0.4 B1.4 X1`, "000000010000001003"}, // B: no blank after,
		{`G4 O1.0 X1 R2 X1`, "02 01"},
		{`W1 B0.3 R0 X1`, "00002"},
		{`$HD $D1 $D1%X4 $D1%D2 $D1%W8.15 $D1%B0.4`, "0005 1020304 01020304 772 0003 0100"},
		{`{{ $x = 4 }} LOOP $x {X0}`, "00050102"},
		{`G7 S1 "|"`, "hell|"},
		{`G4 X1, 1 one, 2 two`, "one"},
		{`G4 X1, 3 three, \* "other " X1`, "other 02"},
		{`G4 X1 & 0x0F, 1 { "a" X1 } X1`, "a02 03"},
		{`$HOOKENV, 32 "thirty-two", 64 "sixty-four"`, "thirty-two"},
		{`$HD, 5 five, 6 six`, "five"},
		{`G8 A5, "hello" greeting, \* nothing`, "greeting"},
		{`BITFLAGS $HD, 1 "ONE ", 2 "TWO ", 4 "FOUR ", & 6 4 "six"`, "ONE FOUR six"},
		{`BITFLAGS $HD, 2 "TWO" "notwo ", 0 "zero"`, "notwo"},
		{`{{ $x = 10 - 2 * 3 }} $x%D4 {{ $y = 7 / 0 }} $y`, "24 0000"},
		{`{{ $DATAPOINTER = 8 }} A5`, "hello"},
		{`{{ $BASEPOINTER = 4 }} G4 A5`, "hello"},
		{`$SVC $PID $EXECPATH`, "kread 4711 /usr/bin/ksh"},
		{`"a" $BREAK "b"`, "a"},
		{`"x=" fun($HD) {{ fun(v) $v, 5 "FIVE", \* "OTHER" }}`, "x=FIVE"},
		{"`n=$HD x`", "n=0005 x"},
		{`one two three`, "one two three"},
		{`"two" \n "lines" $RELLINENO`, "two\nlines2"},
		{`$nothing`, "0000"},
		// Reads between bytes, and in loops.
		{`G4 B0.4, 0 { "zero " B0.4, 1 one }`, "zero one"},
		{`G4 B1, 1 one`, "one"},
		{`G4 B0.8, 00000001 one`, "one"},
		{`G4 {{ $n = X1 }} LOOP $n { B0.3 } X1`, "00003"},
		{`G4 {{ $n = 2 }} LOOP $n { X1 B0.3 } "|" X1`, "01 00003 000|68"},
		{`G4 B0.3 HB B0.8`, "0000000 00000010"},
		{`W5 D4, -2 "minus two"`, "minus two"},
		{`W5 D4, 0xFFFFFFFE "minus two"`, "minus two"},
		{`W5 X4 & 0F, 14 no, E masked`, "masked"},
		{`G8 X12, 68656C6C6F20776F726C6400 "hello world"`, "hello world"},
		{`G5 F8, 2.0 "two", \* other`, "other"},
		// Arms that leave the pointer at different places.
		{`G4 X1, 1 X1, 2 X2 X1`, "02 03"},
		{`G5 X1, 1 X1, 2 X2, \* {} X1`, "0304 68"},
		{`$HD, 5 {{ $BASEPOINTER = 4 }}, \* {{ $BASEPOINTER = 8 }} G0 X1`, "01"},
		{`{{ $n = 2 }} G4 LOOP $n { X1 {{ $BASEPOINTER = $BASEPOINTER + 1 }} }`, "01 03"},
		{`G4 R9 R0 X2`, "500E"},
		{`G7 S1 R1 X1`, "hell6C"},
		{`G4 {{ $x = X1 + $DATAPOINTER }} $x G7 S1 {{ $y = $DATAPOINTER * 2 + X1 }} $y`, "0006 hell0087"},
		// Names of functions and macros.
		{`{{ f(a) {{ $a = $a + 1 }} g() $a $b }} {{ g() $a {{ $b = 7 }} }} f(1) $a $b`, "0000 0002 0007 0000 0007"},
		{`{{ $i = 0 }} {{ $n = 3 }} LOOP $n { {{ $i = $i + 1 }} $i%U }`, "1 2 3"},
		{`{{ $n = 40 }} {{ $c = 0 }} LOOP $n { LOOP $n { LOOP $n { {{ $c = $c + 1 }} } } } $c%U`, "64000"},
		// Errors end the template after their descriptor.
		{`"a" $HD, 5 { "b" $ERROR "c" } "d"`, "abc"},
		{`"a" $HD, 6 { "b" $ERROR "c" } "d"`, "ad"},
		{`$L1%X8`, "0102030468656C6C"},
		// Strings are printed exactly (aix.md 4.1 a). The text of a flag may be in back quotes.
		{`"a" "b\nc" $RELLINENO`, `ab\nc1`},
		{`"C:\temp\\ \"x\" 50\%"`, `C:\temp\\ "x" 50\%`},
		{"BITFLAGS $HD, 1 `ONE ` `none`, 2 `TWO` `notwo `, 4 \"FOUR \" `text`", "ONE notwo FOUR text"},
		// A trace id has the digits that it has in reports (aix.md 1). The offset is the offset of
		// the next data (3.4).
		{`$TRACEID $TRACEID%X4`, "7FF 000007FF"},
		{`$LOGIDX $LOGIDX0 G8 $LOGIDX X4 $LOGIDX $LOGIDX0 {{ $BASEPOINTER = 16 }} $LOGIDX`,
			"0052 0050 0058 68656C6C 005C 0050 006C"},
		{`setdelim() $HD $HL "x"`, "00050014x"},
		{`$undefined, 0 {{ $x = 2 }}, 1 setdelim() $x $x`, "0002 0002"},
	}
	for _, c := range cases {
		got, outcome := show(t, "500 1.0 @t "+c.text, env32, 0x5000, event32)
		if got != c.want {
			t.Errorf("%s\ngot  %q\nwant %q (%v)", c.text, got, c.want, outcome)
		}
	}
}

// TestShort: the output before the end of a short event is kept (aix.md 4.12).
func TestShort(t *testing.T) {
	got, outcome := show(t, `500 1.0 "label" O2.0 X4 "mid " X4 X4 "end"`, env32, 0x5000, "500E0005 01020304 0506")
	if want := "label 01020304 mid"; got != want || outcome.Reason != render.ExitShort {
		t.Errorf("%q, %v", got, outcome)
	}
}

// Every option changes something.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		opts               trcfmt.Options
		text, plain, other string
	}{
		{trcfmt.Options{NoLabelBlank: true}, `500 1.0 "L" X2`, "L 0005", "L0005"},
		{trcfmt.Options{HexMatches: true}, `500 1.0 @l $D1, 16909060 dec, 1020304 hex`, "dec", "hex"},
		{trcfmt.Options{ErrorAtOnce: true}, `500 1.0 @l $HD, 5 { "a" $ERROR "b" } "c"`, "ab", "a"},
		{trcfmt.Options{LongWords: true}, `500 1.0 @l $L1`, "102030468656C6C", "1020304"},
		{trcfmt.Options{MaxLoop: 3}, `500 1.0 @l LOOP $HD { "x" } "y"`, "xxxxxy", "xxx"},
	} {
		if got, _ := show(t, c.text, env32, 0x5000, event32); got != c.plain {
			t.Errorf("%s: got %q, want %q", c.text, got, c.plain)
		}
		if got, _ := showBy(t, c.opts, c.text, env32, 0x5000, event32); got != c.other {
			t.Errorf("%s by %+v: got %q, want %q", c.text, c.opts, got, c.other)
		}
	}
}

// The blank after a label is due until text follows (aix.md 4.17).
func TestLabelBlank(t *testing.T) {
	for text, want := range map[string]string{
		`"L" "x"`:                           "L x",
		`"L" " x"`:                          "L x",
		`"L " "x"`:                          "L  x",
		`"L" \n "x"`:                        "L\nx",
		`"L" X4`:                            "L 00050102",
		`"L" $HD, 5 "x", 6 " y" "z"`:        "L xz",
		`"L" $HD, 6 "x" "z"`:                "L z",
		`"L" $HD, 6 "x" " z"`:               "L z",
		`"L" $D1, 1 "x", 2 "", \* " y" "z"`: "L yz",
		`"L" $HD LOOP $HD { "x" }`:          "L 0005 xxxxx",
		`"L" LOOP $HD { "x" }`:              "L xxxxx",
		`"L" G23 A1 "x"`:                    "L x",
		`"L" G23 A1.2 "x"`:                  "L  x",
		`"L" $LOGFILE "x"`:                  "L /trace x",
		`"L" $BUFF, "" {} "x"`:              "L x",
		`"L" $501 "x"`:                      "L M x",
		`@L $501 "x"`:                       "M x",
	} {
		if got, _ := show(t, "500 1.0 "+text+"\n501 1.0 M {{ $x }}", env32, 0x5000,
			"500E0005 01020304 68656C6C 6F20776F 726C6400 FFFFFF00"); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", text, got, want)
		}
	}
}

func TestResolved(t *testing.T) {
	for text, want := range map[string]bool{
		`X4 X4 A8.16`:               true,
		`X1, 1 X2, 2 X2, \* X2`:     true,
		`X1, 1 X2, 2 X4`:            false,
		`S1 X4`:                     false,
		`LOOP $HD { "x" }`:          true,
		`LOOP $HD { X1 }`:           false,
		`$HOOKENV, 32 X4, 64 X8 X1`: true,
	} {
		r, _ := compile(t, "500 1.0 @t "+text)
		if got := r.Templates[0].Resolved; got != want {
			t.Errorf("%s: resolved %v", text, got)
		}
	}
}

// TestEscapes reads strings as other languages do, by an option.
func TestEscapes(t *testing.T) {
	const text = `500 1.0 "a\\tb" "x\ty\\n \"z\"" $HD%X1, 5 "\n" BITFLAGS $HD, 1 "o\\ne", 2 ` + "`q` `q\\t`"
	got, _ := showBy(t, trcfmt.Options{Escapes: true}, text, env32, 0x5000, event32)
	if want := "a\\tb x\ty\\n \"z\"\no\\neq\t"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
