package render

import "testing"

// table is Symbols and Strings of a test.
type table map[uint64]string

func (m table) Symbol(addr uint64) (string, uint64, bool) {
	for off := uint64(0); off < 0x100; off++ {
		if s, ok := m[addr-off]; ok {
			return s, off, true
		}
	}
	return "", 0, false
}

func (m table) String(addr uint64) (string, bool) {
	s, ok := m[addr]
	return s, ok
}

func TestPointers(t *testing.T) {
	names := table{0xffffffff81000000: "alloc_bprm", 0xc1000000: "do_IRQ"}
	env := &Env{WordSize: 8, Symbols: names, Strings: names}
	env4 := &Env{WordSize: 4, Symbols: names}
	type show func([]byte, *Env, uint64) []byte
	for _, c := range []struct {
		name string
		f    show
		env  *Env
		v    uint64
		want string
	}{
		{"%p", Pointer, nil, 0, "(nil)"},
		{"%p", Pointer, nil, 0xffff888012345678, "0xffff888012345678"},
		{"%p", Pointer, env4, 0xffffffffc1234567, "0xc1234567"},
		{"%px", PointerHex, nil, 0x1234, "0000000000001234"},
		{"%px", PointerHex, env4, 0xffffffffc1234567, "c1234567"},
		{"%ps", Symbol, env, 0xffffffff81000032, "alloc_bprm"},
		{"%ps", Symbol, env, 0x1234, "0x1234"},
		{"%ps", Symbol, nil, 0, "0x0"},
		{"%pS", SymbolOffset, env, 0xffffffff81000032, "alloc_bprm+0x32"},
		{"%pS", SymbolOffset, env, 0xffffffff81000000, "alloc_bprm+0x0"},
		{"%pS", SymbolOffset, env4, 0xffffffffc1000010, "do_IRQ+0x10"},
		{"%pS", SymbolOffset, &Env{}, 0x99, "0x99"},
		{"%s", PtrString, env, 0xffffffff81000000, "alloc_bprm"},
		{"%s", PtrString, env, 0xffffffff81000001, "0xffffffff81000001"},
		{"%s", PtrString, nil, 0, "(null)"},
		{"%pe", Errno, nil, ^uint64(0) - 1, "-ENOENT"},
		{"%pe", Errno, nil, uint64(1<<64 - 512), "-ERESTARTSYS"},
		{"%pe", Errno, nil, uint64(1<<64 - 517), "-EPROBE_DEFER"},
		{"%pe", Errno, nil, uint64(1<<64 - 530), "-ERECALLCONFLICT"},
		{"%pe", Errno, nil, uint64(1<<64 - 531), "-531"}, // ENOGRACE, which lib/errname.c leaves out
		{"%pe", Errno, nil, uint64(1<<64 - 41), "-41"},
		{"%pe", Errno, nil, uint64(1<<64 - 520), "-520"},
		{"%pe", Errno, nil, uint64(1<<64 - 4095), "-4095"},
		{"%pe", Errno, nil, uint64(1<<64 - 4096), "0xfffffffffffff000"},
		{"%pe", Errno, nil, 0, "(nil)"},
		{"%pe", Errno, env4, 0xfffffff4, "-ENOMEM"},
		{"%p4cc", FourCC, nil, 0x34325258, "XR24 little-endian (0x34325258)"},
		{"%p4cc", FourCC, nil, 0xb4325258, "XR24 big-endian (0xb4325258)"},
		{"%p4cc", FourCC, nil, 0x00000007, ".... little-endian (0x00000007)"},
		{"%p4ch", Characters, nil, 0x67503030, "gP00 (0x67503030)"},
		{"%pGg", GFPFlags, nil, 0, ""},
		{"%pGg", GFPFlags, nil, 1 << 31, "0x80000000"},
	} {
		if got := string(c.f([]byte{}, c.env, c.v)); got != c.want {
			t.Errorf("%s of %#x: got %s, want %s", c.name, c.v, got, c.want)
		}
	}
}

func TestStackTrace(t *testing.T) {
	env := &Env{WordSize: 4, BigEndian: true, Symbols: table{0xc1000000: "do_IRQ"}}
	raw := []byte{0xc1, 0, 0, 0x10, 0, 0, 0xab, 0xcd, 0, 0, 0, 0, 0xc1, 0, 0, 0}
	const want = "=> do_IRQ+0x10\n=> 0xabcd\n"
	if got := string(StackTrace(nil, env, raw, true)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := string(StackTrace(nil, env, raw[:6], true)); got != "=> do_IRQ+0x10\n" {
		t.Errorf("cut in a word: got %q", got)
	}
}

func TestValueFunctions(t *testing.T) {
	const ones = ^uint64(0)
	for _, c := range []struct {
		name string
		f    func(a, b uint64) uint64
		a    uint64
		want uint64
	}{
		{"Swab16", Swab16, 0xff1234, 0x3412},
		{"Swab32", Swab32, 0xff12345678, 0x78563412},
		{"Swab64", Swab64, 0x0102030405060708, 0x0807060504030201},
		{"Ffs", Ffs, 0, 0}, {"Ffs", Ffs, 1, 1}, {"Ffs", Ffs, 1 << 63, 64},
		{"Fls", Fls, 0, 0}, {"Fls", Fls, 1, 1}, {"Fls", Fls, ones, 64},
		{"Ctz", Ctz, 8, 3}, {"Ctz", Ctz, 0, 64},
		{"Clz64", Clz64, 1, 63}, {"Clz64", Clz64, 0, 64},
		{"Clz32", Clz32, 1, 31}, {"Clz32", Clz32, ones, 0}, {"Clz32", Clz32, 0, 32},
		{"Popcount", Popcount, 0xff, 8},
		{"OrderBase2", OrderBase2, 0, 0}, {"OrderBase2", OrderBase2, 1, 0},
		{"OrderBase2", OrderBase2, 4096, 12}, {"OrderBase2", OrderBase2, 4097, 13},
		{"Ilog2", Ilog2, 0, ones}, {"Ilog2", Ilog2, 1, 0}, {"Ilog2", Ilog2, 4097, 12},
	} {
		if got := c.f(c.a, 0); got != c.want {
			t.Errorf("%s of %#x: got %#x, want %#x", c.name, c.a, got, c.want)
		}
	}
}
