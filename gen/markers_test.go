package gen_test

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/gen"
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
	for _, f := range generateMarkers(t, openLTTng(t, dir), gen.Options{Package: "markers", Text: true, Version: "v0.0.0"}) {
		name := filepath.Join("testdata", "markers", f.Name+".golden")
		if *update {
			if err := os.WriteFile(name, f.Content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(f.Content)); d != "" {
			t.Errorf("%s (-want +got; go test ./gen -update writes it):\n%s", name, d)
		}
	}
}

// traces are the directories of all traces: those of the repository, with the long proofs the recorded ones if they are there, and some
// that are written with random formats.
func traces(t *testing.T) (dirs []string) {
	patterns := []string{"../testdata/lttng/*/*.tar.*z"}
	if proofs {
		patterns = append(patterns, "../../shared/data/lttng/real/*.tar.gz")
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
		writeTrace(t, dir, layouts[name], 7, 40, 20)
		dirs = append(dirs, dir)
	}
	return append(dirs, facilityTraces(t)...)
}

// traceIn unpacks an archive and finds the trace in it, which may have other files beside.
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

// Generated decoders and interp agree on all traces, on payloads that are drawn, and on the payloads of traces with another
// word size, alignment or byte order.
func TestMarkersAgreeWithInterp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	if n := agreeOnMarkers(t, "30", traces(t)...); n < 14 {
		t.Fatalf("only %d traces with markers", n)
	}
}

// agreeOnMarkers compares decoders of traces, each on all of the traces and on some payloads for each of its own markers. It returns
// how many traces have markers.
func agreeOnMarkers(t *testing.T, payloads string, dirs ...string) int {
	t.Helper()
	m := newModule(t)
	m.driver("markers")
	var b, list bytes.Buffer
	fmt.Fprintln(&b, "package main")
	args := []string{payloads}
	for _, dir := range dirs {
		rec := openLTTng(t, dir)
		if u, _ := recorded.Unit(rec, everything); len(u.Events) == 0 {
			continue
		}
		pkg := fmt.Sprintf("p%d", len(args))
		for _, f := range generateMarkers(t, rec, gen.Options{Package: pkg, Text: true}) {
			m.write(pkg+"/"+f.Name, f.Content)
		}
		fmt.Fprintf(&b, "import \"generated/%s\"\n", pkg)
		fmt.Fprintf(&list, "decoders[%q] = &%s.Decoder{}\n", pkg, pkg)
		args = append(args, pkg+"="+dir)
	}
	fmt.Fprintf(&b, "func init() {\n%s}\n", list.String())
	text, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	m.write("markers/decoders.go", text)
	for _, bin := range m.starts("markers") {
		agree(t, m, len(args)-1, bin, args...)
	}
	m.cross([]string{"s390x"}, "./...")
	m.vet("./markers")
	return len(args) - 1
}

// A user's module runs go generate on a trace and prints typed values: the same of every trace with the same events, however they
// are laid out.
func TestMarkersDownstream(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
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
