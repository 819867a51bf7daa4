package line_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/report/uftrace/line"
)

// TestAppend: Append is append, whatever room there is, and changes nothing before and after the text.
func TestAppend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		made := func(label string) []byte {
			all := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, label)
			return all[:rapid.IntRange(0, len(all)).Draw(t, "used")]
		}
		dst, text := made("buffer"), made("text")
		want := string(dst) + string(text)
		whole := string(text[:cap(text)])
		if got := string(line.Append(dst, text)); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
		if string(text[:cap(text)]) != whole {
			t.Fatal("the text has changed")
		}
	})
}

func TestDigits(t *testing.T) {
	for i := range 1000 {
		word := func(n uint32) string { return string(binary.LittleEndian.AppendUint32(nil, n)) }
		if got, want := word(line.Digits[i])+word(line.Blanks[i]), fmt.Sprintf("%03d\x00%3d\x00", i, i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
