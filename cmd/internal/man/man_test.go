package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/testkit/needs"
)

func TestMain(m *testing.M) { needs.Main(m) }

// manual writes the manual and returns the folder.
func manual(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := run(dir, "v1.2.3", "2026-01-31"); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMandoc checks that mandoc reports nothing about a page, and that all referenced pages exist.
func TestMandoc(t *testing.T) {
	dir := filepath.Join(manual(t), "man")
	pages, err := filepath.Glob(filepath.Join(dir, "man*", "*"))
	if err != nil || len(pages) < 30 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, p := range pages {
		content, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\.(?:It )?Xr (\S+) ([17])`).FindAllSubmatch(content, -1) {
			if !slices.Contains(pages, filepath.Join(dir, "man"+string(m[2]), string(m[1])+"."+string(m[2]))) {
				t.Errorf("%s refers to %s, of which there is no page", filepath.Base(p), m[1])
			}
		}
	}
	mandoc := needs.Program(t, "mandoc", "apt-get install mandoc")
	out, _ := exec.Command(mandoc, append([]string{"-Tlint", "-Wstyle"}, pages...)...).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, "referenced manual not found: Xr tracec") { // the referenced pages are not installed
			t.Error(strings.TrimSpace(line))
		}
	}
}

// TestPages: the page of a command has every option, and its examples.
func TestPages(t *testing.T) {
	dir := manual(t)
	for _, c := range commands(command.Tree()) {
		content, err := os.ReadFile(filepath.Join(dir, "man", "man1", pageName(c)+".1"))
		if err != nil {
			t.Fatal(err)
		}
		page := string(content)
		for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES",
			"SEE ALSO"} {
			if strings.Count(page, ".Sh "+section+"\n") != 1 {
				t.Errorf("%s: not one section %s", pageName(c), section)
			}
		}
		for _, options := range command.Options(c) {
			options.Flags.VisitAll(func(f *pflag.Flag) {
				if !strings.Contains(page, "Fl Fl "+f.Name) {
					t.Errorf("%s: no option %s", pageName(c), f.Name)
				}
			})
		}
	}
}

// TestVariables checks that the pages list the variables that the command and its packages read.
func TestVariables(t *testing.T) {
	read := map[string]string{}
	others := []string{"testdata", "testkit", "cmd", "tools", ".git"}
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasSuffix(path, "test") || slices.Contains(others, d.Name())):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		content, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`os\.(?:Getenv|LookupEnv)\("?(\w+)`).FindAllSubmatch(content, -1) {
			read[string(m[1])] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{"TMPDIR": true} // os.TempDir reads it
	for _, list := range variables {
		for _, f := range list {
			documented[f.name] = true
			if read[f.name] == "" && f.name != "TMPDIR" {
				t.Errorf("nothing reads %s", f.name)
			}
		}
	}
	for name, path := range read {
		if !documented[name] {
			t.Errorf("%s reads %s, which is in no page", path, name)
		}
	}
}

// TestSame: the same tree gives the same bytes.
func TestSame(t *testing.T) {
	a, b := os.DirFS(manual(t)), os.DirFS(manual(t))
	err := fs.WalkDir(a, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		one, _ := fs.ReadFile(a, path)
		if other, err := fs.ReadFile(b, path); err != nil || !bytes.Equal(one, other) {
			t.Errorf("%s: other bytes, %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestInstall: make install puts all files where shells and man look for them.
func TestInstall(t *testing.T) {
	if runtime.GOOS == "windows" {
		needs.Skip(t, "make install is not for Windows")
	}
	make := needs.Program(t, "make", "apt-get install make")
	temp := t.TempDir()
	dir := filepath.Join(temp, "stage it")
	// use the tests' setting: otherwise much of the standard library is compiled once more
	cgo, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	if err != nil {
		t.Fatal(err)
	}
	install := exec.Command(make, "-C", "../../..", "install", "BIN="+filepath.Join(temp, "bin"),
		"DESTDIR="+dir, "PREFIX=/opt/tracec", "CGO_ENABLED="+strings.TrimSpace(string(cgo)))
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, f := range []string{
		"bin/tracec", "share/man/man1/tracec.1", "share/man/man1/tracec-report.1", "share/man/man7/tracec-filters.7",
		"share/bash-completion/completions/tracec", "share/zsh/site-functions/_tracec",
		"share/fish/vendor_completions.d/tracec.fish",
	} {
		if info, err := os.Stat(filepath.Join(dir, "opt/tracec", f)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// TestEscapes checks that text with the syntax of roff is printed unchanged.
func TestEscapes(t *testing.T) {
	mandoc := needs.Program(t, "mandoc", "apt-get install mandoc")
	var b strings.Builder
	b.WriteString(".Dd January 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n.Sh EXAMPLES\n.Bd -literal\n")
	lines := []string{`.starts with a dot`, `'and a quote'`, `a \n b --long -s "x"`, `printf()`, `a…b`}
	for _, l := range lines {
		b.WriteString(verbatim(l) + "\n")
	}
	b.WriteString(".Ed\n")
	cmd := exec.Command(mandoc, "-Tutf8")
	cmd.Stdin = strings.NewReader(b.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if !strings.Contains(string(out), l+"\n") {
			t.Errorf("%q is not in\n%s", l, out)
		}
	}
}
