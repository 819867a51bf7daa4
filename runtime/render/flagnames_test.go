package render

import "testing"

// TestFlagNames covers flags, values under a mask, and the value 0.
func TestFlagNames(t *testing.T) {
	rows := Table{
		{Value: ^uint64(0)}, {Value: 0, Text: "none"}, {Value: 1, Text: "express"}, {Value: 2, Text: "gift"},
		{Value: 0x30}, {Value: 0, Text: "plain"}, {Value: 0x30}, {Value: 0x10, Text: "insured"}, {Value: 0x30},
		{Value: 0x20, Text: "registered"},
	}
	for v, want := range map[uint64]string{
		0: "none|plain", 1: "express|plain", 3: "express|gift|plain", 0x10: "insured", 0x23: "express|gift|registered",
		0x30: "0x30",
		0x41: "express|plain|0x40", ^uint64(0): "express|gift|0xfffffffffffffffc",
	} {
		if have := string(FlagNames(nil, nil, v, rows)); have != want {
			t.Errorf("%#x: %s, want %s", v, have, want)
		}
	}
	if have := string(FlagNames(nil, nil, 0, rows[2:4])); have != "0" {
		t.Error(have)
	}
	signed := Table{{Value: ^uint64(0), Text: "none"}}
	if have := string(SignedName(SignedName(nil, nil, ^uint64(0), signed), nil, ^uint64(1), signed)); have != "none-2" {
		t.Error(have)
	}
}

// TestRangeName: ranges of one value, of several values, and ranges from negative to positive
// values. The first matching range counts.
func TestRangeName(t *testing.T) {
	minus := func(n int64) uint64 { return uint64(-n) }
	rows := Table{{Value: 1, Text: "one"}, {Value: 1}, {Value: 5, Text: "few"}, {Value: minus(3)},
		{Value: 0, Text: "less"}}
	for v, want := range map[uint64]string{
		1: "one", 2: "few", 5: "few", 6: "6", 0: "less", minus(3): "less", minus(4): "-4",
	} {
		if have := string(SignedRangeName(nil, nil, v, rows)); have != want {
			t.Errorf("%#x: %s, want %s", v, have, want)
		}
	}
	if have := string(RangeName(RangeName(nil, nil, 4, rows), nil, minus(4), rows)); have != "few18446744073709551612" {
		t.Error(have)
	}
}
