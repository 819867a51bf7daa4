package gen_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/internal/mutate"
)

// TestMutantHooksAgreeWithInterp: generated code and interp agree on what is left of damaged templates of AIX: text, end and values.
func TestMutantHooksAgreeWithInterp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	names, err := filepath.Glob("../*/*/testdata/*.trcfmt")
	if err != nil || len(names) == 0 {
		t.Fatal("no templates", err)
	}
	more, err := filepath.Glob("testdata/hooks/*.trcfmt")
	if err != nil {
		t.Fatal(err)
	}
	var texts [][]byte
	for _, name := range append(names, more...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, b)
	}
	const batch = 200 // of more, the package takes gigabytes to compile
	r := rand.New(rand.NewPCG(*mutantSeed, 2))
	for n := mutantCount(30); n > 0; n -= batch {
		agreeOnHooks(t, "40", "mutants", mutantTemplates(t, r, texts, min(n, batch)))
	}
}

// mutantTemplates writes n damaged files of templates.
func mutantTemplates(t *testing.T, r *rand.Rand, texts [][]byte, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i := range n {
		text := texts[r.IntN(len(texts))]
		for range 1 + r.IntN(4) {
			text, _, _ = mutate.Text(r, text)
		}
		if len(text) > 64<<10 { // a line repeated: no more code than a compiler likes
			text = text[:64<<10]
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%d.trcfmt", i)), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
