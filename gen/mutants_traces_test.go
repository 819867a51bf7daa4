package gen_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/runtime/lttng"
)

// TestMutantTracesAgreeWithInterp checks that decoders generated from intact LTTng traces and
// interp read the same from damaged traces. Decoders generated from damaged traces must read the
// same as well.
func TestMutantTracesAgreeWithInterp(t *testing.T) {
	const batch, most = 10, 20 // mutants of a program and of a layout; building programs takes longest
	var checks []func(*testing.T)
	for i, name := range slices.Sorted(maps.Keys(layouts)) {
		r := rand.New(rand.NewPCG(*mutantSeed, 7<<8|uint64(i)))
		intact := filepath.Join(t.TempDir(), name)
		writeTrace(t, intact, layouts[name], uint64(i), 10, 60)
		sample := mutate.NewLTTng(name, treeOf(t, intact))
		for n := min(mutantCount(t, 2), most); n > 0; n -= batch {
			dirs := []string{intact}
			for k := range min(n, batch) {
				dir := filepath.Join(t.TempDir(), fmt.Sprint(name, n, "-", k))
				x := sample.Mutate(r, nil)
				writeTree(t, dir, x.Tree)
				rec, err := lttng.Open(dir)
				if err != nil {
					continue // opening reports the damage
				}
				rec.Close()
				if *mutants > 0 {
					t.Logf("%s: %v", filepath.Base(dir), x.Steps)
				}
				dirs = append(dirs, dir)
			}
			_, check := agreeOnMarkers(t, "5", dirs...)
			checks = append(checks, check)
		}
	}
	afterAll(t)
	for _, check := range checks {
		check(t)
	}
}

// treeOf reads a folder.
func treeOf(t *testing.T, dir string) mutate.Tree {
	t.Helper()
	tree := mutate.Tree{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		tree[name], err = os.ReadFile(filepath.Join(dir, name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func writeTree(t *testing.T, dir string, tree mutate.Tree) {
	t.Helper()
	for name, b := range tree {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
