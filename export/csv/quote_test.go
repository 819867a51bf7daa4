package csv

import (
	"encoding/csv"
	"strings"
	"testing"
)

// TestAppendText: what texts become, and what encoding/csv reads of them.
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

// TestFormulas: no text begins as a formula of a spreadsheet does.
func TestFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"=HYPERLINK(\"http://x\")": `"'=HYPERLINK(""http://x"")"`, "+1": `"'+1"`, "-1": `"'-1"`, "@SUM(A1)": `"'@SUM(A1)"`, "\t=1": "\"'\t=1\"", "\r=1": "\"'\r=1\"",
		"": `""`, "a=b": "a=b", "kworker/0:1-ev": "kworker/0:1-ev",
	} {
		if got := string(appendText(nil, []byte(text), true)); got != want {
			t.Errorf("%q became %s, want %s", text, got, want)
		}
	}
}
