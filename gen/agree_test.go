package gen_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
)

var differ = regexp.MustCompile(`: (\d+) texts, (\d+) events differ`)

// agree runs a driver and wants it to compare n times, with no difference.
func agree(t *testing.T, m *module, n int, bin string, args ...string) {
	t.Helper()
	out := m.must(nil, bin, args...)
	all := differ.FindAllStringSubmatch(out, -1)
	if len(all) != n {
		t.Fatalf("%s: want %d comparisons:\n%s", bin, n, out)
	}
	for _, d := range all {
		t.Logf("%s %s%s", filepath.Base(bin), strings.Join(args[:2], " "), d[0])
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
	bins := append(m.starts("agree"), m.start("agree", nil, "-tags=purego"))
	for _, bin := range bins {
		for _, target := range targets {
			agree(t, m, 2, bin, append([]string{target, "200"}, args(target)...)...)
		}
	}
	m.vet("./le64", "./be32")
	m.cross([]string{"arm64", "s390x", "arm", "riscv64"}, "./le64", "./be32")
}

// The same for every event of every kernel (without the long proofs: for every 64th).
// With the long proofs also for what recordings of those kernels hold; then decoders of the
// x86-64 6.1 kernel give the same values as the recordings' own descriptions, on recordings of other kernels and
// other machines.
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
			archive := filepath.Join(shared, kernel, "events-all.tar.zst")
			args := []string{target, "formats", archive, "1"}
			if _, err := os.Stat(archive); err != nil {
				t.Skip(err)
			}
			if !proofs {
				args[3] = "64"
			}
			u, err := unit.Load(args)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.NewReplacer("-", "", ".", "").Replace(kernel)
			m := newModule(t)
			m.driver("agree")
			m.driver("recorded")
			m.generate(u, gen.Options{Package: name, Text: true, Split: proofs}) // one package builds faster when it is small
			m.registry(name)
			agree(t, m, 2, m.start("agree", nil), append([]string{name, "20"}, args...)...)
			if !proofs {
				return // of a sample some recordings hold nothing
			}
			files := recordings(shared, kernel)
			if len(files) > 0 {
				agree(t, m, len(files), m.start("recorded", nil), append([]string{"text", name}, files...)...)
			}
			if kernel == "bookworm-6.1-amd64" {
				files := recordings(shared, "*")
				agree(t, m, len(files), m.start("recorded", nil), append([]string{"values", name}, files...)...)
			}
		})
	}
}

// recordings finds those that hold many kinds of events.
func recordings(shared, kernel string) []string {
	var files []string
	for _, name := range []string{"all-events.dat", "sched-irq-timer-syscalls.dat", "markers.dat", "extract.dat"} {
		found, _ := filepath.Glob(filepath.Join(shared, kernel, name))
		files = append(files, found...)
	}
	return files
}

// Probes, synthetic events and the like are known to their recording alone.
func TestDynamicEventsAgreeWithInterp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	m := newModule(t)
	m.driver("recorded")
	var names, files []string
	for kernel, target := range map[string]string{"bookworm-6.1-amd64": "le64", "bookworm-6.1-s390x": "be64", "sid-amd64": "le64"} {
		file, err := filepath.Abs(filepath.Join("../../shared/data/ftrace", kernel, "probes-synthetic.dat"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(file); err != nil {
			t.Skip(err)
		}
		u, err := unit.Load([]string{target, "recording", file})
		if err != nil {
			t.Fatal(err)
		}
		name := "own" + strconv.Itoa(len(names))
		m.generate(u, gen.Options{Package: name, Text: true, Split: true})
		names, files = append(names, name), append(files, file)
	}
	m.registry(names...)
	bin := m.start("recorded", nil)
	for i, name := range names {
		agree(t, m, 1, bin, "text", name, files[i])
		agree(t, m, 1, bin, "values", name, files[i])
	}
}
