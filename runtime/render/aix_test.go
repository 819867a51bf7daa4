package render

import (
	"math"
	"testing"
)

// TestAIXCodes uses values from aix.md 3.3, 4.6, 4.7 and 8, or values computed by hand.
func TestAIXCodes(t *testing.T) {
	b := []byte{0xa0, 0x12, 0x34, 0x56, 0x78}
	float := func(f float32) uint64 { return uint64(math.Float32bits(f)) }
	for _, c := range []struct{ name, got, want string }{
		{"HexUpper", string(HexUpper(nil, nil, b, 3)), "A01234"},
		{"HexUpper of all", string(HexUpper(nil, nil, b, 99)), "A012345678"},
		{"HexUpper of a negative count", string(HexUpper(nil, nil, b, 1<<64-1)), ""},
		{"HexPadUpper", string(HexPadUpper(nil, 0xabc, 8)), "00000ABC"},
		{"HexPadUpper too narrow", string(HexPadUpper(nil, 0xabcdef, 4)), "ABCDEF"},
		{"V12: three B0.1 of A0", string(Binary(nil, nil, b, 0, 1)) + string(Binary(nil, nil, b, 1,
			1)) + string(Binary(nil, nil, b, 2, 1)), "101"},
		{"B2.3 = B0.19", string(Binary(nil, nil, b, 0, 19)), "1010000000010010001"},
		{"Binary behind the end", string(Binary(nil, nil, b, 36, 8)), "10000000"},
		{"Binary of a negative place", string(Binary(nil, nil, b, 1<<64-2, 4)), "0010"},
		{"Binary of a negative count", string(Binary(nil, nil, b, 0, 1<<63)), ""},
		{"$zz%B0.8", string(BinaryValue(nil, nil, 0x12345678, 8)), "01111000"},
		{"$D1%B2.3", string(BinaryValue(nil, nil, 0x12345678, 19)), "1000101011001111000"},
		{"at most 64", string(BinaryValue(nil, nil, 1, 99)),
			"0000000000000000000000000000000000000000000000000000000000000001"},
		{"V11: $dog", string(MacroHex(nil, nil, 13)), "000D"},
		{"V11: $cat", string(MacroHex(nil, nil, 26)), "001A"},
		{"MacroHex is never cut", string(MacroHex(nil, nil, 0x5c77a)), "5C77A"},
		{"F4", string(Float(nil, nil, float(-123.456), 4)), "-1.2346E+02"},
		{"F8", string(Float(nil, nil, math.Float64bits(6.02214076e123), 8)), "6.0221E+123"},
		{"F4 of 0", string(Float(nil, nil, 0, 4)), "0.0000E+00"},
		{"F4 of infinity", string(Float(nil, nil, float(float32(math.Inf(-1))), 4)), "-INF"},
		{"F8 of no number", string(Float(nil, nil, math.Float64bits(math.NaN()), 8)), "NAN"},
		{"T4", string(CTime(nil, nil, 0)), "Thu Jan  1 00:00:00 1970"},
		// date -u -d @920500941
		{"T8 takes the low 32 bits", string(CTime(nil, nil, 0x1_36dd_bacd)), "Wed Mar  3 22:42:21 1999"},
		{"E: the values of 3.6", string(AIXErrno(nil, nil, 78)) + string(AIXErrno(nil, nil, 11)) + string(AIXErrno(nil,
			nil, 17)), "ETIMEDOUTEAGAINEEXIST"},
		{"E of shared values", string(AIXErrno(nil, nil, 58)) + string(AIXErrno(nil, nil, 82)), "EDESTADDRREQERESTART"},
		{"E of unknown numbers", string(AIXErrno(AIXErrno(nil, nil, 51), nil, 1<<40)), "511099511627776"},
		{"P without hooks", string(ProcessPath(nil, nil, 42)), "42"},
		{"endtimer without hooks", string(EndTimer(StartTimer(nil, nil, 1, 2), nil, 1, 2)), ""},
		{"call without hooks", string(HookCall3(nil, nil, "flih", 1, 2, 3)), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
}

// TestAIXErrnoTable pins the numbers that aix.md 3.6 lists as different from Linux.
func TestAIXErrnoTable(t *testing.T) {
	n := 0
	for _, name := range aixErrnoNames {
		if name != "" {
			n++
		}
	}
	if n != 109 {
		t.Errorf("%d names, want 109", n)
	}
	for v, name := range map[uint64]string{
		1: "EPERM", 35: "ENOMSG", 45: "EDEADLK", 49: "ENOLCK", 52: "ESTALE", 55: "EINPROGRESS", 57: "ENOTSOCK",
		67: "EADDRINUSE",
		72: "ECONNABORTED", 73: "ECONNRESET", 78: "ETIMEDOUT", 79: "ECONNREFUSED", 82: "ERESTART", 85: "ELOOP",
		86: "ENAMETOOLONG",
		88: "EDQUOT", 109: "ENOSYS", 116: "EILSEQ", 117: "ECANCELED", 124: "ENOTSUP", 127: "EOVERFLOW",
	} {
		if got := string(AIXErrno(nil, nil, v)); got != name {
			t.Errorf("%d: got %s, want %s", v, got, name)
		}
	}
}

// clock is Hooks with one timer.
type clock struct{ now, start uint64 }

func (c *clock) StartTimer(_, _ uint64) { c.start = c.now }
func (c *clock) EndTimer(_, _ uint64) (uint64, bool) {
	us := (c.now - c.start) / 1000
	ok := c.start != 0
	c.start = 0
	return us, ok
}
func (c *clock) ProcessPath(dst []byte, pid uint64) ([]byte, bool) {
	return append(dst, "/usr/bin/ksh"...), pid == 8525
}
func (c *clock) Call(dst []byte, name string, args HookArgs) []byte {
	return Udec(append(dst, name...), args.V[args.N-1])
}

// TestHooks uses the deltas of the sample report, 7.936 and 5.376 us (aix.md 3.5).
func TestHooks(t *testing.T) {
	c := &clock{now: 1000}
	env := &Env{Hooks: c}
	run := func(dst []byte) []byte {
		c.now = 1000
		dst = StartTimer(dst, env, 1, 2)
		c.now += 7936
		dst = EndTimer(dst, env, 1, 2)
		dst = EndTimer(dst, env, 1, 2) // the timer is no longer running
		dst = StartTimer(dst, env, 1, 2)
		c.now += 5376
		dst = EndTimer(dst, env, 1, 2)
		dst = ProcessPath(append(dst, ' '), env, 8525)
		return HookCall2(append(dst, ' '), env, "vpage", 1, 42)
	}
	buf := run(nil)
	if got, want := string(buf), "[7 usec][5 usec] /usr/bin/ksh vpage42"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := testing.AllocsPerRun(10, func() { buf = run(buf[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestBits compares with one bit at a time, at every place and count around the ends.
func TestBits(t *testing.T) {
	b := []byte{0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0x0f, 0x5a, 0xff}
	for n := range len(b) + 1 {
		for at := int64(-1); at < 100; at++ {
			for count := int64(-1); count < 70; count++ {
				want := uint64(0)
				for i := range min(count, 64) {
					bit := max(at, 0) + i
					want <<= 1
					if bit/8 < int64(n) {
						want |= uint64(b[bit/8]>>(7-bit%8)) & 1
					}
				}
				if got := Bits(b[:n], at, count); got != want {
					t.Fatalf("%d bits at %d of %d bytes: got %#x, want %#x", count, at, n, got, want)
				}
			}
		}
	}
	if got := Bits(b, math.MaxInt64, math.MaxInt64); got != 0 {
		t.Errorf("got %#x far behind the end", got)
	}
}
