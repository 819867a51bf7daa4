package render

import (
	"strings"
	"testing"
)

func TestHexBytes(t *testing.T) {
	raw := []byte{0x0a, 0x1b, 0xff}
	for _, c := range []struct{ got, want []byte }{
		{Hex(nil, nil, raw, 3), []byte("0a 1b ff")},
		{Hex(nil, nil, raw, 2), []byte("0a 1b")},
		{Hex(nil, nil, raw, 99), []byte("0a 1b ff")},
		{Hex(nil, nil, raw, ^uint64(0)), nil}, // an int of -1
		{HexStr(nil, nil, raw, 3), []byte("0a1bff")},
		{HexStr(nil, nil, nil, 3), nil},
		{HexBytes(nil, nil, raw, 3, ""), []byte("0a 1b ff")},
		{HexBytes(nil, nil, raw, 3, "C"), []byte("0a:1b:ff")},
		{HexBytes(nil, nil, raw, 3, "D"), []byte("0a-1b-ff")},
		{HexBytes(nil, nil, raw, 3, "N"), []byte("0a1bff")},
		{HexBytes(nil, nil, raw, 0, "N"), nil},
		{HexBytes(nil, nil, raw, ^uint64(1), "N"), []byte("0a1b")}, // the sign of a width is a flag
	} {
		if string(c.got) != string(c.want) {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	if got := len(HexBytes(nil, nil, make([]byte, 100), 100, "N")); got != 128 {
		t.Errorf("%%*ph shows %d digits, want those of 64 bytes", got)
	}
}

func TestArray(t *testing.T) {
	raw := []byte{1, 0, 2, 0, 3, 0, 4, 0, 5}
	for _, c := range []struct {
		big     bool
		n, size uint64
		want    string
	}{
		{false, 4, 2, "{0x1,0x2,0x3,0x4}"},
		{true, 2, 2, "{0x100,0x200}"},
		{false, 2, 1, "{0x1,0x0}"},
		{false, 1, 8, "{0x4000300020001}"},
		{true, 2, 4, "{0x1000200,0x3000400}"},
		{false, 9, 4, "{0x20001,0x40003}"}, // the ninth byte is not an element
		{false, 0, 4, "{}"},
		{false, ^uint64(0), 4, "{}"},
		{false, 2, 3, "{BAD SIZE:3 0x1,BAD SIZE:3 0x0}"},
		{false, 1, 0, "{BAD SIZE:0 0x1}"},
	} {
		if got := string(Array(nil, nil, raw, c.big, c.n, c.size)); got != c.want {
			t.Errorf("%d of %d: got %s, want %s", c.n, c.size, got, c.want)
		}
	}
}

func TestHexDump(t *testing.T) {
	raw := []byte("0123456789abcdef\x00\x7f\xa0~")
	for _, c := range []struct {
		name                       string
		env                        *Env
		prefix                     string
		kind, row, group, n, ascii uint64
		want                       string
	}{
		{"bytes", nil, "", 0, 16, 1, 20, 0, "" +
			"30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66\n" +
			"00 7f a0 7e\n"},
		{"bytes, text", nil, "> ", 2, 16, 1, 20, 1, "" +
			"> 00000000: 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  0123456789abcdef\n" +
			"> 00000010: 00 7f a0 7e                                      ...~\n"},
		{"words", nil, "", 0, 16, 4, 20, 1, "" +
			"33323130 37363534 62613938 66656463  0123456789abcdef\n" +
			"7ea07f00                             ...~\n"},
		{"big-endian words", bigEnd, "", 0, 16, 4, 20, 0, "" +
			"30313233 34353637 38396162 63646566\n" +
			"007fa07e\n"},
		{"odd tail", nil, "", 0, 16, 8, 20, 0, "" +
			"3736353433323130 6665646362613938\n" +
			"00 7f a0 7e\n"},
		{"wide rows", nil, "", 1, 32, 2, 20, 0,
			"0000000000000000: 3130 3332 3534 3736 3938 6261 6463 6665 7f00 7ea0\n"},
		{"strange sizes", nil, "", 0, 5, 3, 2, 0, "30 31\n"},
		{"nothing", nil, "p", 2, 16, 1, 0, 1, ""},
		{"cut", nil, "", 0, 16, 1, 1 << 40, 0, "" +
			"30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66\n00 7f a0 7e\n"},
	} {
		got := string(HexDump(nil, c.env, c.prefix, c.kind, c.row, c.group, raw, c.n, c.ascii))
		if got != "\n"+c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, "\n"+c.want)
		}
	}
}

