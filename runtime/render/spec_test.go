package render

import (
	"math"
	"strconv"
	"testing"
	"testing/quick"
)

// spec reads a conversion without arguments: "%-08x".
func spec(t *testing.T, format string) Spec {
	t.Helper()
	d, end := parseDirective(format, 1)
	if d.spec.Verb == 0 || end != len(format) {
		t.Fatalf("bad conversion %q", format)
	}
	return d.spec
}

// The expectations follow number() in lib/vsprintf.c. Comments mark the differences from C.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		format string
		v      int64
		want   string
	}{
		{"%d", 0, "0"},
		{"%d", -1, "-1"},
		{"%d", math.MinInt64, "-9223372036854775808"},
		{"%i", 42, "42"},
		{"%5d", -42, "  -42"},
		{"%-5d", -42, "-42  "},
		{"%-1d", 42, "42"},
		{"%05d", -42, "-0042"},
		{"%-05d", 42, "42   "},
		{"%+d", 42, "+42"},
		{"%+d", -42, "-42"},
		{"% d", 42, " 42"},
		{"% +d", 42, "+42"},
		{"%+5d", 42, "  +42"},
		{"%+05d", 42, "+0042"},
		{"%.5d", -42, "-00042"},
		{"%8.5d", -42, "  -00042"},
		{"%08.5d", 42, "00000042"}, // C ignores 0 if there is a precision
		{"%.0d", 0, "0"},           // C prints nothing
		{"%u", 7, "7"},
		{"%+u", 7, "7"}, // the kernel knows a sign for d and i only
		{"%x", 255, "ff"},
		{"%X", 255, "FF"},
		{"%#x", 0, "0x0"}, // C prints 0
		{"%#x", 255, "0xff"},
		{"%#X", 255, "0XFF"},
		{"%.2x", 5, "05"},
		{"%#.2x", 5, "0x05"},
		{"%2.2x", 0x123, "123"},
		{"%08x", 0xbeef, "0000beef"},
		{"%#08x", 0xbeef, "0x00beef"},
		{"%#8x", 0xbeef, "  0xbeef"},
		{"%-#8x", 0xbeef, "0xbeef  "},
		{"%-08x", 0xbeef, "beef    "},
		{"%016x", -1, "ffffffffffffffff"},
		{"%4x", 0x12345, "12345"},
		{"%o", 8, "10"},
		{"%#o", 8, "010"},
		{"%#o", 0, "0"},
		{"%#5o", 0, "    0"},
		{"%05o", 8, "00010"},
		{"%c", 'a', "a"},
		{"%3c", 'a', "  a"},
		{"%-3c", 'a', "a  "},
		{"%03c", 'a', "  a"},
	} {
		if got := string(Int([]byte(">"), c.v, spec(t, c.format))); got != ">"+c.want {
			t.Errorf("%s of %d: got %q, want %q", c.format, c.v, got[1:], c.want)
		}
	}
	if got := string(Uint(nil, math.MaxUint64, spec(t, "%u"))); got != "18446744073709551615" {
		t.Errorf("largest number: got %s", got)
	}
	if got := string(Uint(nil, 1<<63, spec(t, "%+d"))); got != "+9223372036854775808" {
		t.Errorf("unsigned by d: got %s", got)
	}
	if got := string(Uint(nil, math.MaxUint64, spec(t, "%o"))); got != "1777777777777777777777" {
		t.Errorf("longest octal: got %s", got)
	}
}

func TestFastPathsAgreeWithStrconv(t *testing.T) {
	same := func(v uint64, shift uint8) bool {
		v >>= shift & 63
		return string(Udec(nil, v)) == strconv.FormatUint(v, 10) &&
			string(Dec(nil, int64(v))) == strconv.FormatInt(int64(v), 10) &&
			string(HexLower(nil, v)) == strconv.FormatUint(v, 16)
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 20000}); err != nil {
		t.Error(err)
	}
	for p := uint64(1); ; p *= 10 {
		for _, v := range []uint64{p - 1, p, p + 1} {
			if got := string(Udec(nil, v)); got != strconv.FormatUint(v, 10) {
				t.Errorf("%d: got %s", v, got)
			}
		}
		if p == 1e19 {
			break
		}
	}
	for v, want := range map[uint64]string{0: "0000", 0xab: "00ab", 0xabcde: "abcde"} {
		if got := string(HexPad(nil, v, 4)); got != want {
			t.Errorf("HexPad of %#x: got %s, want %s", v, got, want)
		}
	}
}

// The fast and the slow path for a number must agree. A precision of 1 forces the slow path.
func TestPlainAgreesWithNumber(t *testing.T) {
	for _, verb := range []byte("dxXou") {
		for _, v := range []uint64{0, 1, 9, 10, 99, 100, 12345678, math.MaxUint64} {
			s := Spec{Verb: verb, Prec: -1}
			if fast, slow := string(Uint(nil, v, s)), string(number(nil, v, 0, s)); fast != slow {
				t.Errorf("%c of %d: %s and %s", verb, v, fast, slow)
			}
		}
	}
}

func TestWith(t *testing.T) {
	base := Spec{Verb: 'd', Prec: -1}
	for _, c := range []struct {
		width, prec int64
		hasW, hasP  bool
		want        Spec
	}{
		{5, 3, true, true, Spec{Verb: 'd', Width: 5, Prec: 3}},
		{-5, -3, true, true, Spec{Verb: 'd', Minus: true, Width: 5, Prec: -1}},
		{9, 9, false, false, base},
		{math.MinInt64, 0, true, false, Spec{Verb: 'd', Minus: true, Width: MaxWidth, Prec: -1}},
		{math.MaxInt64, math.MaxInt64, true, true, Spec{Verb: 'd', Width: MaxWidth, Prec: math.MaxInt32}},
	} {
		if got := base.With(c.width, c.prec, c.hasW, c.hasP); got != c.want {
			t.Errorf("With(%d, %d, %v, %v) = %+v, want %+v", c.width, c.prec, c.hasW, c.hasP, got, c.want)
		}
	}
}

func TestPad(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"%s", "abc", "abc"},
		{"%5s", "abc", "  abc"},
		{"%-5s", "abc", "abc  "},
		{"%05s", "abc", "  abc"},
		{"%2s", "abc", "abc"},
		{"%.2s", "abc", "ab"},
		{"%5.2s", "abc", "   ab"},
		{"%-5.2s", "abc", "ab   "},
		{"%.0s", "abc", ""},
		{"%12s", "abcdefghij", "  abcdefghij"},
		{"%4s", "", "    "},
	} {
		dst := append([]byte("comm="), c.text...)
		if got := string(Pad(dst, 5, spec(t, c.format))); got != "comm="+c.want {
			t.Errorf("%s of %q: got %q, want %q", c.format, c.text, got, "comm="+c.want)
		}
	}
	if got := string(Pad([]byte("x"), 9, Spec{Width: 5})); got != "x" {
		t.Errorf("start behind the text: got %q", got)
	}
	if got := len(Pad(nil, 0, Spec{Width: math.MaxInt, Prec: -1})); got != MaxWidth {
		t.Errorf("huge width: %d bytes", got)
	}
}

func TestCString(t *testing.T) {
	for in, want := range map[string]string{"sh\x00rubbish": "sh", "full": "full", "": "", "\x00": ""} {
		if got := string(CString([]byte(in))); got != want {
			t.Errorf("%q: got %q", in, got)
		}
	}
}
