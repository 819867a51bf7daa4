package tracec_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/modproxy"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// published is the version that tests publish. The next run finds the packages that were compiled
// for it.
const published = "v0.99.0"

// TestInstall installs all commands as users do, with go install from a module proxy, and runs the
// commands shown in README in an empty folder. It compiles the commands at another version than
// other tests, so it is one of the long proofs.
func TestInstall(t *testing.T) {
	needs.Proofs(t)
	home, proxy := t.TempDir(), t.TempDir()
	modproxy.Write(t, proxy, ".", published)
	u := user{env: modproxy.Environment(t, proxy, home), dir: t.TempDir()}
	commands, err := filepath.Glob("cmd/tracec*")
	if err != nil || len(commands) < 2 {
		t.Fatal(err, commands)
	}
	for _, c := range commands {
		u.run(t, "go", "install", "github.com/tracec/tracec/"+filepath.ToSlash(c)+"@"+published)
	}
	if got := u.run(t, "tracec", "version"); !strings.HasPrefix(got, "tracec "+published[1:]+" (go") {
		t.Errorf("tracec version prints %q", got)
	}
	u.copy(t, "testdata/ftrace/amd64-extract.dat", "trace.dat")
	for _, line := range []string{
		"tracec report trace.dat", "tracec stat trace.dat", "tracec list trace.dat", "tracec info trace.dat",
		"tracec gen -pkg sched -events sched:* -o sched_gen.go trace.dat",
		"tracec export --to perfetto trace.dat", "tracec export --to parquet -o pq trace.dat",
		"tracec export --to pprof trace.dat",
		"tracec export --to ndjson trace.dat", "tracec export --to csv trace.dat",
		"tracec trace-cmd report -i trace.dat",
		"tracec diff trace.dat trace.dat", "tracec licenses", "tracec help", "tracec-govet -V=full",
		"tracec-gen gen -pkg sched -events sched:* -o sched_gen.go trace.dat", "tracec-gen vet trace.dat",
		"tracec-gen version",
	} {
		if out := u.run(t, strings.Fields(line)...); out == "" &&
			strings.Contains("report stat list info ndjson licenses help", strings.Fields(line)[1]) {
			t.Errorf("%s prints nothing", line)
		}
	}
	for _, made := range []string{"sched_gen.go", "trace.dat.perfetto-trace", "trace.dat.pb.gz", "pq/manifest.json"} {
		if st, err := os.Stat(filepath.Join(u.dir, made)); err != nil || st.Size() == 0 {
			t.Errorf("%s was not written: %v", made, err)
		}
	}
}

// TestPublished: the published module has all packages that a program for decoding needs. Such a
// program depends on no other module than the decoder's.
func TestPublished(t *testing.T) {
	home, proxy := t.TempDir(), t.TempDir()
	modproxy.Write(t, proxy, ".", published)
	u := user{env: modproxy.Environment(t, proxy, home), dir: t.TempDir()}
	const program = "package main\n\nimport _ \"github.com/tracec/tracec/runtime/ftrace/layout\"\n\nfunc main() {}\n"
	u.write(t, "main.go", program)
	u.run(t, "go", "mod", "init", "example.com/program")
	u.run(t, "go", "get", "github.com/tracec/tracec/runtime/ftrace/layout@"+published)
	list := strings.Fields(u.run(t, "go", "list", "-deps", "-f", otherModules, "."))
	for _, m := range list {
		if m != "github.com/tracec/tracec" && m != "github.com/klauspost/compress" {
			t.Errorf("a program that decodes is built of %s", m)
		}
	}
	if len(list) == 0 {
		t.Error("a program that decodes is built of no module")
	}
}

// TestTools checks the costs of generating for the go.mod of a program, which docs/go.md lists:
// with tracec-gen as a tool, with tracec, and with a separate file.
func TestTools(t *testing.T) {
	needs.Proofs(t)
	home, proxy := t.TempDir(), t.TempDir()
	modproxy.Write(t, proxy, ".", published)
	for _, x := range []struct {
		command       string
		modfile       []string
		modules, sums int // maxima, in go.mod and go.sum
	}{
		{"tracec-gen", nil, 17, 40},
		{"tracec", nil, 33, 71}, // eight modules are of SQLite
		{"tracec-gen", []string{"-modfile=tools.mod"}, 2, 4},
	} {
		u := user{env: modproxy.Environment(t, proxy, home), dir: t.TempDir()}
		const program = "package main\n\nimport _ \"github.com/tracec/tracec/runtime/ftrace/layout\"\n\nfunc main() {}\n"
		u.write(t, "main.go", program)
		u.run(t, "go", "mod", "init", "example.com/program")
		if x.modfile != nil {
			u.run(t, "go", "mod", "init", x.modfile[0], "example.com/tools")
		}
		u.run(t, slices.Concat([]string{"go", "get"}, x.modfile,
			[]string{"-tool", "github.com/tracec/tracec/cmd/" + x.command + "@" + published})...)
		u.run(t, "go", "get", "github.com/tracec/tracec/runtime/ftrace/layout@"+published)
		modules := strings.Count(u.read(t, "go.mod"), " v")
		sums := strings.Count(u.read(t, "go.sum"), "\n")
		t.Logf("%s %v: %d modules in go.mod, %d lines in go.sum", x.command, x.modfile, modules, sums)
		if modules > x.modules || sums > x.sums {
			t.Errorf("%s %v: %d modules in go.mod, at most %d; %d lines in go.sum, at most %d", x.command, x.modfile,
				modules, x.modules, sums, x.sums)
		}
	}
}

// user is a person with an empty home directory who works in a folder.
type user struct {
	env []string
	dir string
}

// run runs a command and returns its output. The command must succeed.
func (u user) run(t *testing.T, args ...string) string {
	t.Helper()
	path := args[0]
	if path != "go" { // exec looks in the PATH of the test, not in that of the user
		path = filepath.Join(u.home(), "bin", path)
		if runtime.GOOS == "windows" {
			path += ".exe"
		}
	}
	cmd := exec.CommandContext(t.Context(), path, args[1:]...)
	cmd.Dir, cmd.Env = u.dir, u.env
	var messages strings.Builder
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, messages.String())
	}
	return string(out)
}

// home returns the folder that contains GOBIN.
func (u user) home() string {
	for _, v := range u.env {
		if bin, ok := strings.CutPrefix(v, "GOBIN="); ok {
			return filepath.Dir(bin)
		}
	}
	return ""
}

// write writes a file of the folder.
func (u user) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(u.dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// read reads a file of the folder.
func (u user) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(u.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// copy copies a file of the repository to the folder.
func (u user) copy(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(from))
	if err != nil {
		t.Fatal(err)
	}
	u.write(t, to, string(text))
}
