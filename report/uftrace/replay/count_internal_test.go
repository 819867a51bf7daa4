package replay

import (
	"strconv"
	"testing"
)

func TestCount(t *testing.T) {
	var c count
	for i := range 120_000 {
		if got, want := string(c.append([]byte("a"))), "a["+strconv.Itoa(i); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
}
