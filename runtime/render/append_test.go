package render

import (
	"bytes"
	"testing"
)

var sampleEnv = &Env{
	WordSize: 8,
	Symbols:  table{0xffffffff81000000: "alloc_bprm"},
	Strings:  table{0xffffffff82000000: "%s: %d of %lu at %pS\n"},
}

var (
	sampleBytes = []byte{2, 0, 0x15, 0xb3, 127, 0, 0, 1, 8, 9, 10, 11, 12, 13, 14, 15, 0x10, 0, 0, 0x81, 0xff, 0xff,
		0xff, 0xff, 0, 0, 0, 0}
	sampleBin   = []byte("cpu\x00\x01\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x32\x00\x00\x81\xff\xff\xff\xff")
	sampleTable = Table{{1, "HI"}, {2, "TIMER"}, {4, "NET_TX"}, {8, "NET_RX"}, {16, "BLOCK"}}
)

// calls lists every function that appends, with arguments for which it prints something.
var calls = []struct {
	name string
	call func(dst []byte) []byte
}{
	{"Dec", func(d []byte) []byte { return Dec(d, -1234567) }},
	{"Udec", func(d []byte) []byte { return Udec(d, 1234567890123) }},
	{"HexLower", func(d []byte) []byte { return HexLower(d, 0xffffffff81000032) }},
	{"HexPad", func(d []byte) []byte { return HexPad(d, 0x1234, 8) }},
	{"Int", func(d []byte) []byte { return Int(d, -42, Spec{Verb: 'd', Prec: -1, Width: 9}) }},
	{"Uint", func(d []byte) []byte { return Uint(d, 42, Spec{Verb: 'x', Prec: -1, Sharp: true}) }},
	{"Char", func(d []byte) []byte { return Char(d, 'x', Spec{Verb: 'c', Prec: -1}) }},
	{"Pad", func(d []byte) []byte { n := len(d); return Pad(append(d, "bash"...), n, Spec{Width: 16, Prec: -1}) }},
	{"Symbolic", func(d []byte) []byte { return Symbolic(d, sampleEnv, 16, sampleTable) }},
	{"Flags", func(d []byte) []byte { return Flags(d, sampleEnv, 0x55, "|", sampleTable) }},
	{"Hex", func(d []byte) []byte { return Hex(d, sampleEnv, sampleBytes, 16) }},
	{"HexStr", func(d []byte) []byte { return HexStr(d, sampleEnv, sampleBytes, 16) }},
	{"Array", func(d []byte) []byte { return Array(d, sampleEnv, sampleBytes, false, 4, 4) }},
	{"HexDump", func(d []byte) []byte { return HexDump(d, sampleEnv, "x ", 2, 16, 4, sampleBytes, 24, 1) }},
	{"Bitmask", func(d []byte) []byte { return Bitmask(d, sampleEnv, sampleBytes, false) }},
	{"Bitmap", func(d []byte) []byte { return Bitmap(d, sampleEnv, sampleBytes, false, 40) }},
	{"BitList", func(d []byte) []byte { return BitList(d, sampleEnv, sampleBytes, false, 64) }},
	{"StackTrace", func(d []byte) []byte { return StackTrace(d, sampleEnv, sampleBytes[16:], false) }},
	{"Pointer", func(d []byte) []byte { return Pointer(d, sampleEnv, 0xffffffff81000000) }},
	{"PointerHex", func(d []byte) []byte { return PointerHex(d, sampleEnv, 0x81000000) }},
	{"Symbol", func(d []byte) []byte { return Symbol(d, sampleEnv, 0xffffffff81000010) }},
	{"SymbolName", func(d []byte) []byte { return SymbolName(d, sampleEnv, 0xffffffff81000010) }},
	{"SymbolOffset", func(d []byte) []byte { return SymbolOffset(d, sampleEnv, 0xffffffff81000010) }},
	{"PtrString", func(d []byte) []byte { return PtrString(d, sampleEnv, 0xffffffff82000000) }},
	{"MAC", func(d []byte) []byte { return MAC(d, sampleEnv, sampleBytes, "") }},
	{"IP4", func(d []byte) []byte { return IP4(d, sampleEnv, sampleBytes, "I4") }},
	{"IP6", func(d []byte) []byte { return IP6(d, sampleEnv, sampleBytes, "I6c") }},
	{"Sockaddr", func(d []byte) []byte { return Sockaddr(d, sampleEnv, sampleBytes, "psfc") }},
	{"UUID", func(d []byte) []byte { return UUID(d, sampleEnv, sampleBytes, "UL") }},
	{"HexBytes", func(d []byte) []byte { return HexBytes(d, sampleEnv, sampleBytes, 6, "C") }},
	{"Escaped", func(d []byte) []byte { return Escaped(d, sampleEnv, sampleBytes, 16, "") }},
	{"Errno", func(d []byte) []byte { return Errno(d, sampleEnv, ^uint64(0)) }},
	{"FourCC", func(d []byte) []byte { return FourCC(d, sampleEnv, 0x34325258) }},
	{"Characters", func(d []byte) []byte { return Characters(d, sampleEnv, 0x34325258) }},
	{"Time64", func(d []byte) []byte { return Time64(d, sampleEnv, 1<<33, "s") }},
	{"SymbolFrom", func(d []byte) []byte { return SymbolFrom(d, sampleEnv, "_stext", 5) }},
	{"SymbolOffsetFrom", func(d []byte) []byte { return SymbolOffsetFrom(d, sampleEnv, "_stext", 5) }},
	{"GFPFlags", func(d []byte) []byte { return GFPFlags(d, sampleEnv, 0xdc0) }},
	{"BinPrintf", func(d []byte) []byte { return BinPrintf(d, sampleEnv, 0xffffffff82000000, sampleBin) }},
}

