package needs

import (
	"slices"
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	var s tally
	var b strings.Builder
	s.write(&b)
	if b.Len() > 0 {
		t.Errorf("nothing was skipped: %q", b.String())
	}
	s.add("no jq (apt-get install jq)")
	s.add("long proofs (TRACEC_PROOFS=1, make proofs)")
	s.add("long proofs (TRACEC_PROOFS=1, make proofs)")
	s.write(&b)
	const want = "skipped 3: 2 long proofs (TRACEC_PROOFS=1, make proofs); 1 no jq (apt-get install jq)\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestSome(t *testing.T) {
	list := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	t.Setenv(ProofsVariable, "")
	for n, want := range map[int][]int{0: {}, 1: {0}, 3: {0, 3, 6}, 10: list, 20: list} {
		if got := Some(t, list, n); !slices.Equal(got, want) {
			t.Errorf("%d of %v: %v, want %v", n, list, got, want)
		}
	}
	if n := Cases(t, 3, 10); n != 3 {
		t.Errorf("%d cases, want 3", n)
	}
	t.Setenv(ProofsVariable, "1")
	if got := Some(t, list, 3); !slices.Equal(got, list) || Cases(t, 3, 10) != 10 {
		t.Errorf("the long proofs have %v and %d cases", got, Cases(t, 3, 10))
	}
}
