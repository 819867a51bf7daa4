// Package scripts runs the test scripts of the command in testdata/script.
package scripts

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/therootcompany/xz"

	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/command/exports"
	"github.com/tracec/tracec/internal/testkit/needs"
)

func TestMain(m *testing.M) {
	exports.Add()
	programs := map[string]func(){"tracec": command.Main}
	for _, name := range command.Tools() {
		programs[name] = command.Main
	}
	testscript.Main(needs.Counted{M: m}, programs)
}

// TestScripts runs testdata/script, which covers every behaviour of the command, including standard
// error.
func TestScripts(t *testing.T) { scripts(t, "../../../testdata/script", nil) }

// TestLongScripts runs the scripts that are longer in the long proofs.
func TestLongScripts(t *testing.T) {
	long := needs.LongProofs(t)
	scripts(t, "../../../testdata/script/long", func(name string) (bool, error) {
		if name != "proofs" {
			return false, fmt.Errorf("unknown condition %q", name)
		}
		return long, nil
	})
}

// scripts runs the scripts in a folder. condition decides the conditions that scripts have in
// brackets.
func scripts(t *testing.T, dir string, condition func(name string) (bool, error)) {
	recordings, err := filepath.Abs("../../../testdata/ftrace")
	if err != nil {
		t.Fatal(err)
	}
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache := strings.TrimSpace(string(goCache))
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("REC", recordings)
			e.Setenv("CASES", filepath.Join(filepath.Dir(recordings), "cases"))
			e.Setenv("TREC", filepath.Join(filepath.Dir(recordings), "tables"))
			e.Setenv("UREC", filepath.Join(filepath.Dir(recordings), "uftrace"))
			e.Setenv("PREC", filepath.Join(filepath.Dir(recordings), "perf"))
			e.Setenv("LREC", filepath.Join(filepath.Dir(recordings), "lttng"))
			e.Setenv("AREC", filepath.Join(filepath.Dir(recordings), "aix"))
			// for gen -into, which needs the go command for the types of packages
			e.Setenv("GOCACHE", cache)
			e.Setenv("GOFLAGS", os.Getenv("GOFLAGS")) // with the flags of the tests, it finds compiled packages there
			e.Setenv("GOPROXY", "off")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"untar": untar, "cut": cut, "code": code, "lines": lines, "begins": begins, "aixtrace": aixTrace,
			"lttngtrace": lttngTrace, "ungzip": ungzip,
		},
	})
}

// untar FILE unpacks a .tar.zst, .tar.gz or .tar.xz here.
func untar(ts *testscript.TestScript, neg bool, args []string) {
	f, err := os.Open(args[0])
	ts.Check(err)
	defer f.Close()
	if strings.HasSuffix(args[0], ".gz") {
		z, err := gzip.NewReader(f)
		ts.Check(err)
		untarFrom(ts, z)
		return
	}
	if strings.HasSuffix(args[0], ".xz") {
		x, err := xz.NewReader(f, xz.DefaultDictMax)
		ts.Check(err)
		untarFrom(ts, x)
		return
	}
	z, err := zstd.NewReader(f)
	ts.Check(err)
	defer z.Close()
	untarFrom(ts, z)
}

// ungzip FILE OUT only decompresses.
func ungzip(ts *testscript.TestScript, neg bool, args []string) {
	f, err := os.Open(args[0])
	ts.Check(err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	ts.Check(err)
	data, err := io.ReadAll(z)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o666))
}

func untarFrom(ts *testscript.TestScript, src io.Reader) {
	for r := tar.NewReader(src); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		ts.Check(err)
		name := ts.MkAbs(filepath.Clean("/" + h.Name)[1:])
		if h.Typeflag == tar.TypeDir {
			ts.Check(os.MkdirAll(name, 0o777))
			continue
		}
		ts.Check(os.MkdirAll(filepath.Dir(name), 0o777))
		data, err := io.ReadAll(r)
		ts.Check(err)
		ts.Check(os.WriteFile(name, data, 0o666))
		ts.Check(os.Chtimes(name, h.ModTime, h.ModTime)) // dump --chrome prints the times
	}
}

// cut FILE SIZE OUT copies the first SIZE bytes. A negative SIZE omits that many bytes at the end.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	data := []byte(ts.ReadFile(args[0]))
	n := atoi(ts, args[1])
	if n < 0 {
		n += len(data)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), data[:n], 0o666))
}

// code N COMMAND... runs a command that must exit with N.
func code(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Check(err)
	}
	if got != atoi(ts, args[0]) {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// lines N fails unless the last command printed N lines.
func lines(ts *testscript.TestScript, neg bool, args []string) {
	n := 0
	for _, c := range ts.ReadFile("stdout") {
		if c == '\n' {
			n++
		}
	}
	if n != atoi(ts, args[0]) {
		ts.Fatalf("%d lines, want %s", n, args[0])
	}
}

// begins FILE checks that the output begins with the contents of FILE. References of long outputs
// contain only their beginnings.
func begins(ts *testscript.TestScript, neg bool, args []string) {
	want, got := ts.ReadFile(args[0]), ts.ReadFile("stdout")
	if !strings.HasPrefix(got, want) {
		ts.Fatalf("the output does not begin with %s:\n%s", args[0], got[:min(len(got), len(want))])
	}
}

func atoi(ts *testscript.TestScript, s string) int {
	n, neg := 0, false
	for i, c := range s {
		switch {
		case i == 0 && c == '-':
			neg = true
		case c >= '0' && c <= '9':
			n = 10*n + int(c-'0')
		default:
			ts.Fatalf("%q is not a number", s)
		}
	}
	if neg {
		n = -n
	}
	return n
}
