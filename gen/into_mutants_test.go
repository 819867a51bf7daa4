package gen_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	markers "github.com/tracec/tracec/compiler/lttng/recorded"
	calls "github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
)

// TestIntoAgreesOnMutants: structs for events whose descriptions were damaged hold what interp reads, of all four languages. A batch of mutants is one package.
func TestIntoAgreesOnMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	goList(t)
	r := rand.New(rand.NewPCG(*mutantSeed, 6))
	t.Run("formats", func(t *testing.T) {
		n := mutantCount(20)
		m := newModule(t)
		m.driver("own")
		targets := []string{"le64", "be32"}
		args := map[string][]string{}
		for i, target := range targets {
			args[target] = []string{target, "formats", mutantFormats(t, target, n), "1"}
			u, err := unit.Load(args[target])
			if err != nil {
				t.Fatal(err)
			}
			m.drawn(target, u, uint64(i), 1)
		}
		m.ownDecoders(targets...)
		bin := m.start("own", nil)
		for _, target := range targets {
			agree(t, m, 3, bin, append([]string{"fixed", target, "100"}, args[target]...)...)
		}
	})
	t.Run("templates", func(t *testing.T) {
		texts := readTexts(t, "../*/*/testdata/*.trcfmt", "testdata/hooks/*.trcfmt")
		for n := mutantCount(10); n > 0; n -= 200 {
			source := []string{"mutants", mutantTemplates(t, r, texts, min(n, 200))}
			m := newModule(t)
			m.driver("own")
			m.drawn("hooks", hooksOf(t, "drawn", source), uint64(n), 1)
			m.ownDecoders("hooks")
			agree(t, m, 1, m.start("own", nil), append([]string{"hooks", "hooks", "40"}, source...)...)
		}
	})
	t.Run("specs", func(t *testing.T) {
		var dirs []string
		for n := mutantCount(40); n > 0; n -= 300 {
			dir := unpack(t, "testdata/calls/first.tar.gz", t.TempDir())
			mutateSpecs(t, r, dir, min(n, 300))
			dirs = append(dirs, dir)
		}
		intoSequential(t, "calls", "40", len(dirs), dirs, func(dir string) *ir.Unit {
			u, _ := calls.Unit(openUftrace(t, dir), everything)
			return u
		})
	})
	t.Run("markers", func(t *testing.T) {
		for n := mutantCount(8); n > 0; n -= 200 {
			list := mutantMarkers(r, min(n, 200))
			var dirs []string
			for _, name := range slices.Sorted(maps.Keys(layouts)) {
				dir := filepath.Join(t.TempDir(), fmt.Sprint(name, n))
				writeMarkers(t, dir, layouts[name], r, list, 20)
				dirs = append(dirs, dir)
			}
			intoSequential(t, "markers", "20", len(dirs), dirs, func(dir string) *ir.Unit {
				u, _ := markers.Unit(openLTTng(t, dir), everything)
				return u
			})
		}
	})
}
