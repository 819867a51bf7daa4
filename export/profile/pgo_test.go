package profile

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/perftest"
)

// goProgram writes the recording of a program in Go, and the program, to a directory.
func goProgram(t *testing.T) (dir, recording string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"perf.data", "opt/hot/hot", "opt/hot/main.go", "opt/hot/go.mod"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(
			os.MkdirAll(filepath.Dir(path), 0o777),
			os.WriteFile(path, perftest.File(t, "go", name), 0o777),
		); err != nil {
			t.Fatal(err)
		}
	}
	return dir, filepath.Join(dir, "perf.data")
}

// TestPGO: Go's compiler accepts a profile and optimises with it. The program has neither symbols
// nor DWARF. The wanted edges are from perf script 6.1 and go tool addr2line with a program of the
// same code that has symbols. Of the 349 samples in the calls of area in the function total, 336
// are in area itself and 13 in half, which is inlined.
func TestPGO(t *testing.T) {
	goTool := needs.Program(t, "go", "https://go.dev/dl")
	dir, recording := goProgram(t)
	rec, err := tracec.Open(t.Context(), recording, tracec.WithSymfs(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	var b bytes.Buffer
	if err := collectQuietly(t, rec, Options{}).Write(&b, Pprof); err != nil {
		t.Fatal(err)
	}
	pgo, edges := filepath.Join(dir, "default.pgo"), filepath.Join(dir, "edges")
	if err := os.WriteFile(pgo, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(goTool, args...)
		cmd.Dir = filepath.Join(dir, "opt/hot")
		cmd.Env = append(os.Environ(), "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("tool", "preprofile", "-i", pgo, "-o", edges)
	text, err := os.ReadFile(edges)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{ // caller, callee, line of the call from the caller's first one, weight
		"main.total\nmain.square.area\n3 349\n",
		"main.square.area\nmain.half\n3 13\n",
		"main.main\nmain.total\n4 5\n",
		"main.main\nmain.(*square).area\n4 3\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no edge\n%s in\n%s", want, text)
		}
	}
	const devirtualized = "main.go:35:17: PGO devirtualizing interface call s.area to square.area"
	out := run("tool", "compile", "-p", "main", "-pgoprofile", pgo, "-m", "-o", filepath.Join(dir, "main.o"), "main.go")
	if !strings.Contains(out, devirtualized) {
		t.Errorf("the compiler did not use the profile:\n%s", out)
	}
	if needs.LongProofs(t) { // also compiles the runtime
		out := run("build", "-pgo", pgo, "-gcflags=-m", "-o", filepath.Join(dir, "new"))
		if !strings.Contains(out, devirtualized) {
			t.Errorf("go build did not use the profile:\n%s", out)
		}
	}
}

// TestFoldedLines: stacks that differ only in lines are one line of folded stacks. Their sums equal
// pprof's. (For an address of pprof, speedscope reads one function.)
func TestFoldedLines(t *testing.T) {
	dir, recording := goProgram(t)
	rec, err := tracec.Open(t.Context(), recording, tracec.WithSymfs(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	p := collectQuietly(t, rec, Options{})
	files := writeAll(t, p)
	packed, err := os.ReadFile(files[Pprof])
	if err != nil {
		t.Fatal(err)
	}
	want := top(t, packed, "cpu-clock")
	maps.DeleteFunc(want, func(_ string, s sums) bool { return s.total == 0 })
	got, _ := folded(t, files[Folded])
	if !maps.Equal(got, want) {
		t.Errorf("folded sums are\n%v, those of pprof\n%v", got, want)
	}
	text, err := os.ReadFile(files[Folded])
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		stack := line[:strings.LastIndexByte(line, ' ')]
		if seen[stack] {
			t.Errorf("%s is there twice", stack)
		}
		seen[stack] = true
	}
	if half := got["main.half"]; half.self != 13*200_000 {
		t.Errorf("half has %d ns, want 13 samples", half.self)
	}
}
