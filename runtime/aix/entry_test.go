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

// TestHookWord: the hook data are the end of the hook word. A 32-bit hook that is not generic
// counts words, including the hook word. All others hold the number of bytes.
func TestHookWord(t *testing.T) {
	data := []byte{0x02, 0x13, 0x12, 0x34, 0x00, 0x00, 0x56, 0x78}
	empty := []byte{0x02, 0x18, 0x12, 0x34, 0x00, 0x00, 0x56, 0x78}
	for _, test := range []struct {
		flags  aix.Flags
		data   []byte
		sub    uint16
		length uint64
	}{
		{0, data, 0x1234, 8}, {0, empty, 0x1234, 0}, {aix.Generic, data, 0x1234, 0x1234},
		{aix.Hook64, data, 0x5678, 0x1234}, {aix.Hook64 | aix.Generic, data, 0x5678, 0x1234},
	} {
		e := aix.Entry{Flags: test.flags}
		if s, n := e.Subhook(test.data), e.HookLength(test.data); s != test.sub || n != test.length {
			t.Errorf("flags %v: %#x and %d bytes, want %#x and %d", test.flags, s, n, test.sub, test.length)
		}
	}
}
