package trcfmt

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// randomParts make stanzas of every construct when put together at random; many results are wrong, and many are
// right in ways that nobody would write.
var randomParts = []string{
	"X4", "B0.1", "A0.8", "SW", "HB", "G4", "X17", "D3", "o4", "E8", "HT",
	"$a", "$add", "$90F", "$abc", "$a%D", "$a%W3.9", "$D1%X8", "$a%Q", "$", "%", "$a%S1",
	"word", "len=X4", "(", ")", "=", "#x", "f(", "f($a)", "f(X4, 1 + $a)", "flih()", "starttimer(1, $a)", "L=", "-", "&", "+ 1",
	`"text"`, `"a\n\"b\\"`, `""`, "`lit X4 $a, `", "`$a%D.`", "`\\` \\\\X4`", "`\\\"X4`",
	`\n`, `\t`, `\n`, `\*`, `\"`,
	"{", "}", "{", "}", ",", ",", ",", "1", "0x1F", "o17", "& 0x0F", "LOOP", "BITFLAGS", "LOOP X1 {", "LOOP $a {",
	"X4, 1", "$a, 1 {", "X4 & 7, 2", `BITFLAGS X4, 1 "a" "b"`, `BITFLAGS $a, & F0 10 "x",`, "1 one,", `2 "two",`, `\* {`,
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
	n := 30000
	if testing.Short() {
		n = 3000
	}
	r := rand.New(rand.NewPCG(1, 2))
	good := 0
	for range n {
		src := randomStanza(r)
		checkFile(t, src)
		if file, errs := Parse("f", []byte(src)); errs.Err() == nil {
			good++
			checkLayout(t, file)
		}
	}
	if good < n/20 {
		t.Errorf("only %d of %d stanzas without an error: nothing tested", good, n)
	}
}

// checkLayout looks at the shape of the text that Format makes.
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
