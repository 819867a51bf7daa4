package trcfmt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// maxOutput bounds the output of one event: the part outside loops, and the budget of loops.
const maxOutput = 64 << 20

// survive compiles the valid parts of text and renders data, all bytes 0xff, in all environments.
// It returns the codes of the messages of Compile.
func survive(t testing.TB, text string, data []byte) string {
	t.Helper()
	f, _ := grammar.Parse("hostile.trcfmt", []byte(text))
	r, list := trcfmt.Compile("hostile.trcfmt", trcfmt.Options{}, f)
	trcfmt.Vet(trcfmt.Options{}, f)
	for _, hook64 := range []bool{false, true} {
		if err := ir.Check(r.Unit(hook64)); err != nil {
			t.Fatalf("%v", err)
		}
	}
	for _, tmpl := range r.Templates {
		for i, env := range trcfmt.Envs {
			p, err := interp.Compile(tmpl.Events[i], env.Target())
			if err != nil {
				t.Fatal(err)
			}
			m := interp.NewMachine(irtest.Env(true, env.Target().WordSize))
			if out := m.AppendText(nil, p, data); len(out) > maxOutput {
				t.Fatalf("%d bytes of text", len(out))
			}
		}
	}
	var codes []string
	for _, d := range list {
		codes = append(codes, d.Code)
	}
	return strings.Join(codes, " ")
}

func TestHostile(t *testing.T) {
	nested := func(open, body, end string, n int) string {
		return strings.Repeat(open, n) + body + strings.Repeat(end, n)
	}
	// Each of ten levels calls the next one a hundred times.
	calls, functions := "", "500 1.0 x"
	for i := range 10 {
		calls += fmt.Sprintf("%03X 1.0 x %s\n", 0x500+i, strings.Repeat(fmt.Sprintf("$%03X ", 0x501+i), 100))
		functions += fmt.Sprintf(" \\\n {{ f%d() %s }}", i, strings.Repeat(fmt.Sprintf("f%d() ", i+1), 100))
	}
	calls += "50A 1.0 x X4\n"
	many := func(n int, part string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, part, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, text, want string }{
		{"subroutines", calls, "too-complex"},
		{"functions", functions + " f10() {{ f10() X4 }} f0()", "too-complex"},
		{"early exit", "500 1.0 x " + strings.Repeat("$501 ", 20000) + "\n501 1.0 y $HD, 1 a $BREAK " +
			strings.Repeat("X1 ", 20000), ""},
		{"nested switches", "500 1.0 x " + nested(`X1, 1 { `, "X4", " }, 2 { X2 }", 90), ""},
		{"nested loops", "500 1.0 x " + nested(`LOOP $D1 { `, `"text"`, " }", 90), ""},
		{"nested loops of subroutines", many(9, "50%d 1.0 x LOOP $D1 { $500 }\n") + "509 1.0 x $501", "recursion"},
		{"long loops", "500 1.0 x " + strings.Repeat(`LOOP $D1 { "0123456789012345678901234567890123456789" A0.9999 } `,
			50), ""},
		{"blanks", "500 1.0 x " + strings.Repeat("A0.9999 ", 20000), "too-complex"},
		{"sizes", "500 1.0 x A9999.9999 O9999.9999 G9999.9999 B9999.9999 W9999 R9999 X1 S8 $D1%S1", ""},
		{"pointers", "500 1.0 x {{ $DATAPOINTER = $D1 * $D1 }} {{ $BASEPOINTER = $D1 }} X1 B1 S8 A4 {{ $DATAPOINTER = 0 - 1 }} LOOP $D1 { R1 O9999 }", ""},
		{"long expression", "500 1.0 x {{ $x = $D1" + strings.Repeat(" + $D1 * X1", needs.Cases(t, 1000, 5000)) +
			" }} $x", ""},
		{"squares", "500 1.0 x {{ $x = X4 }} " + strings.Repeat("{{ $x = $x + $x * $x }} ", 3000) + "$x", ""},
		{"texts", "500 1.0 x A4" + many(5000, `, "%d" { X1 }`), ""},
		{"numbers", "500 1.0 x X4" + many(5000, `, %d { X1 }`), ""},
		{"arms that differ", "500 1.0 x " + many(300, "X1, %d X1, 2 X2 S1 "), ""},
		{"macros", "500 1.0 x" + many(5000, " {{ $m%d = X1 }}"), ""},
		{"templates", many(needs.Cases(t, 10, 100), "%03d 1.0 x X4 S1 $DEFAULT\n") + "008 1.0 x " +
			strings.Repeat("X1 ", needs.Cases(t, 1000, 3000)), ""},
		{"the same template", strings.Repeat("500 1.0 x X4\n", 20000), ""},
		{"same template calls", "500 1.0 x $501 $501\n501 1.0 x $502 $502\n502 1.0 x $500", "recursion"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := []byte(strings.Repeat("\xff", 5000))
			if got := survive(t, c.text, data); !strings.Contains(got, c.want) {
				t.Errorf("%.60s: %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// FuzzCompile compiles every input that parses, and renders it.
func FuzzCompile(f *testing.F) {
	f.Add(`500 1.0 "x" X4, 1 { S1 B0.3 }, \* $501`+"\n501 1.0 y LOOP $D1 {X1 $ERROR} {{ $x = X4 / 0 & 3 }} $x%S1",
		[]byte("P\x0a\x00\x01abcdefgh\x00\x05hello"))
	f.Add(`500 1.0 "x" {{ f(a) BITFLAGS $a, 1 "x" "y", & 3 2 "z" }} f(X16) `+
		"`$HD X1` $D1%W3.5 A8.16 starttimer(1,2) endtimer(1,2)", []byte("P\x08\x00\x08abcdefghijkl"))
	f.Add(`500 1.0 "" {{ $BASEPOINTER = X1 }} {{ $DATAPOINTER = $DATAPOINTER + X1 }} R2 G1.3 O0.5 D2, -1 $DEFAULT F8 T4 E4 P4 HT & 0x07, 2 HB`, []byte("P\x0a\x00\x01\x01\x02\x03"))
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		if len(text) < 4096 && len(data) < 5000 {
			survive(t, text, data)
		}
	})
}
