package gen_test

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/internal/testkit/needs"
)

var differ = regexp.MustCompile(`: (\d+) texts, (\d+) events differ`)

// agree runs a driver, and expects n comparisons without a difference.
func agree(t *testing.T, n int, bin command, args ...string) {
	t.Helper()
	out := bin.must(t, args...)
	all := differ.FindAllStringSubmatch(out, -1)
	if len(all) != n {
		t.Fatalf("%s: want %d comparisons:\n%s", bin, n, out)
	}
	for _, d := range all {
		t.Logf("%s %s%s", filepath.Base(bin[0]), strings.Join(args[:2], " "), d[0])
		if d[1] == "0" || d[2] != "0" {
			t.Errorf("%s %v:\n%s", filepath.Base(bin[0]), args, out)
		}
	}
}

// casesText returns [needs.Cases] in the form for the arguments of a driver.
func casesText(t *testing.T, quick, all int) string { return strconv.Itoa(needs.Cases(t, quick, all)) }

// Generated code and interp print the same for random events, random programs and random records:
// in the compiled layout, with moved fields, and with the other byte order; with unsafe and
// without; on 32 bits; with checks of the pointers that generated code converts.
func TestAgreesWithInterp(t *testing.T) {
	m := newProgram(t)
	targets := []string{"le64", "be64", "le32", "be32"}
	args := func(target string) []string { return []string{target, "random", "1", casesText(t, 10, 150)} }
	for _, target := range targets {
		u, err := unit.Load(args(target))
		if err != nil {
			t.Fatal(err)
		}
		m.generate(u, gen.Options{Package: target, Text: true})
	}
	afterAll(t)
	bins := m.starts(t)
	if needs.LongProofs(t) { // TestDownstream has the quick part
		bins = append(bins, m.own(t, "-tags=purego"), m.own(t, "-gcflags=generated/...=-d=checkptr"))
	}
	for _, bin := range bins {
		for _, target := range targets {
			agree(t, 2, bin, append([]string{"agree", target, "200"}, args(target)...)...)
		}
	}
	m.vet("./le64", "./be32")
	m.cross([]string{"arm64", "s390x", "arm", "riscv64"}, "./le64", "./be32")
}

// The same for events of three kernels, as far as they occur in recordings of the repository.
func TestRecordedFormatsAgreeWithInterp(t *testing.T) {
	m := newProgram(t)
	args := map[string][]string{}
	for name, target := range map[string]string{"amd64-extract": "le64", "i386-userstack": "le32",
		"s390x-markers": "be64"} {
		file, err := filepath.Abs(filepath.Join("../testdata/ftrace", name+".dat"))
		if err != nil {
			t.Fatal(err)
		}
		pkg, _, _ := strings.Cut(name, "-")
		args[pkg] = []string{target, "recording", file, casesText(t, 48, 1)}
		u, err := unit.Load(args[pkg])
		if err != nil {
			t.Fatal(err)
		}
		m.generate(u, gen.Options{Package: pkg, Text: true})
	}
	afterAll(t)
	bin := m.start(t)
	for _, pkg := range m.packages {
		agree(t, 2, bin, append([]string{"agree", pkg, "20"}, args[pkg]...)...)
	}
}

// The same for every event of every kernel, and for the contents of recordings of those kernels.
// Afterwards decoders of the x86-64 6.1 kernel read recordings of other kernels and other machines.
// They must give the same values as the recordings' own descriptions.
func TestKernelsAgreeWithInterp(t *testing.T) {
	needs.Proofs(t)
	shared := needs.Shared(t, "ftrace")
	for kernel, target := range map[string]string{
		"bookworm-6.1-amd64": "le64", "bookworm-6.1-arm64": "le64", "bookworm-6.1-i386": "le32",
		"bookworm-6.1-s390x": "be64", "sid-amd64": "le64",
	} {
		t.Run(kernel, func(t *testing.T) {
			args := []string{target, "formats", needs.Shared(t, filepath.Join("ftrace", kernel, "events-all.tar.zst")),
				"1"}
			u, err := unit.Load(args)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.NewReplacer("-", "", ".", "").Replace(kernel)
			m := ownProgram(t)
			// a package builds faster if it is small
			m.generate(u, gen.Options{Package: name, Text: true, Split: true})
			bin := m.start(t)
			agree(t, 2, bin, append([]string{"agree", name, "20"}, args...)...)
			files := recordings(shared, kernel)
			if len(files) > 0 {
				agree(t, len(files), bin, append([]string{"recorded", "text", name}, files...)...)
			}
			if kernel == "bookworm-6.1-amd64" {
				files := recordings(shared, "*")
				agree(t, len(files), bin, append([]string{"recorded", "values", name}, files...)...)
			}
		})
	}
}

// recordings finds the recordings that hold many kinds of events.
func recordings(shared, kernel string) []string {
	var files []string
	for _, name := range []string{"all-events.dat", "sched-irq-timer-syscalls.dat", "markers.dat", "extract.dat"} {
		found, _ := filepath.Glob(filepath.Join(shared, kernel, name))
		files = append(files, found...)
	}
	return files
}

// Probes, synthetic events and similar events are described only in their recording.
// TestMutantRecordingsAgreeWithInterp has the quick part.
func TestDynamicEventsAgreeWithInterp(t *testing.T) {
	needs.Proofs(t)
	m := ownProgram(t)
	files := map[string]string{}
	for kernel, target := range map[string]string{"bookworm-6.1-amd64": "le64", "bookworm-6.1-s390x": "be64",
		"sid-amd64": "le64"} {
		file := needs.Shared(t, filepath.Join("ftrace", kernel, "probes-synthetic.dat"))
		u, err := unit.Load([]string{target, "recording", file, "1"})
		if err != nil {
			t.Fatal(err)
		}
		name := "own" + strconv.Itoa(len(files))
		m.generate(u, gen.Options{Package: name, Text: true, Split: true})
		files[name] = file
	}
	bin := m.start(t)
	for name, file := range files {
		agree(t, 1, bin, "recorded", "text", name, file)
		agree(t, 1, bin, "recorded", "values", name, file)
	}
}