func TestBitmaps(t *testing.T) {
	le := []byte{0x0f, 0, 0, 0, 0x01, 0, 0, 0x80, 0x80, 0, 0, 0, 0, 0, 0, 0}
	be := []byte{0x80, 0, 0, 0x01, 0, 0, 0, 0x0f, 0, 0, 0, 0, 0, 0, 0, 0x80} // the same longs
	be4 := []byte{0, 0, 0, 0x0f, 0x80, 0, 0, 0x01, 0, 0, 0, 0x80, 0, 0, 0, 0}
	env4 := &Env{BigEndian: true, WordSize: 4}
	for _, m := range []struct {
		env *Env
		raw []byte
		big bool
	}{{nil, le, false}, {bigEnd, be, true}, {env4, be4, true}, {&Env{WordSize: 4}, le, false}} {
		for _, c := range []struct{ got, want string }{
			{string(Bitmask(nil, m.env, m.raw, m.big)), "00000000,00000080,80000001,0000000f"},
			{string(Bitmap(nil, m.env, m.raw, m.big, 72)), "80,80000001,0000000f"},
			{string(Bitmap(nil, m.env, m.raw, m.big, 33)), "1,0000000f"},
			{string(Bitmap(nil, m.env, m.raw, m.big, 3)), "7"},
			{string(Bitmap(nil, m.env, m.raw, m.big, 0)), ""},
			{string(BitList(nil, m.env, m.raw, m.big, 128)), "0-3,32,63,71"},
			{string(BitList(nil, m.env, m.raw, m.big, 3)), "0-2"},
			{string(BitList(nil, m.env, m.raw, m.big, ^uint64(0))), ""},
			{string(BitList(nil, m.env, m.raw, m.big, 1<<40)), "0-3,32,63,71"},
		} {
			if c.got != c.want {
				t.Errorf("big-endian %v: got %q, want %q", m.big, c.got, c.want)
			}
		}
	}
	if got := string(Bitmask(nil, nil, []byte{1, 2, 3}, false)); got != "030201" {
		t.Errorf("short mask: got %s", got)
	}
	full := []byte(strings.Repeat("\xff", 8))
	if got := string(BitList(nil, nil, full, false, 64)); got != "0-63" {
		t.Errorf("full mask: got %s", got)
	}
}

func TestEscaped(t *testing.T) {
	raw := []byte("a\"\\\n\t\x1b\x00\x01\xa9\x80")
	for _, c := range []struct{ s, want string }{
		{"", "a\"\\\\n\\t\\e\\0\\001\xa9\\200"}, // printable bytes pass: the kernel's table is Latin-1
		{"p", string(raw)},
		{"h", `\x61\x22\x5c\x0a\x09\x1b\x00\x01\xa9\x80`},
		{"hp", `a"\` + `\x0a\x09\x1b\x00\x01` + "\xa9" + `\x80`},
		{"s", "a\"\\" + `\n\t` + "\x1b\x00\x01\xa9\x80"},
		{"c", `a\"\\` + "\n\t" + `\e` + "\x00\x01\xa9\x80"},
		{"n", "a\"\\\n\t\x1b" + `\0` + "\x01\xa9\x80"},
		{"a", `\141\"\\\n\t\e\0\001\251\200`},
		{"x", "a\"\\\\n\\t\\e\\0\\001\xa9\\200"},
	} {
		if got := string(Escaped(nil, nil, raw, uint64(len(raw)), c.s)); got != c.want {
			t.Errorf("%%*pE%s: got %q, want %q", c.s, got, c.want)
		}
	}
	if got := string(Escaped(nil, nil, raw, 1, "")); got != "a" {
		t.Errorf("one byte: got %q", got)
	}
}
