package gen_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/compiler/ctf/recorded"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ctf"
)

// TestCTFGolden generates events with everything that LTTng's events may have, an event with bit
// fields, and one without its own fields.
func TestCTFGolden(t *testing.T) {
	const name = "testdata/ctf/shop.tsdl"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := ctf.OpenFS(fstest.MapFS{"metadata": {Data: text}}, name)
	if err != nil {
		t.Fatal(err)
	}
	u, errs := recorded.Unit(rec, everything)
	if len(errs)+len(rec.Damage()) > 0 {
		t.Fatal(errs, rec.Damage())
	}
	u.Source = filepath.Base(name)
	files, err := gen.Generate(u, gen.Options{Package: "shop", Text: true, Version: "v0.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		golden(t, filepath.Join("testdata", "ctf", f.Name+".golden"), f.Content)
	}
}

// describeCTF returns a function that describes the trace in a directory.
func describeCTF(t *testing.T) func(dir string) *ir.Unit {
	return func(dir string) *ir.Unit {
		rec, err := ctf.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		u, _ := recorded.Unit(rec, everything)
		u.Source = filepath.Base(dir)
		return u
	}
}

// ctfTraces writes every nth selected sample of a group to a directory with the name of the sample.
func ctfTraces(t *testing.T, group string, every int, wants func(name string) bool) (dirs []string) {
	at := t.TempDir()
	n := 0
	for _, s := range ctftest.Samples(t, group) {
		if !wants(s.Name) {
			continue
		}
		if n++; n%every != 0 {
			continue
		}
		rec, err := ctf.OpenFS(s.Dir, s.Name)
		if err != nil || len(rec.Events()) == 0 {
			continue
		}
		dir := filepath.Join(at, s.Name)
		if err := os.CopyFS(dir, s.Dir); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// longTexts writes a trace with texts of more than 64 KiB to a directory.
func longTexts(t *testing.T) string {
	const size = 70_000
	metadata := fmt.Sprintf(`/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 8; align = 8; encoding = UTF8; } := char;
event { name = texts; fields := struct { string s; char fixed[%d]; u32 n; char counted[n]; u32 after; }; };
`, size)
	text := strings.Repeat("abcdefg", size/7)
	data := []byte(text + "\x00" + text)
	data = append(append(binary.LittleEndian.AppendUint32(data, size), text...), 1, 2, 3, 4)
	dir := filepath.Join(t.TempDir(), "long")
	files := fstest.MapFS{"metadata": {Data: []byte(metadata)}, "stream": {Data: data}}
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}

func anyName(string) bool { return true }

// namedOneOf selects samples by their names.
func namedOneOf(names ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(names, name) }
}

// TestCTFAgreesWithInterp: generated decoders and interp agree on traces of LTTng, versions 1.8 and
// 2, on traces of barectf and perf, and on random payloads. Each decoder also reads the other
// traces.
func TestCTFAgreesWithInterp(t *testing.T) {
	wants := namedOneOf("lttng-2.13.ust-contexts", "lttng-2.16-ctf2.ust-contexts", "lttng-2.13.ust-pid",
		"lttng-2.16-ctf2.ust-channels")
	every := 20
	dirs := ctfTraces(t, "lttng", 1, wants)
	if needs.LongProofs(t) { // each decoder is compiled, and reads the traces of all others
		dirs, every = ctfTraces(t, "lttng", 3, anyName), 6
	}
	for _, group := range []string{"barectf", "perf", "babeltrace", "tracecompass"} {
		dirs = append(dirs, ctfTraces(t, group, every, anyName)...)
	}
	_, check := agreeOnTraces(t, "ctf", casesText(t, 10, 30), describeCTF(t), dirs)
	afterAll(t)
	check(t)
}

// The same for all field classes, random types, and special cases.
func TestCTFTypesAgreeWithInterp(t *testing.T) {
	every := 25
	if needs.LongProofs(t) {
		every = 4
	}
	m := newProgram(t)
	u := &ir.Unit{}
	args := []string{"traces", "apart", casesText(t, 10, 30)}
	for _, group := range []string{"fields", "random", "odd", "long"} {
		dirs := []string{longTexts(t)}
		if group != "long" {
			dirs = ctfTraces(t, group, every, anyName)
		}
		for _, dir := range dirs {
			one := describeCTF(t)(dir)
			for _, ev := range one.Events {
				ev.Group = filepath.Base(dir)
			}
			one.Events = append(u.Events, one.Events...)
			u = one
			args = append(args, "types="+dir)
		}
	}
	u.Source = "samples"
	m.generate(u, gen.Options{Package: "types", Text: true})
	afterAll(t)
	agree(t, 1, m.start(t), args...)
	m.of(t).vet("./...")
}

// Structs of users hold the same values.
func TestIntoAgreesOnCTF(t *testing.T) {
	dirs := ctfTraces(t, "lttng", 1, namedOneOf("lttng-2.13.ust-contexts", "lttng-2.16-ctf2.ust-channels"))
	every := 60
	if needs.LongProofs(t) {
		dirs, every = ctfTraces(t, "lttng", 5, anyName), 20
	}
	dirs = append(dirs, ctfTraces(t, "random", every, anyName)...)
	check := intoSequential(t, "ctf", "50", 4, dirs, describeCTF(t))
	afterAll(t)
	check(t)
}