// The bytes before dst's length do not change, and the capacity after them is used.
func TestAppendSemantics(t *testing.T) {
	for _, c := range calls {
		alone := c.call(nil)
		if len(alone) == 0 {
			t.Errorf("%s prints nothing", c.name)
		}
		full := []byte("prefix")
		if got := c.call(full[:6:6]); !bytes.Equal(got, append([]byte("prefix"), alone...)) {
			t.Errorf("%s after a prefix: %q", c.name, got)
		}
		roomy := make([]byte, 6, 4096)
		copy(roomy, "prefix")
		got := c.call(roomy)
		if !bytes.Equal(got, append([]byte("prefix"), alone...)) {
			t.Errorf("%s with room: %q", c.name, got)
		}
		if &got[0] != &roomy[0] {
			t.Errorf("%s moved the buffer although it had room", c.name)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	buf := make([]byte, 0, 4096)
	for _, c := range calls {
		if n := testing.AllocsPerRun(50, func() { buf = c.call(buf[:0]) }); n != 0 {
			t.Errorf("%s allocates %g times", c.name, n)
		}
	}
}

func BenchmarkCalls(b *testing.B) {
	buf := make([]byte, 0, 4096)
	for _, c := range calls {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				buf = c.call(buf[:0])
			}
		})
	}
}

// BenchmarkSchedSwitch renders a line of sched_switch. A report must print five million such lines
// per second.
func BenchmarkSchedSwitch(b *testing.B) {
	comm := [16]byte{'k', 'w', 'o', 'r', 'k', 'e', 'r', '/', '0', ':', '1'}
	states := Table{{0, "R"}, {1, "S"}, {2, "D"}}
	buf := make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		dst := append(buf[:0], "prev_comm="...)
		dst = append(dst, CString(comm[:])...)
		dst = append(dst, " prev_pid="...)
		dst = Dec(dst, 1234)
		dst = append(dst, " prev_prio="...)
		dst = Dec(dst, 120)
		dst = append(dst, " prev_state="...)
		dst = Flags(dst, nil, 1, "|", states)
		dst = append(dst, " ==> next_comm="...)
		dst = append(dst, CString(comm[:])...)
		dst = append(dst, " next_pid="...)
		dst = Dec(dst, 56789)
		dst = append(dst, " next_prio="...)
		buf = Dec(dst, 120)
	}
}
