package render

import (
	"encoding/binary"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestBabeltrace has values in the form in which babeltrace2 prints them (docs/spec/ctf.md 7.3).
func TestBabeltrace(t *testing.T) {
	table := Table{{Value: 1}, {Value: 1, Text: "A"}, {Value: 2}, {Value: 2, Text: "B"}, {Value: 8},
		{Value: 9, Text: "C"}, {Value: 9}, {Value: 9, Text: "D"}}
	for _, c := range []struct {
		got  []byte
		want string
	}{
		{BtBinary(nil, nil, 5, 4), "0b0101"},
		{BtIntegers(nil, nil, nil, 4, 10|BtIndexes), "[ ]"},
		{BtIntegers(nil, nil, []byte{0xff, 1}, 1, 10|BtSigned|BtIndexes), "[ [0] = -1, [1] = 1 ]"},
		{BtIntegers(nil, nil, []byte{0, 1, 0, 2}, 2, 10|BtBig), "[ 1, 2 ]"},
		{BtIntegers(nil, nil, []byte{0xfe, 0xff, 0xff, 0xff}, 4, 16|BtSigned), "[ 0xFFFFFFFE ]"},
		{BtString(nil, nil, []byte("a\"\x01\x7f\n\xc3\xa9\x00b")), "\"a\\\"\\x01\\x7f\\n\xc3\xa9\""},
		{BtIntegers(nil, nil, []byte{0xff, 0}, 1, 8|BtSigned), "[ 0777, 00 ]"},
		{BtIntegers(nil, nil, []byte{5}, 1, 2|BtIndexes), "[ [0] = 0b00000101 ]"},
		{BtIntegers(nil, nil, make([]byte, 12), 1, 10|BtIndexes),
			"[ [0] = 0, [1] = 0, [2] = 0, [3] = 0, [4] = 0, [5] = 0, " +
				"[6] = 0, [7] = 0, [8] = 0, [9] = 0, [10] = 0, [11] = 0 ]"},
		{BtString(nil, nil, []byte("ab")), `"ab"`},
		{BtLabels(nil, nil, 9, "", table), `{ "C", "D" }`},
		{BtLabels(nil, nil, 9, "b", table), `"C", "D"`},
		{BtLabels(nil, nil, 3, "", table), `<unknown>`},
		{BtLabels(nil, nil, 3, "f", table), `"A" | "B"`},
		{BtLabels(nil, nil, 7, "f", table), `<unknown>`},
		{BtLabels(nil, nil, 0, "f", table), `<unknown>`},
		{BtLabels(nil, nil, ^uint64(0), "", Table{{Value: ^uint64(1)}, {Value: 0, Text: "near"}}), `"near"`},
		{BtFlags(nil, nil, 2, Table{{Value: 0}, {Value: 0, Text: "a"}, {Value: 1}, {Value: 3, Text: "b"}}), ` { "b" }`},
		{BtBlob(nil, nil, []byte{1, 0xab}), "{ 01 ab }"},
	} {
		if string(c.got) != c.want {
			t.Errorf("%s, not %s", c.got, c.want)
		}
	}
}

// TestBtIntegers compares lists with fmt.
func TestBtIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Int32(), 0, 150).Draw(t, "list")
		signed, hex, plain, data := "[", "[", "[", []byte(nil)
		for i, v := range list {
			if i > 0 {
				signed, hex, plain = signed+",", hex+",", plain+","
			}
			data = binary.BigEndian.AppendUint32(data, uint32(v))
			signed += fmt.Sprintf(" [%d] = %d", i, v)
			hex += fmt.Sprintf(" [%d] = 0x%X", i, uint32(v))
			plain += fmt.Sprintf(" %d", uint32(v))
		}
		for form, want := range map[uint64]string{10 | BtSigned | BtIndexes: signed, 16 | BtIndexes: hex,
			16 | BtSigned | BtIndexes: hex, 10: plain} {
			if got := string(BtIntegers(nil, nil, data, 4, form|BtBig)); got != want+" ]" {
				t.Fatalf("%s, not %s ]", got, want)
			}
		}
	})
}

// TestBtIntegersOfOtherSizes: lists of integers of other sizes print as empty lists.
func TestBtIntegersOfOtherSizes(t *testing.T) {
	for _, size := range []uint64{0, 3, 5, 16, 1 << 63, 1<<64 - 1} {
		if got := string(BtIntegers(nil, nil, make([]byte, 20), size, 10)); got != "[ ]" {
			t.Errorf("size %d: %s", size, got)
		}
	}
}

// TestBtString: texts of any bytes are escaped byte by byte according to the table.
func TestBtString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SampledFrom([]byte("\"'?\\\n\x00\x1f\x20\x7e\x7f\x80\xa2\xff"))
		text := rapid.SliceOfN(rapid.OneOf(some, rapid.Byte(), rapid.ByteRange('a', 'z')), 0, 40).Draw(t, "text")
		want := []byte{'"'}
		for _, c := range text {
			if c == 0 {
				break
			}
			if btEscapes[c] != 0 {
				want = btEscape(want, c)
			} else {
				want = append(want, c)
			}
		}
		if want = append(want, '"'); string(BtString(nil, nil, text)) != string(want) {
			t.Fatalf("%s, not %s", BtString(nil, nil, text), want)
		}
	})
}
