package gen_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/internal/testkit/needs"
)

var (
	mutantsAsked, seedAsked = needs.Mutants()

	mutants = flag.Int("mutants", mutantsAsked,
		"mutants of each kind of description; 0 is as many as tests have time for")
	mutantSeed = flag.Uint64("mutants-seed", seedAsked, "seed of the mutants")
)

// mutantCount returns the number of mutants for a test that, without the long proofs, has time for
// only few.
func mutantCount(t *testing.T, few int) int {
	if *mutants > 0 {
		return *mutants
	}
	return needs.Cases(t, few, 1000)
}

// TestMutantsAgreeWithInterp checks that generated code and interp print the same for damaged
// descriptions, on random records in the compiled layout and in another one. A batch of mutants is
// one package.
func TestMutantsAgreeWithInterp(t *testing.T) {
	n := mutantCount(t, 8)
	m := newProgram(t)
	targets := []string{"le64", "be32"}
	args := map[string][]string{}
	for _, target := range targets {
		args[target] = []string{target, "formats", mutantFormats(t, target, n), "1"}
		u, err := unit.Load(args[target])
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d of %d mutants describe an event", target, len(u.Events), n)
		m.generate(u, gen.Options{Package: target, Text: true})
	}
	afterAll(t)
	bin := m.start(t)
	for _, target := range targets {
		agree(t, 2, bin, append([]string{"agree", target, "200"}, args[target]...)...)
	}
}

// mutantFormats writes an archive of n damaged format files, each in its own system.
func mutantFormats(t *testing.T, target string, n int) string {
	t.Helper()
	texts := readTexts(t, "../grammar/ftrace/testdata/formats/*")
	r := rand.New(rand.NewPCG(*mutantSeed, uint64(len(target))<<8|uint64(target[0])))
	tree := mutate.Tree{}
	for i := range n {
		tree[fmt.Sprintf("events/m%d/x/format", i)] = mutantText(r, texts, 3)
	}
	b, err := mutate.PackIntact(tree, ".tar.zst")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), target+".tar.zst")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// readTexts reads the files that patterns match.
func readTexts(t *testing.T, patterns ...string) (texts [][]byte) {
	t.Helper()
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatal("no files ", pattern, err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, b)
		}
	}
	return texts
}

// mutantText damages one of texts at up to most places. The Go compiler takes more than linear time
// and memory for one function. A text with a repeated line therefore stays short enough to compile
// in seconds.
func mutantText(r *rand.Rand, texts [][]byte, most int) []byte {
	text := texts[r.IntN(len(texts))]
	for range 1 + r.IntN(most) {
		text, _, _ = mutate.Text(r, text)
	}
	return text[:min(len(text), 16<<10)]
}
