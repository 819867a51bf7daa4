package page

import (
	"go/format"
	"strings"
	"testing"
	"time"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "var x = 1 // short\n", "var x = 1 // short\n"},
		{"a comment", "// " + strings.Repeat("word ", 30) + "\n// end.\nvar x = 1\n",
			"// " + strings.TrimSpace(strings.Repeat("word ", 19)) + "\n// " + strings.Repeat("word ", 11) +
				"end.\nvar x = 1\n"},
		{"after the last comma of the outermost call",
			"func f() {\n\ta := g(" + strings.Repeat("h(x, y), ", 15) + "z)\n}\n",
			"func f() {\n\ta := g(" + strings.TrimSpace(strings.Repeat("h(x, y), ", 12)) + "\n\t\t" +
				strings.Repeat("h(x, y), ", 3) + "z)\n}\n"},
		{"within a string, not within an escape", "func f() {\n\tdst = append(dst, \"" + strings.Repeat(`\x00`, 30) +
			"\"...)\n}\n",
			"func f() {\n\tdst = append(dst,\n\t\t\"" + strings.Repeat(`\x00`, 27) + "\"+\n\t\t\t\"" +
				strings.Repeat(`\x00`, 3) + "\"...)\n}\n"},
		{"a function of one line", "func f() { g(" + strings.Repeat("h(x, y), ", 15) + "z) }\n",
			"func f() {\n\tg(" + strings.TrimSpace(strings.Repeat("h(x, y), ", 12)) + "\n\t\t" +
				strings.Repeat("h(x, y), ", 3) + "z)\n}\n"},
		{"a comment at the end", "type T struct {\n\tLongName uint64 // " + strings.Repeat("words ", 20) + "\n}\n",
			"type T struct {\n\t// " + strings.TrimSpace(strings.Repeat("words ", 15)) + "\n\t// " +
				strings.TrimSpace(strings.Repeat("words ", 5)) + "\n\tLongName uint64\n}\n"},
		{"a string that has no room", "func f() {\n" + strings.Repeat("\t", 30) + "g(\"" + strings.Repeat("x", 20) +
			"\")\n}\n",
			"func f() {\n\tg(\"" + strings.Repeat("x", 20) + "\")\n}\n"},
	} {
		got, err := wrap([]byte(c.in))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

// The rows of a table are formatted as if gofmt had formatted the whole table.
func TestWrapRows(t *testing.T) {
	long := strings.Repeat("word ", 30)
	for _, text := range []string{
		"var t = []T{\n\t{A: 1},\n\t{A: \"" + long + "\", B: 2},\n\t{Name: 3, Bs: []B{\n\t\t{C: 1, D: true},\n\t\t{C: \"" +
			long + "\", D: 2},\n\t}},\n\t{A: 4},\n}\n\n",
		"// " + long + "\nvar t = []T{\n\t{A: \"" + long + "\"},\n}\n",
		"var t = []T{\n\t{A: \"" + long + "\"}, // a comment\n\t{A: 1},\n}\n",
		"func f() {\n\t{\n\t\tg(\"" + long + "\")\n\t}\n\t{\n\t}\n}\n",
	} {
		want, err := wrapPart([]byte(text))
		got, failed := wrap([]byte(text))
		if err != nil || failed != nil || string(got) != string(want) {
			t.Errorf("%v, %v:\n%s\nwant\n%s", err, failed, got, want)
		}
	}
	if _, rows, _ := cutTable([]byte("var t = []T{\n\t{A: 1},\n\t{B: []C{\n\t\t{2},\n\t}},\n}\n")); len(rows) != 2 {
		t.Errorf("rows %q", rows)
	}
}

// Text that stays unformatted after its lines were broken looks as gofmt leaves it.
func TestWrapIsFormatted(t *testing.T) {
	args, sum := strings.Repeat("g(x, y), ", 20), strings.Repeat("a + g(x) | ", 16)
	for _, text := range []string{
		"func f() {\n\tx := f(" + args + "z)\n}\n", "func f() int {\n\treturn " + sum + "z\n}\n",
		"func f() {\n\tx = T{a: 1, b: f(" + args + "z)}\n}\n", "func f() {\n\tf(" + args + "f(" + args + "z))\n}\n",
		"func f() {\n\tif x || " + strings.ReplaceAll(sum, "|", "||") + "y {\n\t\tx = 1\n\t}\n}\n",
		"func f() {\n\tswitch x {\n\tcase " + strings.Repeat("1, ", 50) + "2:\n\t\tx = 1\n\t}\n}\n",
		"func f() {\n\tx(func() {\n\t\ty = f(" + args + "z)\n\t})\n\n\tz = f(" + args + "z)\n}\n",
		"func f() {\n\tx(a,\n\t\tb, " + args + "z)\n}\n", "func f() {\n\tx = 1 +\n\t\tb + " + sum + "z\n}\n",
		"var (\n\ta  = 1\n\tbb = f(" + args + "z)\n)\n",
		"func f() {\n\tx = 1      // one\n\ty = f(z) // " + args + "\n}\n",
		"var t = []T{\n\t{A: 1, B: " + sum + "2, C: []C{\n\t\t{1},\n\t\t{D: []D{\n\t\t\t{2},\n\t\t}},\n\t}},\n}\n",
		"var t = []T{\n\t{A: f(" + args + "2), C: []C{\n\t\t{1},\n\t}},\n}\n",
		"var t = []T{\n\t{A: 1, Bcd: \"" + strings.Repeat("word ", 30) + "\", C: []C{\n\t\t{1},\n\t}},\n}\n",
	} {
		before, err := format.Source([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := wrap(before)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := format.Source(got); err != nil || string(got) != string(want) {
			t.Errorf("%v:\n%s\nwant\n%s", err, got, want)
		}
	}
}

// A literal of eight times the length must not take 64 times as long.
func TestWrapIsLinear(t *testing.T) {
	took := func(n int) time.Duration {
		text := []byte("func f() {\n\tdst = append(dst, \"" + strings.Repeat("word ", n) + "\"...)\n\treturn g(" +
			strings.Repeat("h(x, y), ", n) + "z)\n}\n")
		least := time.Duration(1 << 62)
		for range 3 {
			start := time.Now()
			if _, err := wrap(text); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	small, large := took(5_000), took(40_000)
	if large > 40*small { // 8 times as much: quadratic time would be 64 times as long
		t.Errorf("%v for 40,000 words, %v for 5,000", large, small)
	}
	t.Log(small, large)
}
