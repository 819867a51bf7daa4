package gencode

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAppendNumbers appends integers of all sizes in both byte orders. Bytes that are left over are
// ignored.
func TestAppendNumbers(t *testing.T) {
	type flag uint16
	b := []byte{0xff, 1, 2, 3, 4, 5, 6, 7, 8}
	for _, x := range []struct{ got, want any }{
		{Append8([]int8{9}, b[:3]), []int8{9, -1, 1, 2}},
		{Append16([]flag(nil), b[:5], false), []flag{0x01ff, 0x0302}},
		{Append16([]int16{9}, b[:5], true), []int16{9, -0xff, 0x0203}},
		{Append32([]int32{}, b[:7], true), []int32{-0xfefdfd}},
		{Append32([]uint32{}, b[:8], false), []uint32{0x030201ff, 0x07060504}},
		{Append64([]uint64{1}, b, false), []uint64{1, 0x07060504030201ff}},
		{Append64([]int64{1}, b, true), []int64{1, -0xfefdfcfbfaf9f9}},
		{Append64([]int64{1}, b[:7], true), []int64{1}},
	} {
		if d := cmp.Diff(x.want, x.got); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
	}
}
