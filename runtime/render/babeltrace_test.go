package render

import "testing"

// TestBabeltrace has values as babeltrace2 prints them (docs/spec/ctf.md 7.3).
func TestBabeltrace(t *testing.T) {
	table := Table{{Value: 1}, {Value: 1, Text: "A"}, {Value: 2}, {Value: 2, Text: "B"}, {Value: 8},
		{Value: 9, Text: "C"}, {Value: 9}, {Value: 9, Text: "D"}}
	for _, c := range []struct {
		got  []byte
		want string
	}{
		{BtInteger(nil, nil, ^uint64(0), 12, 16), "0xFFF"},
		{BtInteger(nil, nil, 0x1f2e3d, 61, 16), "0x1F2E3D"},
		{BtInteger(nil, nil, 0, 8, 8), "00"},
		{BtInteger(nil, nil, 5, 4, 2), "0b0101"},
		{BtIntegers(nil, nil, nil, "4n"), "[ ]"},
		{BtIntegers(nil, nil, []byte{0xff, 1}, "1sn"), "[ [0] = -1, [1] = 1 ]"},
		{BtIntegers(nil, nil, []byte{0, 1, 0, 2}, "2b"), "[ 1, 2 ]"},
		{BtIntegers(nil, nil, []byte{0xfe, 0xff, 0xff, 0xff}, "4sx"), "[ 0xFFFFFFFE ]"},
		{BtString(nil, nil, []byte("a\"\x01\x7f\n\xc3\xa9\x00b")), "\"a\\\"\\x01\\x7f\\n\xc3\xa9\""},
		{BtString(nil, nil, []byte("ab")), `"ab"`},
		{BtLabels(nil, nil, 9, "", table), `{ "C", "D" }`},
		{BtLabels(nil, nil, 9, "b", table), `"C", "D"`},
		{BtLabels(nil, nil, 3, "", table), `<unknown>`},
		{BtLabels(nil, nil, 3, "f", table), `"A" | "B"`},
		{BtLabels(nil, nil, 7, "f", table), `<unknown>`},
		{BtLabels(nil, nil, 0, "f", table), `<unknown>`},
		{BtSignedLabels(nil, nil, ^uint64(0), "", Table{{Value: ^uint64(1)}, {Value: 0, Text: "near"}}), `"near"`},
		{BtFlags(nil, nil, 2, Table{{Value: 0}, {Value: 0, Text: "a"}, {Value: 1}, {Value: 3, Text: "b"}}), ` { "b" }`},
		{BtBlob(nil, nil, []byte{1, 0xab}), "{ 01 ab }"},
	} {
		if string(c.got) != c.want {
			t.Errorf("%s, not %s", c.got, c.want)
		}
	}
}
