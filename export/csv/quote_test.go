package csv

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tracec/tracec/export/columns"
)

// TestAppendText: the cells of texts, and the texts that encoding/csv reads from them.
func TestAppendText(t *testing.T) {
	for _, c := range []struct{ text, want, read string }{
		{"", `""`, ""},
		{"bash", "bash", "bash"},
		{" a b ", " a b ", " a b "},
		{"a,b", `"a,b"`, "a,b"},
		{`say "hi"`, `"say ""hi"""`, `say "hi"`},
		{"a\nb\rc", "\"a\nb\rc\"", "a\nb\rc"},
		{`C:\x`, `C:\x`, `C:\x`},
		{"gr\u00f6\u00df", "gr\u00f6\u00df", "gr\u00f6\u00df"},
		{"\xff\"", `"\xff"""`, `\xff"`},
		{"\x00,\x00\"", `"\x00,\x00"""`, `\x00,\x00"`},
		{`\x00`, `\x5cx00`, `\x5cx00`},
		{"=1+1", "=1+1", "=1+1"},
	} {
		got := string(appendText([]byte("before,"), []byte(c.text), false)[7:])
		if got != c.want {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
		}
		read, err := csv.NewReader(strings.NewReader(got + ",x")).Read()
		if err != nil || len(read) != 2 || read[0] != c.read {
			t.Errorf("%q is read as %q, want %q, %v", got, read, c.read, err)
		}
	}
}

// TestFormulas: no text begins like a formula of a spreadsheet.
func TestFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"=HYPERLINK(\"http://x\")": `"'=HYPERLINK(""http://x"")"`, "+1": `"'+1"`, "-1": `"'-1"`,
		"@SUM(A1)": `"'@SUM(A1)"`, "\t=1": "\"'\t=1\"", "\r=1": "\"'\r=1\"",
		"": `""`, "a=b": "a=b", "kworker/0:1-ev": "kworker/0:1-ev",
	} {
		if got := string(appendText(nil, []byte(text), true)); got != want {
			t.Errorf("%q became %s, want %s", text, got, want)
		}
	}
}

// FuzzAppendText: encoding/csv reads every text unchanged, and the escapes can be undone.
func FuzzAppendText(f *testing.F) {
	for _, text := range []string{"", "a,b", "\"", "\r\n", "\x00\\x00", "\xff\\xff", "\\", "=1"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := appendText([]byte("x,"), text, false)
		if !utf8.Valid(got) || bytes.IndexByte(got, 0) >= 0 {
			t.Errorf("%q became %q", text, got)
		}
		read, err := csv.NewReader(bytes.NewReader(append(got, ",y\n"...))).Read()
		if err != nil || len(read) != 3 || read[0] != "x" || read[2] != "y" {
			t.Fatalf("%q is read as %q, %v", got, read, err)
		}
		want := bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) // as encoding/csv does
		if back := columns.Original(nil, read[1]); !bytes.Equal(back, want) {
			t.Errorf("%q is read as %q, which was %q", got, read[1], back)
		}
		if got := appendText(nil, text, true); len(text) > 0 && isFormula(text[0]) &&
			!bytes.HasPrefix(got, []byte(`"'`)) {
			t.Errorf("%q is a formula", got)
		}
	})
}
