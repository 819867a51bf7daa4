package gen_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ir"
	calls "github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestIntoAgreesWithInterp checks that structs with any fields of random events, in any types, hold
// the values that interp reads from random records. The records are in the compiled layout, with
// moved fields, with the other byte order, for other word sizes, and cut.
func TestIntoAgreesWithInterp(t *testing.T) {
	m := newProgram(t)
	targets := []string{"le64", "be32"}
	if needs.LongProofs(t) {
		targets = append(targets, "be64", "le32")
	}
	args := func(target string) []string { return []string{target, "random", "3", casesText(t, 10, 60)} }
	for i, target := range targets {
		u, err := unit.Load(args(target))
		if err != nil {
			t.Fatal(err)
		}
		m.drawn(target, u, uint64(i), 1)
	}
	afterAll(t)
	for _, bin := range m.starts(t) {
		for _, target := range targets {
			agree(t, 3, bin, append([]string{"own", "fixed", target, "200"}, args(target)...)...)
		}
	}
	m.vet("./le64", "./be32")
	m.cross([]string{"s390x", "arm"}, "./le64", "./be32")
}

// The same for events of a recording, on random records of its formats: with the long proofs for
// all.
func TestIntoAgreesOnFormats(t *testing.T) {
	file, err := filepath.Abs("../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	m := newProgram(t)
	args := []string{"le64", "recording", file, "1"}
	u, err := unit.Load(args)
	if err != nil {
		t.Fatal(err)
	}
	every := 80
	if needs.LongProofs(t) {
		every = 1
	}
	m.drawn("recorded", u, 1, every)
	afterAll(t)
	agree(t, 3, m.start(t), append([]string{"own", "fixed", "recorded", "100"}, args...)...)
}

// The same for functions of uftrace.
func TestIntoAgreesOnCalls(t *testing.T) {
	archives, err := filepath.Glob("../testdata/uftrace/*/data.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, a := range append(archives, "testdata/calls/first.tar.gz", "testdata/calls/otherspecs.tar.gz") {
		dirs = append(dirs, unpack(t, a, t.TempDir()))
	}
	check := intoSequential(t, "calls", "50", 9, dirs, func(dir string) *ir.Unit {
		u, _ := calls.Unit(openUftrace(t, dir), everything)
		return u
	})
	afterAll(t)
	check(t)
}

// The same for markers of LTTng, and for decoders on traces with other layouts.
func TestIntoAgreesOnMarkers(t *testing.T) {
	check := intoSequential(t, "markers", "12", 14, traces(t), describeMarkers(t))
	afterAll(t)
	check(t)
}

// intoSequential generates decoders of recordings. It returns a function that compares each decoder
// on the events of all recordings. Without the long proofs it takes a fifth of the recordings if
// there are many. least is the number of recordings that have events.
func intoSequential(
	t *testing.T, kind, payloads string, least int, dirs []string, describe func(dir string) *ir.Unit,
) (check func(*testing.T)) {
	t.Helper()
	m := newProgram(t)
	args := []string{"own", kind, payloads}
	every := 5
	if needs.LongProofs(t) || len(dirs) < 6 {
		every = 1
	}
	have := 0
	for i, dir := range dirs {
		u := describe(dir)
		if len(u.Events) == 0 {
			continue
		}
		if have++; have%every != 0 {
			continue
		}
		name := fmt.Sprintf("p%d", i)
		m.drawn(name, u, uint64(i), 1)
		args = append(args, name+"="+dir)
	}
	if have < least {
		t.Fatalf("only %d recordings", have)
	}
	return func(t *testing.T) {
		t.Helper()
		agree(t, len(m.packages), m.start(t), args...)
		m.of(t).cross([]string{"s390x"}, "./...")
		m.of(t).vet("./...")
	}
}

// The same for templates: random programs, random templates and templates of files, in all
// environments.
func TestIntoAgreesOnHooks(t *testing.T) {
	shop, err := filepath.Abs("../testdata/aix/shop.trcfmt")
	if err != nil {
		t.Fatal(err)
	}
	checks := map[string]func(*testing.T){}
	for _, source := range [][]string{
		{"files", shop}, {"random", "5", casesText(t, 6, 40)}, {"drawn", "9", casesText(t, 5, 25)},
		{"trctest", "2", casesText(t, 1, 6)},
	} {
		checks[source[0]] = intoHooks(t, 4, "60", source)
	}
	afterAll(t)
	for name, check := range checks {
		t.Run(name, check)
	}
}

// intoHooks generates decoders of templates, and returns a function that compares them.
func intoHooks(t *testing.T, seed uint64, records string, source []string) (check func(*testing.T)) {
	t.Helper()
	m := newProgram(t)
	m.drawn("hooks", hooksOf(t, "drawn", source), seed, 1)
	return func(t *testing.T) {
		agree(t, 1, m.start(t), append([]string{"own", "hooks", "hooks", records}, source...)...)
	}
}

// TestIntoWords checks decoders of structs across word sizes. A decoder made from a 64-bit
// recording reads a 32-bit recording like a decoder made from that recording. In the other
// direction Bind returns an error, because numbers are wider than in the description of the
// decoder.
func TestIntoWords(t *testing.T) {
	m := newModule(t)
	m.driver("words")
	var args []string
	for pkg, name := range map[string]string{"words32": "i386-userstack", "words64": "amd64-syscalls"} {
		file, err := filepath.Abs("../testdata/ftrace/" + name + ".dat")
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
		u, err := unit.Load([]string{"le" + pkg[5:], "recording", file, "1"})
		if err != nil {
			t.Fatal(err)
		}
		cut := ""
		if pkg == "words64" {
			cut = ",narrow"
		}
		text := "package " + pkg + `

//tracec:event syscalls:sys_enter_openat
type Openat struct {
	DFD, Flags uint64
	Bits       uint8  ` + "`tracec:\"flags,narrow\"`" + `
	Cut        uint32 ` + "`tracec:\"filename" + cut + "\"`" + `
	Set        bool   ` + "`tracec:\"flags,narrow\"`" + `
	Words      []byte ` + "`tracec:\"-\"`" + `
}

//tracec:event ftrace:user_stack
type Stack struct {
	Caller []uint64
}
`
		into(t, m, u, pkg, text)
	}
	m.vet("./words32", "./words64")
	for _, bin := range m.starts("words") {
		for _, file := range args {
			if got, want := m.must(nil, bin, file),
				fmt.Sprintf("true %v\n", !strings.Contains(file, "i386")); got != want {
				t.Errorf("%s %s: got %s, want %s", filepath.Base(bin), filepath.Base(file), got, want)
			}
		}
	}
}

// A user's module runs go generate with its own structs in package main, before the decoder that it
// calls exists. For recordings of several machines, its program prints the values that trace-cmd
// prints.
func TestIntoDownstream(t *testing.T) {
	m := newModule(t)
	m.driver("into")
	mod, err := os.ReadFile(filepath.Join(m.dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("go.mod", append(mod, "\ntool github.com/tracec/tracec/cmd/tracec\n"...))
	trace, err := os.ReadFile("../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	m.write("into/trace.dat", trace)
	m.must(nil, "go", "generate", "./into")
	if needs.LongProofs(t) {
		m.must(nil, "go", "generate", "./into") // now with the existing file
	}
	m.vet("./into/...")
	m.cross([]string{"arm64", "386", "s390x", "arm"}, "-o", os.DevNull, "./into")
	for _, bin := range m.starts("into") {
		for _, name := range []string{"amd64-extract", "amd64-triggers", "i386-userstack", "s390x-markers"} {
			file, err := filepath.Abs(filepath.Join("../testdata/ftrace", name))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(reference(t, file+".report-N.txt.zst"), m.must(nil, bin, file+".dat")); d != "" {
				t.Errorf("%s %s (-want +got):\n%s", filepath.Base(bin), name, d)
			}
		}
	}
}
