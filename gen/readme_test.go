package gen_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Code for the program in docs/go.md is generated. The program is built and run unchanged, and
// agrees with trace-cmd's text.
func TestReadmeProgram(t *testing.T) {
	page, err := os.ReadFile("../docs/go.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(page, []byte("```go file=main.go\n"))
	program, _, found := bytes.Cut(rest, []byte("```"))
	if !found {
		t.Fatal("docs/go.md has no program")
	}
	m := newModule(t)
	mod, err := os.ReadFile(filepath.Join(m.dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	mod = bytes.Replace(mod, []byte("module generated"), []byte("module example.com/busy"), 1)
	m.write("go.mod", append(mod, "\ntool github.com/tracec/tracec/cmd/tracec-gen\n"...))
	trace, err := os.ReadFile("../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	m.write("trace.dat", trace)
	m.write("main.go", program)
	m.must(nil, "go", "generate", ".")
	got := map[string]float64{}
	for line := range strings.Lines(m.must(nil, "go", "run", ".", "trace.dat")) {
		words := strings.Fields(line)
		ns, err := strconv.ParseFloat(words[len(words)-1], 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		got[words[0]] = ns / 1e9
	}
	want := busySeconds(t, zstdText(t, "../testdata/ftrace/amd64-extract.report-N.txt.zst"))
	if len(want) == 0 || len(got) != len(want) {
		t.Errorf("%d threads, want %d", len(got), len(want))
	}
	for pid, s := range want { // trace-cmd rounds every time to microseconds
		if math.Abs(got[pid]-s) > 200e-6 {
			t.Errorf("pid %s ran %f s, trace-cmd says %f", pid, got[pid], s)
		}
	}
}

// busySeconds is the result of the program, by pid, computed from trace-cmd's text.
func busySeconds(t *testing.T, text string) map[string]float64 {
	t.Helper()
	since, busy := map[string]float64{}, map[string]float64{}
	for _, m := range regexp.MustCompile(`(?m)\[(\d+)\] +(\S+): sched_switch: .* prev_pid=(\d+) `).FindAllStringSubmatch(text, -1) {
		var at float64
		if _, err := fmt.Sscan(m[2], &at); err != nil {
			t.Fatal(err)
		}
		if start, ok := since[m[1]]; ok {
			busy[m[3]] += at - start
		}
		since[m[1]] = at
	}
	return busy
}
