package gen_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/runtime/ftrace"
)

// TestMutantRecordingsAgreeWithInterp checks that decoders generated from intact recordings and
// interp read the same from damaged ones. If only records are damaged, it compares texts. If the
// recording's own description is damaged as well, it compares the values according to that
// description.
func TestMutantRecordingsAgreeWithInterp(t *testing.T) {
	m := newProgram(t)
	texts, values := map[string][]string{}, map[string][]string{}
	for name, target := range map[string]string{"amd64-markers": "le64", "s390x-markers": "be64",
		"i386-userstack": "le32", "amd64-triggers": "le64"} {
		rec, err := ftrace.Open("../testdata/ftrace/" + name + ".dat")
		if err != nil {
			t.Fatal(err)
		}
		model, err := mutate.NewFtrace(name, rec)
		rec.Close()
		if err != nil {
			t.Fatal(err)
		}
		dir, pkg := t.TempDir(), "p"+strconv.Itoa(len(m.packages))
		intact := filepath.Join(dir, "intact.dat")
		if err := os.WriteFile(intact, model.Sample("v7").Tree[""], 0o666); err != nil {
			t.Fatal(err)
		}
		u, err := unit.Load([]string{target, "recording", intact, "1"})
		if err != nil {
			t.Fatal(err)
		}
		m.generate(u, gen.Options{Package: pkg, Text: true, Split: true})
		r := rand.New(rand.NewPCG(*mutantSeed, uint64(len(name))<<8|uint64(name[0])))
		for i := range mutantCount(t, 60) {
			x, page := model.Mutate(r, mutate.Containers[i%len(mutate.Containers)])
			file := filepath.Join(dir, fmt.Sprintf("m%d.dat", i))
			if err := os.WriteFile(file, x.Tree[""], 0o666); err != nil {
				t.Fatal(err)
			}
			rec, err := ftrace.Open(file)
			if err != nil {
				continue
			}
			rec.Close()
			if *mutants > 0 {
				t.Logf("%s/%s: %v", filepath.Base(dir), filepath.Base(file), x.Steps)
			}
			if values[pkg] = append(values[pkg], file); page != nil {
				texts[pkg] = append(texts[pkg], file)
			}
		}
	}
	afterAll(t)
	bin := m.start(t)
	for _, pkg := range m.packages {
		agreeOnMutants(t, bin, append([]string{"recorded", "text", pkg}, texts[pkg]...)...)
		agreeOnMutants(t, bin, append([]string{"recorded", "values", pkg}, values[pkg]...)...)
	}
}

// equal is the output line for a mutant without differences.
var equal = regexp.MustCompile(`(?m)^.*: \d+ texts, 0 events differ.*\n`)

// agreeOnMutants runs a driver. For some mutants there may be nothing to compare.
func agreeOnMutants(t *testing.T, bin command, args ...string) {
	t.Helper()
	out := bin.must(t, args...)
	texts, differs := 0, 0
	named := equal.ReplaceAllString(out, "")
	for _, d := range differ.FindAllStringSubmatch(out, -1) {
		n, _ := strconv.Atoi(d[1])
		bad, _ := strconv.Atoi(d[2])
		texts, differs = texts+n, differs+bad
	}
	t.Logf("%s %s: %d mutants, %d texts, %d events differ", args[1], args[2], len(args)-3, texts, differs)
	if texts == 0 || differs > 0 {
		t.Errorf("%s %v:\n%s", filepath.Base(bin[0]), args[:3], named[:min(len(named), 20_000)])
	}
}
