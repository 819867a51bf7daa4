package trcfmt

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// randomParts make stanzas with every construct when they are put together at random. Many results
// are wrong, and many are valid in unusual ways.
var randomParts = []string{
	"X4", "B0.1", "A0.8", "SW", "HB", "G4", "X17", "D3", "o4", "E8", "HT",
	"$a", "$add", "$90F", "$abc", "$a%D", "$a%W3.9", "$D1%X8", "$a%Q", "$", "%", "$a%S1",
	"word", "len=X4", "(", ")", "=", "#x", "f(", "f($a)", "f(X4, 1 + $a)", "flih()", "starttimer(1, $a)", "L=", "-",
	"&", "+ 1",
	`"text"`, `"a\n\"b\\"`, `""`, "`lit X4 $a, `", "`$a%D.`", "`\\` \\\\X4`", "`\\\"X4`",
	`\n`, `\t`, `\n`, `\*`, `\"`,
	"{", "}", "{", "}", ",", ",", ",", "1", "0x1F", "o17", "& 0x0F", "LOOP", "BITFLAGS", "LOOP X1 {", "LOOP $a {",
	"X4, 1", "$a, 1 {", "X4 & 7, 2", `BITFLAGS X4, 1 "a" "b"`, `BITFLAGS $a, & F0 10 "x",`, "1 one,", `2 "two",`,
	`\* {`,
	"{{ $x = X4 + $a * 2 }}", "{{ $y }}", "{{ $x =", "}}", "{{ f($a, b)", "{{ g()",
}

var randomGaps = []string{" ", " ", " ", " ", "", "", "\t", " \\\n", " \\\n  ", "\\\n# a \"comment\n"}

func randomStanza(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("900 1.0 label ")
	if r.IntN(2) == 0 {
		b.WriteString("{{ f(a) $a }} ")
	}
	for range r.IntN(20) {
		b.WriteString(randomParts[r.IntN(len(randomParts))])
		b.WriteString(randomGaps[r.IntN(len(randomGaps))])
	}
	return b.String()
}

// TestRandom writes and reads stanzas put together at random.
func TestRandom(t *testing.T) {
	n := needs.Cases(t, 2000, 10_000)
	r := rand.New(rand.NewPCG(1, 2))
	good := 0
	for range n {
		src := randomStanza(r)
		checkFile(t, src)
		if file, errs := Parse("f", []byte(src)); errs.Err() == nil {
			good++
			checkLayout(t, file)
			checkUnplaced(t, src, file)
		}
	}
	if good < n/20 {
		t.Errorf("only %d of %d stanzas without an error: nothing tested", good, n)
	}
}

// checkLayout checks the form of the output of Format.
func checkLayout(t *testing.T, file *File) {
	t.Helper()
	var out bytes.Buffer
	if err := Format(&out, file); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		if line != strings.TrimRight(line, blanks) || line == "" || line == `\` {
			t.Errorf("line %q in\n%s", line, out.String())
		}
	}
}

// checkUnplaced writes a tree without positions, like a tree made by a program.
func checkUnplaced(t *testing.T, src string, file *File) {
	t.Helper()
	clearPlaces(reflect.ValueOf(file))
	var out bytes.Buffer
	if err := Format(&out, file); err != nil {
		t.Fatal(err)
	}
	again, errs := Parse("f", out.Bytes())
	if errs.Err() != nil {
		t.Fatalf("%q was written as %q: %v", src, out.String(), errs)
	}
	if d := diffFiles(t, file, again); d != "" {
		t.Fatalf("%q was written as %q: %s", src, out.String(), d)
	}
}

func clearPlaces(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			clearPlaces(v.Elem())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[lexer.Position]() {
			v.SetZero()
			return
		}
		for i := range v.NumField() {
			clearPlaces(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			clearPlaces(v.Index(i))
		}
	}
}
