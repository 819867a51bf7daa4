package gen_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/mutate"
)

// TestMutantCallsAgreeWithInterp: generated code and interp agree on functions of uftrace with
// damaged argument specs and damaged enumerations.
func TestMutantCallsAgreeWithInterp(t *testing.T) {
	r := rand.New(rand.NewPCG(*mutantSeed, 4))
	var dirs []string
	for n := mutantCount(t, 40); n > 0; n -= 300 {
		dir := unpack(t, "testdata/calls/first.tar.gz", t.TempDir())
		mutateSpecs(t, r, dir, min(n, 300))
		dirs = append(dirs, dir)
	}
	n, check := agreeOnCalls(t, "40", dirs...)
	if n != len(dirs) {
		t.Errorf("%d of %d recordings have specs", n, len(dirs))
	}
	afterAll(t)
	check(t)
}

// mutateSpecs gives the program of a recording n functions with damaged specs, and damages the
// enumerations.
func mutateSpecs(t *testing.T, r *rand.Rand, dir string, n int) {
	t.Helper()
	edit(t, filepath.Join(dir, "info"), func(info []byte) []byte {
		head, text := info[:40], info[40:]
		all := map[bool][][]byte{} // by whether they are specs of results
		for _, list := range regexp.MustCompile(`(?m)^(argspec|retspec|argauto|retauto):(.*@.*)$`).FindAllSubmatch(text,
			-1) {
			for _, spec := range bytes.Split(bytes.TrimRight(list[2], ";"), []byte(";")) {
				_, values, _ := bytes.Cut(spec, []byte("@"))
				ret := bytes.HasPrefix(list[1], []byte("ret"))
				all[ret] = append(all[ret], values)
			}
		}
		var args, results strings.Builder
		for i := range n {
			fmt.Fprintf(&args, ";mutant%d@%s", i, mutateSpec(r, all[false]))
			fmt.Fprintf(&results, ";mutant%d@%s", i, mutateSpec(r, all[true]))
		}
		text = regexp.MustCompile(`(?m)^argspec:[^=\n]*@.*$`).ReplaceAllFunc(text,
			func(b []byte) []byte { return append(bytes.Clone(b), args.String()...) })
		text = regexp.MustCompile(`(?m)^retspec:.*$`).ReplaceAllFunc(text,
			func(b []byte) []byte { return append(bytes.Clone(b), results.String()...) })
		text = regexp.MustCompile(`(?m)^enumauto:.*$`).ReplaceAllFunc(text, func(b []byte) []byte {
			lists := bytes.SplitAfter(b[len("enumauto:"):], []byte(";"))
			for range 1 + r.IntN(8) {
				i := r.IntN(len(lists))
				out, _, _ := mutate.Text(r, lists[i])
				lists[i] = bytes.ReplaceAll(out[:min(len(out), 2000)], []byte("\n"), []byte(" "))
			}
			return append([]byte("enumauto:"), bytes.Join(lists, nil)...)
		})
		return append(bytes.Clone(head), text...)
	})
	const first = 0x5000 // after the program
	edit(t, filepath.Join(dir, "orders.sym"), func(text []byte) []byte {
		for i := range n {
			text = fmt.Appendf(text, "%016x T mutant%d\n", first+16*i, i)
		}
		return fmt.Appendf(text, "%016x ? __sym_end\n", first+16*n)
	})
	maps, _ := filepath.Glob(filepath.Join(dir, "sid-*.map"))
	for _, name := range maps {
		edit(t, name, func(text []byte) []byte {
			return bytes.ReplaceAll(text, []byte("-55c764816000"), []byte("-55c764916000"))
		})
	}
}

// mutateSpec damages one of the specs. Words of another spec may be inserted.
func mutateSpec(r *rand.Rand, all [][]byte) []byte {
	text := all[r.IntN(len(all))]
	for range 1 + r.IntN(3) {
		both, _, _ := mutate.Text(r, append(append(bytes.Clone(text), '\n'), all[r.IntN(len(all))]...))
		text = bytes.ReplaceAll(bytes.TrimRight(both, "\n"), []byte("\n"), []byte(","))
	}
	return text[:min(len(text), 300)]
}

// edit changes a file.
func edit(t *testing.T, name string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, change(b), 0o666); err != nil {
		t.Fatal(err)
	}
}
