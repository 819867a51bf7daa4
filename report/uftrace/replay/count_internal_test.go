package replay

import (
	"strconv"
	"testing"
)

func TestCount(t *testing.T) {
	var c count
	for i := range 120_000 {
		if got := string(c.next()); got != strconv.Itoa(i) {
			t.Fatalf("%s after %d", got, i)
		}
	}
}
