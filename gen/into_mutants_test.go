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

// TestIntoAgreesOnMutants checks that structs for events with damaged descriptions, of all four
// languages, hold the values that interp reads. A batch of mutants is one package.
func TestIntoAgreesOnMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(*mutantSeed, 6))
	checks := map[string][]func(*testing.T){}
	checks["formats"] = append(checks["formats"], intoMutantFormats(t, mutantCount(t, 6)))
	texts := readTexts(t, "../*/*/testdata/*.trcfmt", "testdata/hooks/*.trcfmt")
	for n := mutantCount(t, 3); n > 0; n -= 200 {
		source := []string{"mutants", mutantTemplates(t, r, texts, min(n, 200))}
		checks["templates"] = append(checks["templates"], intoHooks(t, uint64(n), "40", source))
	}
	var dirs []string
	for n := mutantCount(t, 20); n > 0; n -= 300 {
		dir := unpack(t, "testdata/calls/first.tar.gz", t.TempDir())
		mutateSpecs(t, r, dir, min(n, 300))
		dirs = append(dirs, dir)
	}
	checks["specs"] = append(checks["specs"], intoSequential(t, "calls", "40", len(dirs), dirs,
		func(dir string) *ir.Unit {
			u, _ := calls.Unit(openUftrace(t, dir), everything)
			return u
		}))
	for n := mutantCount(t, 4); n > 0; n -= 200 {
		list := mutantMarkers(r, min(n, 200))
		var dirs []string
		for _, name := range slices.Sorted(maps.Keys(layouts)) {
			dir := filepath.Join(t.TempDir(), fmt.Sprint(name, n))
			writeMarkers(t, dir, layouts[name], r, list, 20)
			dirs = append(dirs, dir)
		}
		checks["markers"] = append(checks["markers"],
			intoSequential(t, "markers", "20", len(dirs), dirs, func(dir string) *ir.Unit {
				u, _ := markers.Unit(openLTTng(t, dir), everything)
				return u
			}))
	}
	afterAll(t)
	for name, list := range checks {
		t.Run(name, func(t *testing.T) {
			for _, check := range list {
				check(t)
			}
		})
	}
}

// intoMutantFormats generates decoders of damaged format files, and returns a function that
// compares them.
func intoMutantFormats(t *testing.T, n int) (check func(*testing.T)) {
	t.Helper()
	m := newProgram(t)
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
	return func(t *testing.T) {
		bin := m.start(t)
		for _, target := range targets {
			agree(t, 3, bin, append([]string{"own", "fixed", target, "100"}, args[target]...)...)
		}
	}
}
