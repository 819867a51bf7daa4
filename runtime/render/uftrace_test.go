package render_test

import (
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/runtime/render"
)

// strconv and math/big round like the C library. Package compiler/uftrace compares with the tool
// itself.
func TestUftraceFloatRounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.Uint64().Draw(t, "bits")
		if rapid.Bool().Draw(t, "near 1") { // where decimals are
			bits = bits&^(0x7ff<<52) | (1023+uint64(rapid.IntRange(-80, 80).Draw(t, "exponent")))<<52
		}
		if rapid.Bool().Draw(t, "tie") {
			bits &^= 1<<rapid.IntRange(30, 52).Draw(t, "zeros") - 1
		}
		f := math.Float64frombits(bits)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			t.Skip()
		}
		if got, want := string(render.UftraceFloat(nil, nil, bits, 8)),
			strconv.FormatFloat(f, 'f', 6, 64); got != want {
			t.Fatalf("%x: %s, want %s", bits, got, want)
		}
		single := float32(f)
		if math.IsInf(float64(single), 0) {
			return
		}
		got, want := string(render.UftraceFloat(nil, nil, uint64(math.Float32bits(single)), 4)),
			strconv.FormatFloat(float64(single), 'f', 6, 64)
		if got != want {
			t.Fatalf("float %x: %s, want %s", math.Float32bits(single), got, want)
		}
	})
}

func TestUftraceFloat80Rounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mant := rapid.Uint64().Draw(t, "mantissa") | 1<<63
		if rapid.Bool().Draw(t, "tie") {
			mant &^= 1<<rapid.IntRange(30, 63).Draw(t, "zeros") - 1
		}
		exp := rapid.IntRange(-140, 200).Draw(t, "exponent")
		b := make([]byte, 10)
		binary.LittleEndian.PutUint64(b, mant)
		binary.LittleEndian.PutUint16(b[8:], uint16(16383+exp))
		f := new(big.Float).SetUint64(mant)
		f.SetMantExp(f, exp-63)
		want := f.Text('f', 6)
		if got := string(render.UftraceFloat80(nil, nil, b, false)); got != want {
			t.Fatalf("%x: %s, want %s", b, got, want)
		}
		for i := range 5 {
			b[i], b[9-i] = b[9-i], b[i]
		}
		if got := string(render.UftraceFloat80(nil, nil, b, true)); got != want {
			t.Fatalf("big-endian %x: %s, want %s", b, got, want)
		}
	})
}

// Rendering of common values does not allocate.
func TestUftraceAllocatesNothing(t *testing.T) {
	buf := make([]byte, 0, 1024)
	s, odd := []byte("a string\n"), []byte("caf\xe9 \xff\n")
	env := &render.Env{Symbols: symbols{}}
	table := render.Table{{Value: 5, Text: "five"}, {Value: 1, Text: "one"}}
	f80 := []byte{0, 0, 0, 0, 0, 0, 0, 0xa0, 0, 0x40}
	if n := testing.AllocsPerRun(100, func() {
		b := render.UftraceAuto(buf[:0], nil, 0xfffffff0, 4)
		b = render.UftraceUnsigned(b, nil, 123456)
		b = render.UftraceOctal(render.UftraceHex(b, nil, 77), nil, 8)
		b = render.UftraceString(render.UftraceString(b, nil, s), nil, odd)
		b = render.UftraceStringJSON(render.UftraceRaw(b, nil, s), nil, odd)
		b = render.UftracePointerDump(render.UftracePointer(b, env, 4096), env, 4096, "0")
		b = render.UftraceEnum(b, nil, 7, table)
		b = render.UftraceFloat80(render.UftraceFloat(b, nil, math.Float64bits(2.5), 8), nil, f80, false)
		b = render.UftraceStruct(b, nil, s)
		render.UftracePercent(render.UftraceRatio(b, nil, 3, 4), nil, 3, 4)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

type symbols struct{}

func (symbols) Symbol(addr uint64) (string, uint64, bool) { return "name", addr & 4095, addr >= 4096 }

// A missing long double prints nothing. The longest one prints within the bounds.
func TestUftraceFloat80Bounds(t *testing.T) {
	for n := range 10 {
		if got := render.UftraceFloat80(render.UftraceFloat80Dump(nil, nil, make([]byte, n), false), nil,
			make([]byte, n), true); len(got) != 0 {
			t.Errorf("%d bytes: %q", n, got)
		}
	}
	largest := []byte(strings.Repeat("\xff", 8) + "\xfe\x7f")
	if got := render.UftraceFloat80(nil, nil, largest, false); len(got) != 4933+7 {
		t.Errorf("%d characters", len(got))
	}
}

// TestUftraceEnumWidth uses enumerations as DWARF describes them, and registers as the recorder
// stores them. The texts of wide enumerations come from uftrace 0.19, the texts of negative ones
// from 0.13.
func TestUftraceEnumWidth(t *testing.T) {
	big := render.Table{{1<<63 - 1, "BIG_B"}, {0x100000000, "BIG_A"}, {0, "BIG_ZERO"}, {^uint64(4999999999), "BIG_NEG"}}
	neg := render.Table{{7, "POS"}, {^uint64(0), "NEG_B"}, {^uint64(2), "NEG_A"}}
	flags := render.Table{{0x80000000, "FL_X"}, {4, "FL_C"}, {2, "FL_B"}, {1, "FL_A"}}
	for _, c := range []struct {
		rows render.Table
		v    uint64
		want string
	}{
		{big, 0x100000000, "BIG_A"}, {big, 0, "BIG_ZERO"}, {big, 1<<63 - 1, "BIG_B"},
		{big, 0xfffffffed5fa0e00, "BIG_NEG"},
		{neg, 0xfffffffd, "NEG_A"}, {neg, 0xffffffff, "NEG_B"}, {neg, 7, "POS"}, {neg, 0xdeadbeef00000007, "POS"},
		{flags, 5, "FL_C|FL_A"}, {flags, 0x80000001, "FL_X|FL_A"}, {flags, 0, "0"},
	} {
		if got := string(render.UftraceEnum(nil, nil, c.v, c.rows)); got != c.want {
			t.Errorf("%#x: %s, want %s", c.v, got, c.want)
		}
	}
}
