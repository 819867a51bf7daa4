package columns_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/tracec/tracec/export/columns"
)

var texts = []struct{ text, want string }{
	{"", ""},
	{"kworker/0:1", "kworker/0:1"},
	{"größer \u2028 \U0001f600", "größer \u2028 \U0001f600"},
	{"\xff", `\xff`},
	{"a\xc3", `a\xc3`},
	{"\xc3\x28\xed\xa0\x80", `\xc3(\xed\xa0\x80`},
	{"\xef\xbf\xbd", "\ufffd"}, // valid
	{`C:\xampp`, `C:\xampp`},
	{`\xab`, `\x5cxab`},
	{`\\xab`, `\\x5cxab`},
	{`\xAB`, `\xAB`},
	{`\x5c` + "\x80", `\x5cx5c\x80`},
	{`\` + "\xff", `\\xff`},
	{`\xc` + "\xff", `\xc\xff`},
	{"\"\\\n\t\x00\x1b\x7f", "\"\\\n\t\x00\x1b\x7f"},
}

func TestAppendValid(t *testing.T) {
	for _, c := range texts {
		if got := string(columns.AppendValid(nil, c.text)); got != c.want {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
		}
		checkText(t, []byte(c.text))
	}
}

// checkText checks the rules for every text.
func checkText(t *testing.T, text []byte) {
	t.Helper()
	valid := columns.AppendValid([]byte("before "), text)[7:]
	if !utf8.Valid(valid) {
		t.Errorf("%q became %q, which is not UTF-8", text, valid)
	}
	if back := columns.Original(nil, string(valid)); !bytes.Equal(back, text) {
		t.Errorf("%q became %q, which was %q", text, valid, back)
	}
	var s string
	quoted := columns.AppendJSON([]byte{' '}, text)
	if err := json.Unmarshal(quoted, &s); err != nil || s != string(valid) {
		t.Errorf("%q became %s, which is %q, %v", text, quoted, s, err)
	}
}

func FuzzText(f *testing.F) {
	for _, c := range texts {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkText(t, text) })
}
