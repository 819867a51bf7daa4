package line_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/tracec/tracec/report/uftrace/internal/line"
)

func TestDigits(t *testing.T) {
	for i := range 1000 {
		word := func(n uint32) string { return string(binary.LittleEndian.AppendUint32(nil, n)) }
		if got, want := word(line.Digits[i])+word(line.Blanks[i]), fmt.Sprintf("%03d\x00%3d\x00", i, i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestNumber: Number writes the same as strconv.
func TestNumber(t *testing.T) {
	for v := range uint64(1200) {
		var b [20]byte
		if got := string(b[:line.Number(b[:], v)]); got != strconv.FormatUint(v, 10) {
			t.Errorf("Number(%d) wrote %q", v, got)
		}
	}
	var b [20]byte
	if got := string(b[:line.Number(b[:], math.MaxUint64)]); got != "18446744073709551615" {
		t.Errorf("the largest number is %q", got)
	}
}
