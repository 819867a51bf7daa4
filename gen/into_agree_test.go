package gen_test

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ir"
	markers "github.com/tracec/tracec/compiler/lttng/recorded"
	calls "github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
)

// ownDecoders writes a file for the driver own that knows decoders by the names of their packages.
func (m *module) ownDecoders(names ...string) {
	var b bytes.Buffer
	fmt.Fprintln(&b, "package main")
	for _, n := range names {
		fmt.Fprintf(&b, "import \"generated/%s\"\n", n)
	}
	fmt.Fprintln(&b, "func init() {")
	for _, n := range names {
		fmt.Fprintf(&b, "decoders[%q] = &%s.Decoder{}\n", n, n)
	}
	fmt.Fprintln(&b, "}")
	text, err := format.Source(b.Bytes())
	if err != nil {
		m.t.Fatal(err)
	}
	m.write("own/decoders.go", text)
}

// drawn generates a decoder for structs that are drawn for every nth of the events of u.
func (m *module) drawn(name string, u *ir.Unit, seed uint64, every int) {
	m.t.Helper()
	into(m.t, m, u, name, gen.DrawStructs(name, u, seed, every))
}

// TestIntoAgreesWithInterp: structs with any of the fields of random events, in any types, hold what interp reads from random records: in the layout that was
// compiled, with fields moved, with the other byte order, for other word sizes, and of records that are cut.
func TestIntoAgreesWithInterp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	goList(t)
	m := newModule(t)
	m.driver("own")
	targets := []string{"le64", "be32"}
	if proofs {
		targets = append(targets, "be64", "le32")
	}
	args := func(target string) []string { return []string{target, "random", "3", "60"} }
	for i, target := range targets {
		u, err := unit.Load(args(target))
		if err != nil {
			t.Fatal(err)
		}
		m.drawn(target, u, uint64(i), 1)
	}
	m.ownDecoders(targets...)
	for _, bin := range m.starts("own") {
		for _, target := range targets {
			agree(t, m, 3, bin, append([]string{"fixed", target, "200"}, args(target)...)...)
		}
	}
	m.vet("./le64", "./be32")
	m.cross([]string{"s390x", "arm"}, "./le64", "./be32")
}

// The same for events of a recording, on random records of its formats: with the long proofs for all.
func TestIntoAgreesOnFormats(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	goList(t)
	file, err := filepath.Abs("../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	m := newModule(t)
	m.driver("own")
	args := []string{"le64", "recording", file}
	u, err := unit.Load(args)
	if err != nil {
		t.Fatal(err)
	}
	every := 16
	if proofs {
		every = 1
	}
	m.drawn("recorded", u, 1, every)
	m.ownDecoders("recorded")
	agree(t, m, 3, m.start("own", nil), append([]string{"fixed", "recorded", "100"}, args...)...)
}

// The same for functions of uftrace.
func TestIntoAgreesOnCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	goList(t)
	archives, err := filepath.Glob("../testdata/uftrace/*/data.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, a := range append(archives, "testdata/calls/first.tar.gz", "testdata/calls/otherspecs.tar.gz") {
		dirs = append(dirs, unpack(t, a, t.TempDir()))
	}
	intoSequential(t, "calls", "50", 9, dirs, func(dir string) *ir.Unit {
		u, _ := calls.Unit(openUftrace(t, dir), everything)
		return u
	})
}

// The same for markers of LTTng, and for decoders on traces that are laid out otherwise.
func TestIntoAgreesOnMarkers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	goList(t)
	intoSequential(t, "markers", "12", 14, traces(t), func(dir string) *ir.Unit {
		u, _ := markers.Unit(openLTTng(t, dir), everything)
		return u
	})
}

// intoSequential compares decoders of recordings, each on the events of all of them. Without the long proofs it takes a third of many; least is how many of all have events.
func intoSequential(t *testing.T, kind, payloads string, least int, dirs []string, describe func(dir string) *ir.Unit) {
	t.Helper()
	m := newModule(t)
	m.driver("own")
	var names []string
	args := []string{kind, payloads}
	every := 3
	if proofs || len(dirs) < 6 {
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
		names, args = append(names, name), append(args, name+"="+dir)
	}
	if have < least {
		t.Fatalf("only %d recordings", have)
	}
	m.ownDecoders(names...)
	agree(t, m, len(names), m.start("own", nil), args...)
	m.cross([]string{"s390x"}, "./...")
	m.vet("./...")
}

// The same for templates: drawn programs, drawn templates and those of files, in all environments.
func TestIntoAgreesOnHooks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	goList(t)
	shop, err := filepath.Abs("../testdata/aix/shop.trcfmt")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range [][]string{{"files", shop}, {"random", "5", "40"}, {"drawn", "9", "25"}, {"trctest", "2", "6"}} {
		t.Run(source[0], func(t *testing.T) {
			m := newModule(t)
			m.driver("own")
			m.drawn("hooks", hooksOf(t, "drawn", source), 4, 1)
			m.ownDecoders("hooks")
			agree(t, m, 1, m.start("own", nil), append([]string{"hooks", "hooks", "60"}, source...)...)
		})
	}
}

// TestIntoWords: decoders of structs that were made of a recording of 32 bits read one of 64 bits as those that were made of that, and the other way round, as far as the
// fields hold what there is. Nothing is cut but by the option narrow, which a word of 32 bits may have.
func TestIntoWords(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	goList(t)
	m := newModule(t)
	m.driver("words")
	var args []string
	for pkg, name := range map[string]string{"words32": "i386-userstack", "words64": "amd64-syscalls"} {
		file, err := filepath.Abs("../testdata/ftrace/" + name + ".dat")
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
		u, err := unit.Load([]string{"le" + pkg[5:], "recording", file})
		if err != nil {
			t.Fatal(err)
		}
		text := "package " + pkg + `

//tracec:event syscalls:sys_enter_openat
type Openat struct {
	DFD, Flags uint64
	Bits       uint8  ` + "`tracec:\"flags,narrow\"`" + `
	Cut        uint32 ` + "`tracec:\"filename,narrow\"`" + `
	Set        bool   ` + "`tracec:\"flags,narrow\"`" + `
	Words      []byte ` + "`tracec:\"-\"`" + `
}

//tracec:event ftrace:user_stack
type Stack struct {
	Caller []uint64
}
`
		if pkg == "words32" {
			text += "\n//tracec:event ftrace:kernel_stack\ntype Small struct{ Caller []uint32 }\n"
		}
		into(t, m, u, pkg, text)
	}
	m.vet("./words32", "./words64")
	for _, bin := range m.starts("words") {
		for _, file := range args {
			if got, want := m.must(nil, bin, file), fmt.Sprintf("true %v\n", !strings.Contains(file, "i386")); got != want {
				t.Errorf("%s %s: got %s, want %s", filepath.Base(bin), filepath.Base(file), got, want)
			}
		}
	}
}

// A user's module runs go generate with structs of its own in package main, before there is a decoder that it calls, and gets from recordings of several machines what
// trace-cmd prints for them.
func TestIntoDownstream(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
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
	m.must(nil, "go", "generate", "./into") // now with the file that is there
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
