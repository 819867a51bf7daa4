package gen_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/lttng"
)

func openLTTng(t testing.TB, dir string) *lttng.Recording {
	t.Helper()
	rec, err := lttng.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// generateMarkers generates the markers of a trace.
func generateMarkers(t testing.TB, rec *lttng.Recording, opts gen.Options) []gen.File {
	t.Helper()
	u, _ := recorded.Unit(rec, everything)
	u.Source = filepath.Base(rec.Name())
	files, err := gen.Generate(u, opts)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestMarkersGolden(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "trace")
	writeTrace(t, dir, layouts["le32aligned"], 1, 0, 1)
	for _, f := range generateMarkers(t, openLTTng(t, dir),
		gen.Options{Package: "markers", Text: true, Version: "v0.0.0"}) {
		golden(t, filepath.Join("testdata", "markers", f.Name+".golden"), f.Content)
	}
}

// golden compares a generated file with the saved one, or saves it.
func golden(t *testing.T, name string, content []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(content)); d != "" {
		t.Errorf("%s (-want +got; go test ./gen -update writes it):\n%s", name, d)
	}
}

// traces returns the directories of all traces: traces of the repository, recorded traces if the
// long proofs run and the traces exist, and some traces with random formats.
func traces(t *testing.T) (dirs []string) {
	patterns := []string{"../testdata/lttng/*/*.tar.*z"}
	if needs.LongProofs(t) {
		patterns = append(patterns, filepath.Join(needs.SharedData(t), "lttng/real/*.tar.gz"))
	}
	for _, pattern := range patterns {
		archives, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range archives {
			dirs = append(dirs, traceIn(t, a))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(layouts)) {
		dir := filepath.Join(t.TempDir(), name)
		writeTrace(t, dir, layouts[name], 7, needs.Cases(t, 6, 40), 20)
		dirs = append(dirs, dir)
	}
	return append(dirs, facilityTraces(t)...)
}

// traceIn unpacks an archive and finds the trace in it. The archive may contain other files.
func traceIn(t *testing.T, archive string) (trace string) {
	dir := t.TempDir()
	unpack(t, archive, dir)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && lttng.IsTrace(os.DirFS(name)) {
			trace = name
			return fs.SkipAll
		}
		return err
	})
	if err != nil || trace == "" {
		t.Fatalf("%s: no trace: %v", archive, err)
	}
	return trace
}

// Generated decoders and interp agree on all traces, on random payloads, and on the payloads of
// traces with another word size, alignment or byte order.
func TestMarkersAgreeWithInterp(t *testing.T) {
	n, check := agreeOnMarkers(t, casesText(t, 10, 30), traces(t)...)
	if n < 14 {
		t.Fatalf("only %d traces with markers", n)
	}
	afterAll(t)
	check(t)
}

// agreeOnMarkers is agreeOnTraces for traces of LTTng.
func agreeOnMarkers(t *testing.T, payloads string, dirs ...string) (n int, check func(*testing.T)) {
	t.Helper()
	return agreeOnTraces(t, "markers", payloads, describeMarkers(t), dirs)
}

// describeMarkers returns a function that describes the trace in a directory.
func describeMarkers(t *testing.T) func(dir string) *ir.Unit {
	return func(dir string) *ir.Unit {
		u, _ := recorded.Unit(openLTTng(t, dir), everything)
		return u
	}
}

// agreeOnTraces generates decoders of traces. It returns the number of traces with events, and a
// function that compares each decoder on all traces and on some payloads for each of its own
// events. Traces that give the same code share one decoder, because most damage is not in the
// descriptions. Without the long proofs it takes half of the traces if there are many.
func agreeOnTraces(
	t *testing.T, kind, payloads string, describe func(dir string) *ir.Unit, dirs []string,
) (n int, check func(*testing.T)) {
	t.Helper()
	m := newProgram(t)
	args := []string{"traces", kind, payloads}
	decoders := map[string]string{} // names by generated code
	for _, dir := range dirs {
		u := describe(dir)
		if len(u.Events) == 0 {
			continue
		}
		if n++; n%2 == 0 && len(dirs) > 5 && !needs.LongProofs(t) {
			continue
		}
		u.Source = ""
		code, err := gen.Generate(u, gen.Options{Package: "p", Text: true})
		if err != nil {
			t.Fatal(err)
		}
		pkg, known := decoders[fmt.Sprint(code)]
		if !known {
			pkg = fmt.Sprintf("p%d", n)
			m.generate(u, gen.Options{Package: pkg, Text: true})
			decoders[fmt.Sprint(code)] = pkg
		}
		args = append(args, pkg+"="+dir)
	}
	return n, func(t *testing.T) {
		t.Helper()
		for _, bin := range m.starts(t) {
			agree(t, len(m.packages), bin, args...)
		}
		m.of(t).cross([]string{"s390x"}, "./...")
		m.of(t).vet("./...")
	}
}

// A user's module runs go generate on a trace and prints typed values. They are the same for every
// trace with the same events, whatever the layouts are.
func TestMarkersDownstream(t *testing.T) {
	m := newModule(t)
	m.driver("fields")
	mod, err := os.ReadFile(filepath.Join(m.dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("go.mod", append(mod, "\ntool github.com/tracec/tracec/cmd/tracec\n"...))
	writeTrace(t, filepath.Join(m.dir, "fields", "trace"), layouts["le64"], 3, 0, 4)
	m.must(nil, "go", "generate", "./fields")
	m.vet("./fields/...")
	m.cross([]string{"arm64", "386", "s390x"}, "-o", os.DevNull, "./fields")
	bin := m.start("fields", nil)
	golden := filepath.Join("testdata", "markers", "fields.txt")
	for i, name := range slices.Sorted(maps.Keys(layouts)) {
		dir := filepath.Join(m.dir, name)
		writeTrace(t, dir, layouts[name], 3, 0, 4)
		got := m.must(nil, bin, dir)
		if *update && i == 0 {
			m.copyTo(golden, got)
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
