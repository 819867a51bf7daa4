package trcfmt

import (
	"io"
	"strings"
	"testing"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// hostile are texts that break careless parsers.
var hostile = []string{
	"", "\n", "\\", "\\\n", "#", "*", "+", "-", "- ", "+ 900", "900", "900 1.0", "900 1.0 \\", "900 1.0 \"",
	"900 1.0 \"\\",
	"900 1.0 x \\\n# c\n", "900 1.0 x \\\n# c\ny", "900 1.0 x \\\n# c\n901 1.0 y", "900 \\\n# c\n1.0 \\\n# d\nx",
	"* /etc/trcfmt\n+ 900 1.0 x \\\n* c\ny\n- 901\n-902 z", "900 1.0 x \\ \n y", "900 1.0 x \\\n\ny",
	"900 1.0 x `", "900 1.0 x `\\", "900 1.0 x `a\\\nb`", "900 1.0 x `$a\\\nb X4\\X4 \\\"X4`", "900 1.0 x `$a%Db`",
	"900 1.0 x {{ $a = }}", "900 1.0 x {{ $a = 1", "900 1.0 x {{{ $a }}", "900 1.0 x LOOP X1 {{{ $a }}}",
	"900 1.0 x {{ f(a X4 }} f(1)", "900 1.0 x {{ f() }} f() f(", "900 1.0 x {{ f(a, b) {{ g() }} }}",
	"900 1.0 x X4,", "900 1.0 x X4, 1", "900 1.0 x X4, 1 a , 2 b", "900 1.0 x X4,1 X4,2 b",
	"900 1.0 x X4 & 7, \\* {a }",
	"900 1.0 x LOOP X1 {X4,1 a}", "900 1.0 x LOOP X1 {X4,1 a }", "900 1.0 x X4, 1 {{ $a }}, 2 LOOP X1 {a}",
	"900 1.0 x BITFLAGS X4, 1 \"a\" \"b\", & 1 2 \"c\", o7 d", "900 1.0 x BITFLAGS",
	"900 1.0 x BITFLAGS X4, \\\n# c\n 1 \"a\"",
	"900 1.0 x $", "900 1.0 x $$a $ $a% $a%Q $a%X17 $a%D. $a%DX4 $900 $900% $900%D $add {{ $add }}",
	"900 1.0 x $abc, 1 a", "900 1.0 x }} , , }", "900 1.0 x {", "900 1.0 x \\q \\* \\\" \\\\ \\` \\",
	"900 1.0 L=FOO x", "900 1.0 x L=SVC", "900 1 x", "900 1.0\tx X4\r\n901 1.0 y \\\r\n X4\r\n",
	"900 1.0 \xff\xfe \x00 X4\x00",
	"1B00F 1.0 x", "0105 1.0 x", "900 99999999999999999999.0 x", "900 1.0 x \"a\\\n#b\\\nc\" X4",
	"900 1.0 x {{ $a = 1 \\\n# c\n + 2 }}", "900 1.0 x X4 \\\n# c\n , 1 a \\\n# d\n, 2 b",
	"900 1.0 x o8 $a%o8 o10 F8 T4 P4 E4 SW HB HT HX",
	"900 1.0 x X4 & 123456789012345678901234, 1 b", "900 1.0 x X4 & 0xFFFFFFFFFFFFFFFF, 1 b",
}

func TestHostile(t *testing.T) {
	for _, src := range hostile {
		checkFile(t, src)
	}
}

// TestCut cuts and damages a file at every byte.
func TestCut(t *testing.T) {
	src := sample(t, "language.trcfmt")
	step := needs.Cases(t, 7, 1)
	for i := 0; i <= len(src); i += step {
		checkFile(t, src[:i])
		if i < len(src) && i%5 == 0 {
			for _, b := range []byte("\"`{},\\\n$%") {
				Parse("f", []byte(src[:i]+string(b)+src[i+1:]))
			}
		}
	}
}

// TestDeep nests far deeper than any real input.
func TestDeep(t *testing.T) {
	for _, part := range []string{"LOOP X1 {", "X4, 1 {", "X4, 1 X4, 1 ", "{{ f(a) ", "flih(", "X4, 1 LOOP X1 {",
		"1 + ", "{{{", "LOOP X1 {{{ f() "} {
		src := "900 1.0 x {{ flih() }} " + strings.Repeat(part, 20000)
		Parse("f", []byte(src))
		checkFile(t, "900 1.0 x "+strings.Repeat(part, MaxNesting/2))
	}
}

// TestManyErrors checks that errors and warnings are limited separately.
func TestManyErrors(t *testing.T) {
	src := "900 1.0 x" + strings.Repeat(" X17", MaxErrors+10) + "\n" + strings.Repeat("junk\n", MaxErrors+10)
	_, errs := Parse("f", []byte(src))
	if e := len(errs.Worst(diag.Error)); len(errs)-e != MaxErrors || e != MaxErrors {
		t.Errorf("%d warnings, %d errors", len(errs)-e, e)
	}
	_, errs = Parse("f", make([]byte, MaxFileBytes+1))
	if len(errs) != 1 || errs[0].Code != CodeLimit {
		t.Errorf("too large a file: %v", errs)
	}
}

// TestLong repeats input that makes naive parsers quadratic. A failure shows as a test that does
// not end.
func TestLong(t *testing.T) {
	for _, part := range []string{"1 a,", "X4,", "1 ,", "( ", "f(", "{", "`", "\\\n", "\\\n#c\n", "X17 ", "\\ ", "\"",
		"900 1.0 x \\\n# c\n"} {
		for _, head := range []string{"900 1.0 x ", "900 1.0 x X4, ", "900 1.0 x `", "900 1.0 x BITFLAGS X4, "} {
			file, _ := Parse("f", []byte(head+strings.Repeat(part, 1<<17/len(part))))
			if err := Format(io.Discard, file); err != nil {
				t.Error(err)
			}
		}
	}
}
