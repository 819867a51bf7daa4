package gen_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/mutate"
)

// TestMutantMarkersAgreeWithInterp: generated code and interp agree on events of LTTng with damaged
// formats, in every layout and from each layout to every other.
func TestMutantMarkersAgreeWithInterp(t *testing.T) {
	const batch = 200
	r := rand.New(rand.NewPCG(*mutantSeed, 3))
	var checks []func(*testing.T)
	for n := mutantCount(t, 5); n > 0; n -= batch {
		list := mutantMarkers(r, min(n, batch))
		var dirs []string
		for _, name := range slices.Sorted(maps.Keys(layouts)) {
			dir := filepath.Join(t.TempDir(), name)
			refused := writeMarkers(t, dir, layouts[name], r, list, 20)
			t.Logf("%s: %d of %d formats can be written", name, len(list)-len(refused), len(list))
			dirs = append(dirs, dir)
		}
		n, check := agreeOnMarkers(t, "30", dirs...)
		if n != len(dirs) {
			t.Errorf("%d of %d traces have markers", n, len(dirs))
		}
		checks = append(checks, check)
	}
	afterAll(t)
	for _, check := range checks {
		check(t)
	}
}

// mutantMarkers damages formats of n markers.
func mutantMarkers(r *rand.Rand, n int) (list [][3]string) {
	for i := range n {
		text := known[r.IntN(len(known))][2]
		if r.IntN(2) == 0 {
			text = drawFormat(r)
		}
		other := []byte(drawFormat(r))
		for range 1 + r.IntN(4) {
			// insert words of another format
			both, _, _ := mutate.Text(r, slices.Concat([]byte(text), []byte("\n"), other))
			text = string(bytes.ReplaceAll(bytes.TrimRight(both, "\n"), []byte("\n"), []byte(" ")))
		}
		if len(text) > 400 { // an event with hundreds of fields takes long to compile
			text = text[:400]
		}
		list = append(list, [3]string{"mutants", fmt.Sprint("m_", i), strings.ToValidUTF8(text, "?")})
	}
	return list
}
