package needs

import (
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
