package ftrace

import (
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/grammar/diag"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestLongRepeats parses 64 KB of every construct that nests, chains or looks ahead. With more than
// linear time the test does not end. With unbounded depth the stack overflows.
func TestLongRepeats(t *testing.T) {
	size := needs.Cases(t, 1<<14, 1<<16)
	for _, unit := range []string{
		"(", "[", "{", "({", "({ ", "f(", "a[", "{{", "(u8)", "(u8 *", "(a ** ", "(struct x)", "(struct {", "(int[",
		"(typeof(", "typeof(",
		"sizeof ", "sizeof(", "sizeof(struct {", "-", "- ", "!", "~", "*", "&", "& ", "++", "--", "a?", "a?b:", "a?:",
		"a+", "a-", "a,", "a=", "a||",
		"a->b", "->b", ".b", "a[0]", "a(", "(a)", "(a)(", "a ", "a(b)", "1", "0x", "'a'", "'", "''", `"`, `""`, `"a" `,
		`"a"b`, `"a"b", `,
		`\`, `\"`, `"\`, "/*", "/* */", "/", "_Generic(", "_Generic(a, int: ", "({ if (a) ", "({ for (;;) ", "({ do ",
		"({ switch (a) {",
		"({ case 1: ", "({ int a, ", "({ u8 *a; ", "({ a * b; ", "({ ; ", "({ __attribute__((",
		"({ int a __attribute__((x)) ",
		"__attribute__((", "(int (*", "(int (*)(", "\x00", "\n", " ", "\xff", "é", "{ .a = ", "f({[1] = ", "...", ";",
		"#", "__extension__ ",
	} {
		body := strings.Repeat(unit, size/len(unit))
		for _, head := range []string{"", `"%d", `, `"`, "({ a; ", "f(a, {"} {
			_, _ = ParseExpr(head + body)
			_, _ = ParsePrint(head + body)
		}
	}
}

// TestLongFiles does the same for the lines of a file.
func TestLongFiles(t *testing.T) {
	const size = 2 << 20
	for _, unit := range []string{
		"name: x\n", "ID: 1\n", "format:\n", "\tfield:", "\tfield:\n", "\tfield:int a;\toffset:0;\tsize:0;\n",
		"print fmt: ", "print fmt: \n",
		"\n", "\r", "\t", "x\n", "field:a[", "field:a]", "[]", ";", "; ", ";\toffset:", "(*", ")", "\x00", "a", "a.",
		":1",
	} {
		body := strings.Repeat(unit, size/len(unit))
		for _, head := range []string{"", "name: x\nID: 1\nformat:\n", "\tfield:int x",
			"\tfield:int x;\toffset:0;\tsize:"} {
			f, errs := Parse("f", head+body)
			if f == nil || len(errs) > MaxErrors {
				t.Errorf("%q: file %v, %d errors", head+unit, f, len(errs))
			}
		}
	}
}

// TestLimits pins the limits of the package: one below passes, one above is rejected by name.
func TestLimits(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("(", n) + "x" + strings.Repeat(")", n) }
	chain := func(n int) string { return "x" + strings.Repeat("+x", n) }
	for _, tt := range []struct {
		name, src string
		refused   bool
	}{
		{"nesting below", nested(MaxNesting - 1), false},
		{"nesting above", nested(MaxNesting), true},
		{"prefix above", strings.Repeat("!", MaxNesting+1) + "x", true},
		{"height below", chain(MaxHeight - 1), false},
		{"height above", chain(MaxHeight), true},
		{"members above", "x" + strings.Repeat(".x", MaxHeight), true},
		{"tokens below", "f(" + strings.Repeat("x,", MaxTokens/2-10) + "x)", false},
		{"tokens above", "f(" + strings.Repeat("x,", MaxTokens/2) + "x)", true},
		{"size above", "x" + strings.Repeat(" ", MaxFileBytes), true},
	} {
		x, err := ParseExpr(tt.src)
		var e diag.Diagnostic
		switch {
		case !tt.refused && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.refused && (!errors.As(err, &e) || e.Code != CodeLimit):
			t.Errorf("%s: got %v, want %s", tt.name, err, CodeLimit)
		case tt.refused && x != nil:
			t.Errorf("%s: a tree beside the error", tt.name)
		}
	}
	f, errs := Parse("f", strings.Repeat("\n", MaxFileBytes+1))
	if len(errs) != 1 || errs[0].Code != CodeLimit || f == nil {
		t.Errorf("large file: %v", errs)
	}
	f, errs = Parse("f", strings.Repeat("x\n", MaxLines+1))
	if len(errs) != 1 || errs[0].Code != CodeLimit || errs[0].Pos.Line != MaxLines+1 || f == nil {
		t.Errorf("long file: %v", errs)
	}
	f, errs = Parse("f", "name: x\nID: 1\nformat:\n"+strings.Repeat("\tfield:x\n", 2*MaxErrors)+"print fmt: \"\"\n")
	if len(errs) != MaxErrors || f.Print == nil {
		t.Errorf("many faults: %d errors, print %v", len(errs), f.Print)
	}
}

// TestHostileNames checks that names are passed on unchanged and without interpretation.
func TestHostileNames(t *testing.T) {
	for _, name := range []string{`a"b`, "*/ evil", "func", "a\x00b", "`x`", "a//b", "日本", "a b", "\\n", "name: x"} {
		src := "name: " + name + "\nID: 7\nformat:\n" +
			"\tfield:int type;\toffset:0;\tsize:4;\tsigned:1;\n" +
			"\tfield:int type;\toffset:0;\tsize:4;\tsigned:1;\n" +
			"\tfield:x*/y z;\toffset:4;\tsize:4;\tsigned:1;\n" +
			"\nprint fmt: \"*/ \\\" \x00 ` // %d\", REC->type\n"
		f, errs := Parse("f", src)
		if len(errs) > 0 {
			t.Errorf("%q: %v", name, errs)
			continue
		}
		if f.Name != name || len(f.Fields) != 3 {
			t.Errorf("name %q, %d fields; want %q, 3", f.Name, len(f.Fields), name)
		}
		if want := "*/ \" \x00 ` // %d"; f.Print.Format != want {
			t.Errorf("%q: format %q, want %q", name, f.Print.Format, want)
		}
		back, err := ParsePrint(FormatPrint(f.Print))
		if err != nil {
			t.Errorf("%q: %v", name, err)
		} else if d := cmp.Diff(f.Print, back, samePlaces); d != "" {
			t.Error(d)
		}
	}
}

// TestTruncation cuts a file with every construct at every byte.
func TestTruncation(t *testing.T) {
	src := irqFormat[:strings.Index(irqFormat, "print fmt:")] +
		`print fmt: "a="%s" \n", ({ static const struct x s[] = { { 1, "A" }, [2 ... 3] = { .a = 'b' } }; ` +
		`for (int i = 0; i < 3; i++) { if (i) break; else f(s, i); } switch (x) { case 1: y; default: z; } do ; while (0); ` +
		`_Static_assert(1, "m"); REC->a; }) ? (u8)-1 : sizeof(struct { int a:3; }), _Generic(x, int: 1), (struct y){ 1 }.z` + "\n"
	if _, errs := Parse("f", src); len(errs) > 0 {
		t.Fatal(errs)
	}
	for n := range src {
		f, errs := Parse("f", src[:n])
		if f == nil {
			t.Fatalf("no file for %d bytes", n)
		}
		for _, e := range errs {
			if e.Pos.Offset < 0 || e.Pos.Offset > n {
				t.Errorf("cut at %d: error at %d", n, e.Pos.Offset)
			}
		}
	}
}

// TestScanAllocs checks that the tokens of a print fmt need no memory once the array has grown.
func TestScanAllocs(t *testing.T) {
	src := `"irq=%d name=%s", REC->irq, (u8)__get_str(name)[3] << 0x10UL >= 'a' ? "b" "c" : "d="e""`
	var s scanner
	start := lexer.Position{Line: 1, Column: 1}
	s.scan(src, start, true)
	if n := testing.AllocsPerRun(100, func() { s.scan(src, start, true) }); n != 0 {
		t.Errorf("%v allocations per print fmt, want none", n)
	}
}
