package bind

import (
	"slices"
	"testing"
)

// An incomplete element at the end is ignored. A loop can be left early.
func TestElements(t *testing.T) {
	data := host(uint16(1), uint16(0xffff), uint16(3), uint16(4), "x")
	var got []int16
	for i, v := range Int16s(data).All() {
		if got = append(got, v); i == 2 {
			break
		}
	}
	if want := []int16{1, -1, 3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	n := 0
	for i, v := range Uint64s(data).All() {
		if n++; i != 0 || v != Uint64s(data).At(0) {
			t.Error(i, v)
		}
	}
	if n != 1 {
		t.Errorf("%d elements", n)
	}
}
