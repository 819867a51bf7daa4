package gen_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestMutantHooksAgreeWithInterp checks that generated code and interp agree on the intact parts of
// damaged AIX templates: text, end and values.
func TestMutantHooksAgreeWithInterp(t *testing.T) {
	texts := readTexts(t, "../*/*/testdata/*.trcfmt", "testdata/hooks/*.trcfmt")
	const batch = 200 // with more, compiling the package takes gigabytes
	r := rand.New(rand.NewPCG(*mutantSeed, 2))
	var checks []func(*testing.T)
	for n := mutantCount(t, 5); n > 0; n -= batch {
		checks = append(checks, agreeOnHooks(t, "40", "mutants", mutantTemplates(t, r, texts, min(n, batch))))
	}
	afterAll(t)
	for _, check := range checks {
		check(t)
	}
}

// mutantTemplates writes n damaged files of templates.
func mutantTemplates(t *testing.T, r *rand.Rand, texts [][]byte, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i := range n {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%d.trcfmt", i)), mutantText(r, texts, 4),
			0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
