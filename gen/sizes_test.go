package gen

import "testing"

func TestAmount(t *testing.T) {
	sizes := []envSizes{{4, 4, 2}, {4, 8, 4}, {8, 8, 6}, {8, 16, 8}} // of AIX
	for _, c := range []struct {
		values []int64
		want   string // empty: no sum
	}{
		{[]int64{4, 4, 8, 8}, "word"},
		{[]int64{2, 2, 6, 6}, "word - 2"},
		{[]int64{8, 8, 16, 16}, "2*word"},
		{[]int64{4, 8, 8, 16}, "head"},
		{[]int64{4, 6, 8, 10}, "start + 2"},
		{[]int64{16, 16, 24, 24}, "2*word + 8"},
		{[]int64{4, 8, 8, 12}, "2*start + 4 - word"},
		{[]int64{4, 8, 8, 8}, ""},
		{[]int64{1, 2, 3, 5}, ""},
	} {
		a, ok := amountOf(sizes, c.values)
		if got := a.code(); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%v: %s %v, want %s", c.values, got, ok, c.want)
		}
	}
}
