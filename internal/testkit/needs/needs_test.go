package needs

import (
	"os"
	"path/filepath"
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

// TestLeftOut checks the lines that CI reads. A test is noted once, by its package and its name
// without the names of subtests.
func TestLeftOut(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(PartialVariable, dir)
	t.Setenv(ProofsVariable, "")
	const pkg = "github.com/tracec/tracec/internal/testkit/needs"
	noted := func() (lines string) {
		t.Helper()
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			line, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lines += string(line)
		}
		return lines
	}
	Some(t, []int{1, 2}, 2)
	if got := noted(); got != "" {
		t.Errorf("nothing was left out, but %q is noted", got)
	}
	t.Run("within", func(t *testing.T) { Cases(t, 1, 2) })
	Some(t, []int{1, 2}, 1)
	if got, want := noted(), pkg+" TestLeftOut\n"; got != want {
		t.Errorf("noted %q, want %q", got, want)
	}
	LongProofs(nil)
	if got, want := noted(), pkg+"\n"+pkg+" TestLeftOut\n"; got != want {
		t.Errorf("noted %q, want %q", got, want)
	}
}
