package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestVettool runs the tool through the go command. It finds the mistakes in each function that was
// written with one, and none in correct programs, including all of this module. Fields are compared
// with a recording. The fast parts are the tests of gen/lifetime and gen/fits.
func TestVettool(t *testing.T) {
	needs.Proofs(t)
	tool := filepath.Join(t.TempDir(), "tracec-govet")
	if runtime.GOOS == "windows" {
		tool += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	vet := func(args ...string) (string, error) {
		c := exec.Command("go", append([]string{"vet", "-vettool=" + tool}, args...)...)
		c.Dir = "../.."
		out, err := c.CombinedOutput()
		return string(out), err
	}
	out, err := vet("./gen/lifetime/testdata/kept", "./gen/lifetime/testdata/handed")
	if n := strings.Count(out, "copy what is needed"); err == nil || n < 102 {
		t.Errorf("%d mistakes: %v\n%s", n, err, out)
	}
	lines := linesOf(t, out, "kept.go")
	if len(lines) < 65 || !slices.IsSorted(lines) {
		t.Errorf("lines %d are not in order", lines)
	}
	correct := []string{"./gen/lifetime/testdata/correct", "./gen/lifetime/testdata/copied",
		"./gen/...", "./cmd/..."}
	if out, err := vet(correct...); err != nil {
		t.Errorf("correct programs: %v\n%s", err, out)
	}
	recording, err := filepath.Abs("../../testdata/ftrace/i386-userstack.dat")
	if err != nil {
		t.Fatal(err)
	}
	out, err = vet("-fits.against="+recording, "./gen/fits/testdata/uses")
	if err == nil || !strings.Contains(out, "sched:sched_switch") || !strings.Contains(out, "i386-userstack.dat") {
		t.Errorf("fields: %v\n%s", err, out)
	}
	for range 2 { // the go command caches the findings of the first run
		if out, err := vet("-fits.against=/not/there.dat", "./gen/fits/testdata/uses"); err == nil ||
			!strings.Contains(out, "not/there.dat") {
			t.Errorf("a recording that is not there: %v\n%s", err, out)
		}
	}
}

// linesOf returns the lines of a file in which go vet has found a mistake.
func linesOf(t *testing.T, out, file string) (lines []int) {
	t.Helper()
	for _, m := range regexp.MustCompile(regexp.QuoteMeta(file)+`:(\d+):`).FindAllStringSubmatch(out, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, n)
	}
	return lines
}
