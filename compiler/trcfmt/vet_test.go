package trcfmt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// vet lists place, severity and code.
func vet(t *testing.T, opts trcfmt.Options, text string) string {
	t.Helper()
	f, errs := grammar.Parse("test.trcfmt", []byte(text))
	if err := errs.Err(); err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	var out []string
	for _, d := range trcfmt.Vet(opts, f) {
		out = append(out, fmt.Sprintf("%d:%d %s %s", d.Pos.Line, d.Pos.Column, d.Severity, d.Code))
	}
	return strings.Join(out, "\n")
}

func TestVet(t *testing.T) {
	macros := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " {{ $m%d = %d }} $m%d", i, i, i)
		}
		return b.String()
	}
	deep := ""
	for i := range 12 {
		deep += fmt.Sprintf("%03X 1.0 x $%03X\n", 0x500+i, 0x501+i)
	}
	for _, c := range []struct{ text, want string }{
		{`500 1.0 "fine" X4 {{ $n = X1 }} LOOP $n { "v=" X1 } $HD, 1 one, 2 two`, ""},
		{`500 1.0 x $nothing $nothing`, "1:11 warning undefined-macro"},
		{`500 1.0 x {{ $n = X1 }}`, "1:11 warning unused-macro"},
		{`500 1.0 x {{ $HD = 1 }} $HD`, "1:11 warning reserved-macro"},
		{`500 1.0 x {{ $DATAPOINTER = 8 }} X1`, ""},
		{`500 1.0 x $501`, "1:11 warning unknown-template"},
		{`500 1.0 x $500`, "1:11 error recursion"},
		{"500 1.0 x $501\n501 1.0 y $502\n502 1.0 z $501", "2:11 error recursion\n3:11 error recursion"},
		{`500 1.0 x {{ f(a) $a f($a) }} f(1)`, "1:22 error recursion"},
		{deep, "11:11 error too-deep\n12:11 warning unknown-template"},
		{"500 1.0 x\n500 1.1 y", "1:1 warning duplicate-hook"},
		{"500 1.0 x {{ f(a) $a }} f(1)\n501 1.0 x {{ f(a, a) $a }}",
			"1:25 warning arguments\n2:11 warning duplicate-name\n2:11 warning duplicate-name"},
		{`500 1.0 x {{ f(a) $a }}`, "1:11 note unused-function"},
		{`500 1.0 x {{ f(a) $a }} f() f(1, 2) f(1)`, "1:25 warning arguments\n1:29 warning arguments"},
		{"500 1.0 x {{ f() $n {{ $m = 1 }} }}\n501 1.0 x {{ $n = X1 }} f() $m", ""},
		{`500 1.0 x {{ $n = A4 }} $n`, "1:19 warning text-value"},
		{`500 1.0 x LOOP A4 { X1 } BITFLAGS S1, 1 "x" A2 & 1, 1 y`,
			"1:11 warning text-value\n1:26 warning text-value\n1:45 warning text-value"},
		{`500 1.0 x X1, zz never, 1 one`, "1:15 warning match"},
		{`500 1.0 x X1, 1 one, \* all, 2 two`, "1:30 warning unreachable"},
		{`500 1.0 x X1, 1 one, 0x1 again, 2 two`, "1:22 warning unreachable"},
		{`500 1.0 x A4, ab one, "ab" again`, "1:23 warning unreachable"},
		{`500 1.0 x $HD, 1 { $BREAK "never" } $STOP X1`, "1:27 warning unreachable\n1:43 warning unreachable"},
		{`500 1.0 x $HD, 10 ten, 0x20 more`, "1:16 warning base"},
		{`500 1.0 x $HD, 10 ten, AB more`, "1:16 warning base"},
		{`500 1.0 x $HD, 1 one, 0x20 more $HD%U, 10 ten $HOOKENV, 32 yes X1, 10 sixteen`, ""},
		{`500 1.0 x HT & 0x07, 2 two X1 & 0F, 1 one X1 & 10, 1 one`, "1:33 warning base\n1:48 warning base"},
		{`500 1.0 x {{ $n = 1 + X1 * 2 }} $n`, "1:26 warning precedence"},
		{`500 1.0 x {{ $n = X1 * 2 + 1 - X1 & 3 }} $n`, ""},
		{`500 1.0 x {{ $n = X1 & 3 + 1 }} $n`, "1:26 warning precedence"},
		{`500 1.0 x {{ $n = X1 / 0 }} $n`, "1:22 warning division-by-zero"},
		{`500 1.0 x $HD, 1 one, \* $DEFAULT`, "1:26 note no-default"},
		{"008 1.0 x X1\n500 1.0 x $DEFAULT", ""},
		{"500 1.0 x" + macros(trcfmt.MaxMacros), ""},
		{"500 1.0 x" + macros(300), "1:1 error too-many-macros"},
		{`500 1.0 x $HOOKENV, 32 { X1, zz a }, 64 { X1, yy b }`, "1:30 warning match\n1:47 warning match"},
	} {
		if d := cmp.Diff(c.want, vet(t, trcfmt.Options{}, c.text)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, d)
		}
	}
	if d := cmp.Diff("1:16 warning base", vet(t, trcfmt.Options{HexMatches: true}, `500 1.0 x $HD, 10 ten`)); d != "" {
		t.Error(d)
	}
}
