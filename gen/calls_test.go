package gen_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/therootcompany/xz"

	"github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/uftrace"
)

// unpack unpacks a recording, NAME.tar.gz, NAME.tar.xz or NAME/data.tar.gz, into dir and returns
// its directory.
func unpack(t testing.TB, archive, dir string) string {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var z io.Reader
	if strings.HasSuffix(archive, ".xz") {
		z, err = xz.NewReader(f, xz.DefaultDictMax)
	} else {
		z, err = gzip.NewReader(f)
	}
	if err != nil {
		t.Fatal(err)
	}
	top := ""
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return filepath.Join(dir, top)
		}
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag != tar.TypeReg {
			continue
		}
		top, _, _ = strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
		content, err := io.ReadAll(r)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(name), 0o755)
		}
		if err == nil {
			err = os.WriteFile(name, content, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func openUftrace(t testing.TB, dir string) *uftrace.Recording {
	t.Helper()
	rec, err := uftrace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func everything(module, name string) bool { return true }

// generateCalls generates the functions of a recording.
func generateCalls(t testing.TB, rec *uftrace.Recording, opts gen.Options) []gen.File {
	t.Helper()
	u, errs := recorded.Unit(rec, everything)
	if errs != nil {
		t.Fatal(errs)
	}
	u.Source = filepath.Base(rec.Name())
	files, err := gen.Generate(u, opts)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestCallsGolden(t *testing.T) {
	rec := openUftrace(t, unpack(t, "testdata/calls/first.tar.gz", t.TempDir()))
	for _, f := range generateCalls(t, rec, gen.Options{Package: "app", Text: true, Version: "v0.0.0"}) {
		name := filepath.Join("testdata", "calls", f.Name+".golden")
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

// Generated decoders and interp agree on all recordings, and on random payloads: text, values, and
// payloads that are too short.
func TestCallsAgreeWithInterp(t *testing.T) {
	archives, err := filepath.Glob("../testdata/uftrace/*/data.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, archive := range append(archives, "testdata/calls/first.tar.gz", "testdata/calls/otherspecs.tar.gz") {
		dirs = append(dirs, unpack(t, archive, t.TempDir()))
	}
	n, check := agreeOnCalls(t, casesText(t, 20, 100), dirs...)
	if n < 9 {
		t.Fatalf("only %d recordings with specs", n)
	}
	afterAll(t)
	check(t)
}

// agreeOnCalls generates decoders of recordings. It returns the number of recordings with specs,
// and a function that compares the decoders on n payloads for each side of every function. Without
// the long proofs it takes recordings with few functions.
func agreeOnCalls(t *testing.T, payloads string, dirs ...string) (n int, check func(*testing.T)) {
	t.Helper()
	m := newProgram(t)
	args := []string{"calls", payloads}
	for _, dir := range dirs {
		u, errs := recorded.Unit(openUftrace(t, dir), everything)
		if len(u.Events) == 0 {
			continue
		}
		if errs != nil {
			t.Fatal(errs)
		}
		if n++; len(u.Events) > 100 && len(dirs) > 5 && !needs.LongProofs(t) {
			continue
		}
		pkg := fmt.Sprintf("p%d", n)
		m.generate(u, gen.Options{Package: pkg, Text: true})
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

// A user's module runs go generate on a recording and builds for other machines. It prints the
// values of the same recording, of a recording of the same program with other addresses, and of
// recordings whose payloads have other layouts.
func TestCallsDownstream(t *testing.T) {
	m := newModule(t)
	m.driver("orders")
	mod, err := os.ReadFile(filepath.Join(m.dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("go.mod", append(mod, "\ntool github.com/tracec/tracec/cmd/tracec\n"...))
	first := unpack(t, "testdata/calls/first.tar.gz", filepath.Join(m.dir, "orders"))
	m.must(nil, "go", "generate", "./orders")
	m.vet("./orders/...")
	m.cross([]string{"arm64", "386", "s390x"}, "-o", os.DevNull, "./orders")
	bins := m.starts("orders")
	dirs := map[string]string{"first": first}
	for _, name := range []string{"rebuilt", "otherspecs"} {
		dirs[name] = unpack(t, "testdata/calls/"+name+".tar.gz", m.dir)
	}
	for name, big := range map[string]bool{"little32": false, "big32": true} {
		dirs[name] = other(t, first, filepath.Join(m.dir, name), big)
	}
	for name, dir := range dirs {
		golden := filepath.Join("testdata", "calls", name+".txt")
		for _, bin := range bins {
			got := m.must(nil, bin, dir)
			if *update {
				m.copyTo(golden, got)
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("%s %s (-want +got):\n%s", filepath.Base(bin), name, d)
			}
		}
	}
}
