package parquet

import (
	"strings"
	"testing"
)

// TestEscape: values become valid names on all file systems. Hive's rules restore the values.
func TestEscape(t *testing.T) {
	for value, want := range map[string]string{
		"sched.sched_switch":     "sched.sched_switch",
		"":                       "__HIVE_DEFAULT_PARTITION__",
		"a/b":                    "a%2Fb",
		"..":                     "..",
		"50%=x":                  "50%25%3Dx",
		`q"'*?:\|<>#[]{^`:        "q%22%27%2A%3F%3A%5C%7C%3C%3E%23%5B%5D%7B%5E",
		"tab\tnul\x00":           "tab%09nul%00",
		"\xff":                   `%5Cxff`,
		"käse":                   "käse",
		strings.Repeat("x", 200): strings.Repeat("x", 200),
	} {
		if got := escape(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
	long := strings.Repeat("ä%", 200)
	got := escape(long)
	if len(got) > longest || got == escape(long+"x") || !strings.Contains(got, "~") {
		t.Errorf("%q", got)
	}
	if cut, _, _ := strings.Cut(got, "~"); strings.HasSuffix(cut, "%") || strings.HasSuffix(cut, "%2") ||
		strings.ToValidUTF8(cut, "?") != cut {
		t.Errorf("%q is cut within a character", got)
	}
}

// TestColumnNames: no two columns have the same name as SQL compares names.
func TestColumnNames(t *testing.T) {
	n := newNames()
	for _, c := range []struct{ field, want string }{
		{"pid", "pid"}, {"comm", "field_comm"}, {"COMM", "COMM_2"}, {"PID", "field_PID"}, {"pid", "pid_2"},
		{"event", "field_event"}, {"filename", "filename"}, {"", "field_"},
		{"\xff", `\xff`},
	} {
		if got := n.take(c.field); got != c.want {
			t.Errorf("%q: %q, want %q", c.field, got, c.want)
		}
	}
}

// TestValid: invalid UTF-8 is escaped byte by byte.
func TestValid(t *testing.T) {
	for in, want := range map[string]string{"": "", "plain": "plain", "ä\xffb": `ä\xffb`, "\xe2\x82": `\xe2\x82`,
		"\uFFFD": "\uFFFD"} {
		if got := string(appendValid(nil, in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
