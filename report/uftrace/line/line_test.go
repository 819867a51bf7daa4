package line_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/tracec/tracec/report/uftrace/line"
)

func TestDigits(t *testing.T) {
	for i := range 1000 {
		word := func(n uint32) string { return string(binary.LittleEndian.AppendUint32(nil, n)) }
		if got, want := word(line.Digits[i])+word(line.Blanks[i]), fmt.Sprintf("%03d\x00%3d\x00", i, i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
