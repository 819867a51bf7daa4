package aix_test

import (
	"testing"

	"github.com/tracec/tracec/runtime/aix"
)

// TestDataWord: words have the size of the hook's program. Words that are not whole are 0.
func TestDataWord(t *testing.T) {
	data := []byte{0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 0, 0, 0, 0, 3, 4, 4, 4}
	for _, test := range []struct {
		flags aix.Flags
		n     int
		want  uint64
		sign  int64
	}{
		{0, 0, 1, 1}, {0, 1, 0xfffffffe, -2}, {0, 3, 3, 3}, {0, 4, 0, 0},
		{aix.Hook64, 0, 0x1fffffffe, 0x1fffffffe}, {aix.Hook64, 1, 3, 3}, {aix.Hook64, 2, 0, 0},
	} {
		e := aix.Entry{Flags: test.flags}
		if w, s := e.DataWord(data, test.n), e.SignedDataWord(data, test.n); w != test.want || s != test.sign {
			t.Errorf("word %d, flags %v: %d, %d; want %d, %d", test.n, test.flags, w, s, test.want, test.sign)
		}
	}
}
