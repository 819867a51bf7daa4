package render

import (
	"encoding/binary"
	"strings"
	"testing"
)

// pack stores arguments as vbin_printf does: integers of 4 and 8 bytes at a multiple of 4, of 2
// bytes at a multiple of 2, texts and single bytes anywhere.
func pack(order binary.AppendByteOrder, args ...any) []byte {
	var b []byte
	align := func(n int) {
		for len(b)%n != 0 {
			b = append(b, 0xee) // earlier contents of the buffer
		}
	}
	for _, a := range args {
		switch a := a.(type) {
		case byte:
			b = append(b, a)
		case uint16:
			align(2)
			b = order.AppendUint16(b, a)
		case int:
			align(4)
			b = order.AppendUint32(b, uint32(int32(a)))
		case uint64:
			align(4)
			b = order.AppendUint64(b, a)
		case string:
			b = append(append(b, a...), 0)
		}
	}
	return b
}

func TestBinPrintf(t *testing.T) {
	const addr = 0xffffffff81000010
	for _, c := range []struct {
		format string
		args   []any
		want   string
	}{
		{"plain\n", nil, "plain\n"},
		{"100%%", nil, "100%"},
		{"%d %u %x", []any{-1, -1, -1}, "-1 4294967295 ffffffff"},
		{"%lx %lld %Lu %zu %ld", []any{^uint64(0), ^uint64(0), uint64(7), uint64(8), ^uint64(1)},
			"ffffffffffffffff -1 7 8 -2"},
		{"%c%c %d", []any{byte('a'), byte('b'), 5}, "ab 5"},
		{"%c %hd %hhd %hhu %hu %d", []any{byte('a'), uint16(0xffff), byte(0xfe), byte(0xfe), uint16(0xffff), 9},
			"a -1 -2 254 65535 9"},
		{"%s|%d|%s", []any{"abc", 7, ""}, "abc|7|"},
		{"[%5s][%-5s][%.1s]", []any{"ab", "cd", "ef"}, "[   ab][cd   ][e]"},
		{"[%*d][%-*d][%*d]", []any{4, 1, 4, 2, -4, 3}, "[   1][2   ][3   ]"},
		{"%.*s %08.3d %#06x", []any{2, "abcdef", 7, 0xab}, "ab 00000007 0x00ab"},
		{"[%.*s][%.*d]", []any{-1, "abcdef", -1, 7}, "[][7]"}, // C prints all of the string
		{"%p %p", []any{uint64(0), uint64(0xffff888000001000)}, "(nil) 0xffff888000001000"},
		{"%ps %pS %pe %px", []any{uint64(addr), uint64(addr), uint64(1<<64 - 2), uint64(0x10)},
			"do_one do_one+0x10 -ENOENT 0000000000000010"},
		{"%pK %pf %pF", []any{uint64(1), uint64(addr), uint64(addr)}, "0x1 do_one do_one+0x10"},
		{"%s %pI4 %d %pM", []any{"eth0", "10.0.0.1", 3, "00:11:22:33:44:55"}, "eth0 10.0.0.1 3 00:11:22:33:44:55"},
		{"%*pbl %d", []any{8, "0-3", 1}, "0-3 1"},
		{"%pfw %d", []any{"/soc", 1}, "/soc 1"},
		{"%pI4 %d", []any{uint64(0xffff888000000090 | 0xff), 1}, "0xffff8880000000ff 1"}, // before 4.20: an address
		{"%20p|", []any{uint64(0x1234)}, "              0x1234|"},
		{"a %n b", []any{1}, "a "},
		{"a %", nil, "a "},
		{"%d %s %d", []any{1}, "1  0"}, // arguments cut off
	} {
		for _, m := range []struct {
			env   Env
			order binary.AppendByteOrder
		}{
			{Env{WordSize: 8}, binary.LittleEndian},
			{Env{WordSize: 8, BigEndian: true}, binary.BigEndian},
		} {
			m.env.Symbols = table{addr - 0x10: "do_one"}
			m.env.Strings = table{0x77: c.format}
			if got := string(BinPrintf([]byte(">"), &m.env, 0x77, pack(m.order, c.args...))); got != ">"+c.want {
				t.Errorf("%q, big-endian %v: got %q, want %q", c.format, m.env.BigEndian, got[1:], c.want)
			}
		}
	}
}

func TestBinPrintf32(t *testing.T) {
	env := &Env{WordSize: 4, Strings: table{0xc1000000: "%ld %lld %lu %p %zx"}}
	args := pack(binary.LittleEndian, -1, ^uint64(0), -1, -16, 0x20)
	const want = "-1 -1 4294967295 0xfffffff0 20"
	if got := string(BinPrintf(nil, env, 0xc1000000, args)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBinPrintfUnknownFormat(t *testing.T) {
	const want = "(NO FORMAT FOUND at ffffffff82000000)\n"
	for _, env := range []*Env{nil, {Strings: table{}}} {
		if got := string(BinPrintf(nil, env, 0xffffffff82000000, []byte{1})); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestBinPrintfIsBounded(t *testing.T) {
	env := &Env{Strings: table{1: strings.Repeat("%99999999d%.99999999d", 5000)}}
	if got := len(BinPrintf([]byte(">"), env, 1, nil)); got != 1+MaxWidth {
		t.Errorf("%d bytes, want %d", got, 1+MaxWidth)
	}
}
