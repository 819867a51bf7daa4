package gen_test

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
)

var differ = regexp.MustCompile(`: (\d+) texts, (\d+) events differ`)

// agree runs the driver and wants it to find texts and no difference.
func agree(t *testing.T, m *module, bin string, args ...string) {
	t.Helper()
	out := m.must(nil, bin, args...)
	all := differ.FindAllStringSubmatch(out, -1)
	if len(all) != 2 {
		t.Fatalf("%s: want two comparisons:\n%s", bin, out)
	}
	for _, d := range all {
		t.Logf("%s %v%s", filepath.Base(bin), args, d[0])
		if d[1] == "0" || d[2] != "0" {
			t.Errorf("%s %v:\n%s", filepath.Base(bin), args, out)
		}
	}
}

// Generated code and interp print the same for random events, random programs and random records: in the layout
// compiled for, with fields moved, and with the other byte order; with unsafe and without; on 32 bits.
func TestAgreesWithInterp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	m := newModule(t)
	m.driver("agree")
	targets := []string{"le64", "be64", "le32", "be32"}
	args := func(target string) []string { return []string{target, "random", "1", "150"} }
	for _, target := range targets {
		u, err := unit.Load(args(target))
		if err != nil {
			t.Fatal(err)
		}
		m.generate(u, gen.Options{Package: target, Text: true})
	}
	m.registry(targets...)
	bins := []string{m.start("agree", nil), m.start("agree", nil, "-tags=purego")}
	if runtime.GOARCH == "amd64" && runtime.GOOS == "linux" {
		bins = append(bins, m.start("agree", []string{"GOARCH=386"}))
	}
	for _, bin := range bins {
		for _, target := range targets {
			agree(t, m, bin, append([]string{target, "200"}, args(target)...)...)
		}
	}
	m.must(nil, "go", "vet", "./le64", "./be32")
	for _, arch := range []string{"arm64", "s390x", "arm", "riscv64"} {
		m.must([]string{"GOARCH=" + arch}, "go", "build", "./le64", "./be32")
	}
}

// The same for every event of every kernel.
func TestKernelsAgreeWithInterp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the decoders of whole kernels")
	}
	shared, err := filepath.Abs("../../shared/data/ftrace")
	if err != nil {
		t.Fatal(err)
	}
	for kernel, target := range map[string]string{
		"bookworm-6.1-amd64": "le64", "bookworm-6.1-arm64": "le64", "bookworm-6.1-i386": "le32",
		"bookworm-6.1-s390x": "be64", "sid-amd64": "le64",
	} {
		t.Run(kernel, func(t *testing.T) {
			args := []string{target, "formats", filepath.Join(shared, kernel, "events-all.tar.zst")}
			if _, err := os.Stat(args[2]); err != nil {
				t.Skip(err)
			}
			u, err := unit.Load(args)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.NewReplacer("-", "", ".", "").Replace(kernel)
			m := newModule(t)
			m.driver("agree")
			m.generate(u, gen.Options{Package: name, Text: true, Split: true})
			m.registry(name)
			agree(t, m, m.start("agree", nil), append([]string{name, "20"}, args...)...)
		})
	}
}
