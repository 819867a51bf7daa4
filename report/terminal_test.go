package report

import (
	"bytes"
	"testing"
)

func TestVisible(t *testing.T) {
	term := NewTerminal(nil)
	for _, c := range []struct{ in, want string }{
		{"plain\ttext\n", "plain\ttext\n"},
		{"a\x1b[31mred\x1b[0m", "a^[[31mred^[[0m"},
		{"\x1b]0;title\x07", "^[]0;title^G"},
		{"cr\rbs\bnul\x00del\x7f", "cr^Mbs^Hnul^@del^?"},
		{"가 ✓ é 🎉", "가 ✓ é 🎉"},
		{"c1 \u009b31m", "c1 \\x9b31m"},
		{"latin \x9b31m \xe9", "latin \\x9b31m \xe9"},
		{"cut \xe2\x9c" + "\x1b[", "cut \xe2\x9c^[["},
		{term.Mark() + "[32mok" + term.Mark() + "[0m\x1b[32m", "\x1b[32mok\x1b[0m^[[32m"},
		{"\x1b", "^["},
	} {
		if got := string(term.AppendVisible(nil, []byte(c.in))); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
		var got bytes.Buffer // written byte by byte, except marks
		if bytes.Contains([]byte(c.in), []byte(term.Mark())) {
			continue
		}
		w := NewTerminal(nil).Visible(&got)
		for i := range len(c.in) {
			if _, err := w.Write([]byte{c.in[i]}); err != nil {
				t.Fatal(err)
			}
		}
		// If a C1 character is split between two writes, its first half remains, which is harmless.
		if s := bytes.ReplaceAll(got.Bytes(), []byte("\xc2\\x"), []byte("\\x")); string(s) != c.want {
			t.Errorf("%q byte by byte: %q, want %q", c.in, s, c.want)
		}
	}
	if MarkOf(&bytes.Buffer{}) != "\x1b" {
		t.Error("a file gets the escape character itself")
	}
	if a, b := NewTerminal(nil), NewTerminal(nil); a.Mark() == b.Mark() {
		t.Error("marks can be guessed")
	}
}
