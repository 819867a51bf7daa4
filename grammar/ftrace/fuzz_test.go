package ftrace

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/grammar/diag"
)

// FuzzParse checks that a file is always returned and that every error lies inside the source. A
// parsed print must survive printing and parsing.
func FuzzParse(f *testing.F) {
	f.Add([]byte(irqFormat))
	for _, src := range committedFormats(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		file, errs := Parse("f", src)
		if file == nil {
			t.Fatal("no file")
		}
		for _, e := range errs {
			if e.Pos.Offset < 0 || e.Pos.Offset > len(src) || e.Pos.Line < 1 || e.Pos.Column < 1 {
				t.Fatalf("%v: offset %d in %d bytes", e, e.Pos.Offset, len(src))
			}
		}
		for _, fd := range file.Fields {
			if fd.Name == "" || fd.Type == "" || fd.Offset < 0 || fd.Size < 0 {
				t.Fatalf("field %+v", fd)
			}
		}
		if file.Print == nil {
			return
		}
		text := FormatPrint(file.Print)
		back, err := ParsePrint(text)
		if err != nil {
			t.Fatalf("%q does not parse: %v", text, err)
		}
		if d := cmp.Diff(file.Print, back, samePlaces); d != "" {
			t.Fatalf("%q is another tree: %s", text, d)
		}
	})
}

// FuzzExpr checks that there is either an error or a tree, and that the tree survives Format.
func FuzzExpr(f *testing.F) {
	for _, src := range []string{
		"a ? b : c = d, e", "(u8)-1 << 2 >= 'x'", `f("a" "b", { 1, "c" }, { .x = [2] })`, "- -x++->y.z[1]",
		"({ static const struct x s[] = { { 1 } }; for (int i = 0, *p; i; i++) { if (a) b; else c; } switch (x) { case 1 ... 2: y; default: z; } })",
		"sizeof(struct { int a:3, *b; _Static_assert(1, \"m\"); })", "(const foo)-1", "__get_str(int)",
		"(foo){ [1 ... 2] = 3 }",
		"_Generic(x, int: 1, default: 2)", "(typeof(int (*)(void)))x", "__builtin_types_compatible_p(u8, foo *)",
		`"a="b""`, "({ u8 *a; foo * b = c; (x * y) = z; })",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		x, err := ParseExpr(src)
		if err != nil {
			var e diag.Diagnostic
			if x != nil || !errors.As(err, &e) || e.Pos.Offset > len(src) {
				t.Fatalf("tree %v beside error %v", x, err)
			}
			return
		}
		text := Format(x)
		back, err := ParseExpr(text)
		if err != nil {
			t.Fatalf("%q printed as %q, which does not parse: %v", src, text, err)
		}
		if d := cmp.Diff(x, back, samePlaces); d != "" {
			t.Fatalf("%q printed as %q, which is another tree: %s", src, text, d)
		}
	})
}
