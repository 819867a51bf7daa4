package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Names with newlines do not break messages into lines: each begins with tracec: or is indented.
func TestNamesWithNewlines(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("no such names on Windows")
	}
	shop, err := filepath.Abs("../../testdata/aix/shop64.trc")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"a\nb.junk": "junk", "a\nb.trcfmt": "010 1.0 \"x\n", "a\nb.dat": "\x17\x08\x44tracing6\x00", "a\n": "junk",
		"u\nv.trc": "nothing",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a\nb.trc", "c\nd.trc"} {
		trace, err := os.ReadFile(shop)
		if err == nil && os.MkdirAll("set", 0o777) == nil {
			err = os.WriteFile("set/"+name, trace, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	full, err := filepath.Abs("a\nb.none")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{`a\nb.none: no such file`, []string{"info", "a\nb.none"}},
		{`/a\nb.none: no such file`, []string{"info", full}},
		{`a\nb.junk: not a recording`, []string{"report", "./a\nb.junk"}},
		{`a\n: not a recording`, []string{"report", "a\n"}},
		{`a\nb.dat: `, []string{"report", "a\nb.dat"}},
		{`a\nb.trcfmt:1:`, []string{"vet", "a\nb.trcfmt"}},
		{`a\nb.trcfmt:1:`, []string{"gen", "--pkg", "p", "-o", "x.go", "a\nb.trcfmt"}},
		{`x\ny.none: no such file`, []string{"vet", "x\ny.none"}},
		{`u\nv.trc:1:1: `, []string{"trcupdate", "-t", "a\nb.trcfmt", "u\nv"}},
		{`2 recordings: a\nb.trc, c\nd.trc; name one`, []string{"info", "set"}},
		{`not 2: a\nb.junk a\nb.dat`, []string{"report", "a\nb.junk", "a\nb.dat"}},
	} {
		_, out, errs := tracec(nil, c.args...)
		if !strings.Contains(out+errs, c.want) {
			t.Errorf("%q: %q", c.args, out+errs)
		}
		for line := range strings.Lines(errs) {
			if !strings.HasPrefix(line, "tracec: ") && !strings.HasPrefix(line, "  ") &&
				!strings.HasPrefix(line, `a\nb.trcfmt:`) {
				t.Errorf("%q: a line of its own: %q", c.args, line)
			}
		}
	}
}
