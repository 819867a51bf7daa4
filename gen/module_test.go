package gen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// module is a Go module outside the repository, like a user's module. It uses tracec through a
// replace. It may also be a folder of such a module.
type module struct {
	t    *testing.T
	dir  string
	path string // of its packages
}

// newModule makes a module named generated.
func newModule(t *testing.T) *module { return moduleIn(t, t.TempDir()) }

// moduleIn makes a module named generated in a folder.
func moduleIn(t *testing.T, dir string) *module {
	t.Helper()
	m := &module{t, dir, "generated"}
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
	text := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(mod), "module generated")
	text = regexp.MustCompile(`(?ms)^tool .*?(\n\)|$)`).ReplaceAllString(text, "")
	text += "\nrequire github.com/tracec/tracec v0.0.0\n\nreplace github.com/tracec/tracec => " + root + "\n"
	m.write("go.mod", []byte(text))
	m.write("go.sum", sum)
	return m
}

func (m *module) write(name string, content []byte) {
	m.t.Helper()
	name = filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// generate writes the code of u to a directory with the name of u.
func (m *module) generate(u *ir.Unit, opts gen.Options) (files []gen.File) {
	m.t.Helper()
	opts.Version = "(test)"
	opts.ImportPath = m.path + "/" + opts.Package
	files, err := gen.Generate(u, opts)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, f := range files {
		m.write(opts.Package+"/"+f.Name, f.Content)
	}
	return files
}

// driver copies a program from testdata/drivers.
func (m *module) driver(name string) {
	m.t.Helper()
	files, _ := filepath.Glob(filepath.Join("testdata", "drivers", name, "*.go"))
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			m.t.Fatal(err)
		}
		m.write(name+"/"+filepath.Base(f), src)
	}
}

// goFlags returns the flags of the go command in the module. It keeps the flags of the test: with
// other flags, the go command would compile the standard library once more.
var goFlags = strings.TrimSpace(os.Getenv("GOFLAGS") + " -mod=mod")

// run runs a command in the module, without using the network.
func (m *module) run(env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOFLAGS="+goFlags, "GOPROXY=off", "GOWORK=off")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must is run for a command that must succeed.
func (m *module) must(env []string, name string, args ...string) string {
	m.t.Helper()
	out, err := m.run(env, name, args...)
	if err != nil {
		if len(out) > 4000 {
			out = out[:4000] + "..."
		}
		m.t.Fatalf("%s %s (%s): %v\n%s", name, strings.Join(args, " "), strings.Join(env, " "), err, out)
	}
	return out
}

// build runs go build, which must succeed, without debugger data. Packages of the module are
// compiled without inlining, which saves half of the time. The long proofs compile as users do,
// except for a run that requests a number of mutants.
func (m *module) build(env []string, args ...string) {
	m.t.Helper()
	command := []string{"build", "-ldflags=-w"}
	if !needs.LongProofs(m.t) || *mutants > 0 {
		command = append(command, "-gcflags=generated/...=-l -dwarf=false")
	}
	m.must(env, "go", append(command, args...)...)
}

// vet runs go vet if the long proofs run. It compiles the standard library once more for its own
// facts.
func (m *module) vet(packages ...string) {
	m.t.Helper()
	if needs.LongProofs(m.t) {
		m.must(nil, "go", append([]string{"vet"}, packages...)...)
	}
}

// builtFor reports whether to build for machines of another kind. Each kind needs its own compiled
// standard library. By default only the long proofs build for them. TRACEC_BUILDS names other
// machines, as for TestBuilds.
func (m *module) builtFor(arch string) bool {
	some := os.Getenv("TRACEC_BUILDS")
	return needs.LongProofs(m.t) && (some == "" || slices.Contains(strings.Split(some, ","), "linux/"+arch))
}

// cross builds packages for other machines.
func (m *module) cross(arches []string, packages ...string) {
	m.t.Helper()
	for _, arch := range arches {
		if !m.builtFor(arch) {
			continue
		}
		m.build([]string{"GOARCH=" + arch, "CGO_ENABLED=0"}, packages...)
	}
}

// starts builds a driver for this machine and, with the long proofs, for the other machines whose
// programs run here.
func (m *module) starts(driver string) []string {
	m.t.Helper()
	return append([]string{m.start(driver, nil)}, m.startsElsewhere(driver)...)
}

// startsElsewhere builds a driver for the other machines of starts.
func (m *module) startsElsewhere(driver string) (bins []string) {
	m.t.Helper()
	if !needs.LongProofs(m.t) {
		return nil
	}
	machines, missing := foreign()
	for _, text := range missing {
		m.t.Log(text)
	}
	for _, run := range machines {
		if !m.builtFor(run.arch) {
			continue
		}
		bin := m.start(driver, []string{"GOARCH=" + run.arch, "CGO_ENABLED=0"})
		if run.emulator != "" {
			m.write(filepath.Base(bin)+".sh", fmt.Appendf(nil, "#!/bin/sh\nexec %s %s \"$@\"\n", run.emulator, bin))
			bin += ".sh"
			if err := os.Chmod(bin, 0o755); err != nil {
				m.t.Fatal(err)
			}
		}
		bins = append(bins, bin)
	}
	return bins
}

// start builds a driver and returns the path of the program. It is linked without symbols and
// debugger data, which is faster.
func (m *module) start(driver string, env []string, flags ...string) string {
	m.t.Helper()
	bin := filepath.Join(m.dir, driver+strings.Join(env, "")+strings.Join(flags, "")+".exe")
	bin = strings.Map(func(r rune) rune {
		if r == '=' || r == ' ' {
			return '_'
		}
		return r
	}, bin)
	m.build(env, slices.Concat([]string{"-ldflags=-s -w", "-o", bin}, flags, []string{"./" + driver})...)
	return bin
}
