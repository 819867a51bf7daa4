package docs

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	// go test compiles the packages of the command before it runs the tests. Otherwise go build,
	// within a test, would compile many of them at the same time as go test does.
	_ "github.com/tracec/tracec/internal/command/exports"
	"github.com/tracec/tracec/internal/testkit/needs"
)

func TestMain(m *testing.M) { needs.Main(m) }

// update writes pictures, and what commands print, into the pages: make docs.
var update = os.Getenv("UPDATE_DOCS") != ""

// TestPages runs each command of README and of each page, in the order of the page, in a folder
// with the files that the page names, and makes its pictures. Pages that build programs are long
// proofs: TestReadmeProgram of package gen has a quick part.
func TestPages(t *testing.T) {
	if runtime.GOOS != "linux" {
		needs.Skip(t, "commands are those of Linux: GNU's sed, sort and wc")
	}
	needs.Program(t, "bash", "apt-get install bash")
	bin := programs(t)
	for _, pattern := range []string{"../README.md", "*.md", "recipes/*.md", "tutorials/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			t.Run(strings.TrimSuffix(filepath.ToSlash(name), ".md"), func(t *testing.T) {
				p := readPage(t, name)
				if p.module != "" && !update {
					needs.Proofs(t)
				}
				runPage(t, p, bin)
			})
		}
	}
}

// programs builds the commands of tracec and puts those beside them that stand for programs of
// others. Those that are not there are skipped.
func programs(t *testing.T) (bin string) {
	t.Helper()
	bin = t.TempDir()
	build(t, bin, "../cmd/tracec", "../cmd/tracec-gen", "../cmd/tracec-govet")
	stand(t, bin, "duckdb", "TRACEC_DUCKDB", "duckdb", "node_modules/@duckdb/node-api")
	stand(t, bin, "trace_processor_shell", "TRACEC_PERFETTO", "perfetto", "v55/trace_processor.wasm")
	return bin
}

func build(t *testing.T, bin string, packages ...string) {
	t.Helper()
	if out, err := exec.Command("go", append([]string{"build", "-o", bin + "/"},
		packages...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// stand writes a script that runs an engine of npm with the arguments that pages give to the
// engine's own program, which npm does not have.
func stand(t *testing.T, bin, name, variable, folder, file string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		dir := needs.Consumer(t, variable, folder, file)
		node := needs.Program(t, "node", "apt-get install nodejs")
		script, err := filepath.Abs("testdata/" + name + ".cjs")
		if err != nil {
			t.Fatal(err)
		}
		engine, err := filepath.Abs("../internal/testkit/perfettotest/engine.cjs")
		if err != nil {
			t.Fatal(err)
		}
		text := "#!/bin/sh\nexec '" + node + "' '" + script + "' '" + dir + "' '" + engine + "' \"$@\"\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	})
}

func runPage(t *testing.T, p *page, bin string) {
	scratch := t.TempDir()
	env := append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC",
		"GOPROXY=off", "GOTOOLCHAIN=local")
	p.prepare(t, scratch)
	lookup := func(program string) bool {
		cmd := exec.Command("bash", "-c", "command -v "+program)
		cmd.Env = env
		return cmd.Run() == nil
	}
	var edits []edit
	left := false // something was not run: what is made of it is not there
	for _, b := range p.blocks {
		need := strings.FieldsFunc(b.options["needs"], func(r rune) bool { return r == ',' })
		need = slices.DeleteFunc(need, lookup)
		switch {
		case b.kind == "file":
			write(t, filepath.Join(scratch, b.options["file"]), []byte(strings.Join(p.lines[b.line:b.end], "\n")+"\n"))
		case b.kind == "picture" && left:
			t.Logf("%s:%d: not made: %s", p.name, b.line+1, b.options["to"])
		case b.kind == "picture":
			p.picture(t, b, scratch)
		case b.options["not-run"] != "":
			t.Logf("%s:%d: not run: needs %s", p.name, b.line+1, b.options["not-run"])
		case len(need) > 0:
			t.Logf("%s:%d: not run: no %s here", p.name, b.line+1, strings.Join(need, ", "))
			left = true
		default:
			edits = append(edits, p.runBlock(t, b, scratch, env)...)
		}
	}
	if update {
		p.rewrite(t, edits)
	}
}

// prepare copies what a page works on to a folder.
func (p *page) prepare(t *testing.T, dir string) {
	t.Helper()
	for name, from := range p.files {
		from = filepath.Join("..", filepath.FromSlash(from))
		if strings.HasSuffix(name, "/") {
			if strings.HasSuffix(from, ".xz") {
				needs.Program(t, "xz", "apt-get install xz-utils")
			}
			cmd := exec.Command("tar", "-xf", from, "--strip-components=1", "-C", filepath.Join(dir, name))
			if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
				t.Fatal(err)
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", from, err, out)
			}
			continue
		}
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), content)
	}
	if p.module == "" {
		return
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(mod), "module "+p.module)
	text = regexp.MustCompile(`(?ms)^tool .*?(\n\)|$)`).ReplaceAllString(text, "")
	text += "\nrequire github.com/tracec/tracec v0.0.0\n\nreplace github.com/tracec/tracec => " + root +
		"\n\ntool github.com/tracec/tracec/cmd/tracec-gen\n"
	write(t, filepath.Join(dir, "go.mod"), []byte(text))
	write(t, filepath.Join(dir, "go.sum"), sum)
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// edit puts lines in the place of others.
type edit struct {
	from, to int
	lines    []string
}

func (p *page) runBlock(t *testing.T, b *block, dir string, env []string) (edits []edit) {
	t.Helper()
	list, err := p.commands(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		cmd := exec.CommandContext(t.Context(), "bash", "-o", "pipefail", "-c", c.text)
		cmd.Dir, cmd.Env = dir, env
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.WaitDelay = time.Second
		err := cmd.Run()
		var got []string
		if out.Len() > 0 {
			got = strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
		}
		code, wanted := cmd.ProcessState.ExitCode(), b.options["exit"]
		if wanted == "" && code != 0 && code != 141 { // SIGPIPE: who reads has seen enough
			t.Errorf("%s:%d: %s: %v\n%s", p.name, c.line, c.text, err, &out)
			continue
		}
		if wanted != "" && c.line == list[len(list)-1].line && wanted != string(rune('0'+code)) {
			t.Errorf("%s:%d: %s: exit code %d, the page says %s", p.name, c.line, c.text, code, wanted)
		}
		switch {
		case same(c.output, got):
		case update && !slices.Contains(c.output, "…"):
			edits = append(edits, edit{c.first, c.first + len(c.output), got})
		default:
			t.Errorf("%s:%d: $ %s\nprints\n%s\nand not\n%s", p.name, c.line, c.text, &out, strings.Join(c.output, "\n"))
		}
	}
	return edits
}

// rewrite writes a page with what its commands print.
func (p *page) rewrite(t *testing.T, edits []edit) {
	t.Helper()
	if len(edits) == 0 {
		return
	}
	for _, e := range slices.Backward(edits) {
		p.lines = slices.Replace(p.lines, e.from, e.to, e.lines...)
	}
	write(t, p.name, []byte(strings.Join(p.lines, "\n")))
}
