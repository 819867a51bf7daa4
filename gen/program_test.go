package gen_test

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// drivers compare generated decoders with compiler/interp. They are packages of testdata/drivers,
// so that each is compiled once for all tests.
var drivers = []string{"agree", "calls", "own", "recorded", "templates", "traces"}

// program holds all drivers with the decoders of a test. A test first generates, and then calls
// [afterAll] before it starts the program. So one program, or a few if one link would be too large,
// is built from the decoders of all tests. Decoders of whole kernels have their own programs.
type program struct {
	*module
	round    *round // nil for a test's own program
	packages []string
	parts    map[string][]string // import paths of the packages that a package binds: itself, or its subpackages
}

// round is the state that tests share: a module, the decoders generated in it, and the program that
// is built from them. A new round begins if the code of one grows large, or if a test generates
// after the program was built, as with -count=2.
type round struct {
	dir      string
	bytes    int // of code
	mu       sync.Mutex
	programs []*program
	bin      string
	failed   bool
}

// rounds are all rounds. The last one is open.
var rounds []*round

func TestMain(m *testing.M) {
	// go/packages runs the go command, which must find the modules of tests.
	os.Setenv("GOFLAGS", goFlags)
	os.Setenv("GOPROXY", "off")
	os.Setenv("GOWORK", "off")
	code := needs.Run(m)
	if code != 0 {
		fmt.Printf("mutants are those of -mutants-seed %d\n", *mutantSeed)
	}
	for _, r := range rounds {
		os.RemoveAll(r.dir)
	}
	os.Exit(code)
}

// afterAll lets all other tests generate before this test continues.
func afterAll(t *testing.T) {
	t.Parallel() // pauses the test until all other tests have run or have come here as well
}

// newProgram makes a program without decoders.
func newProgram(t *testing.T) *program {
	t.Helper()
	if len(rounds) == 0 || rounds[len(rounds)-1].closed() {
		dir, err := os.MkdirTemp("", "tracec-gen")
		if err != nil {
			t.Fatal(err)
		}
		rounds = append(rounds, &round{dir: dir})
		moduleIn(t, dir)
	}
	r := rounds[len(rounds)-1]
	name := fmt.Sprintf("p%d", len(r.programs))
	p := &program{module: &module{t, filepath.Join(r.dir, name), "generated/" + name}, round: r}
	r.programs = append(r.programs, p)
	return p
}

// ownProgram makes a program that shares nothing with other tests.
func ownProgram(t *testing.T) *program {
	t.Helper()
	m := newModule(t)
	return &program{module: &module{t, filepath.Join(m.dir, "p"), "generated/p"}}
}

// generate writes the code of u to a directory with the name of u, and puts its decoder into the
// program.
func (p *program) generate(u *ir.Unit, opts gen.Options) {
	p.t.Helper()
	p.add(opts.Package, p.module.generate(u, opts))
}

// add puts a generated package into the program.
func (p *program) add(name string, files []gen.File) {
	p.packages = append(p.packages, name)
	dirs := map[string]bool{}
	for _, f := range files {
		dirs[path.Dir(f.Name)] = true
		if p.round != nil {
			p.round.bytes += len(f.Content)
		}
	}
	if len(dirs) > 1 {
		delete(dirs, ".") // the root of a split output
	}
	if p.parts == nil {
		p.parts = map[string][]string{}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		p.parts[name] = append(p.parts[name], path.Join(p.path, name, dir))
	}
}

// drawn generates a decoder for structs that are drawn for every nth event of u.
func (p *program) drawn(name string, u *ir.Unit, seed uint64, every int) {
	p.t.Helper()
	p.add(name, into(p.t, p.module, u, name, gen.DrawStructs(name, u, seed, every)))
}

// command is a program and its first arguments.
type command []string

// must runs a driver, and fails the test if the driver fails. Drivers measure allocations for every
// record, which takes a tenth of the time on one processor, because [testing.AllocsPerRun] then has
// no other processors to stop.
func (c command) must(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(c[0], slices.Concat(c[1:], args)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(c[0]), strings.Join(args, " "), err, out[:min(len(out), 4000)])
	}
	return string(out)
}

// start builds the program for this machine.
func (p *program) start(t *testing.T) command {
	t.Helper()
	if p.round != nil {
		return command{p.round.build(t), p.path}
	}
	return p.own(t)
}

// starts builds the program for this machine and, with the long proofs, for the other machines
// whose programs run here.
func (p *program) starts(t *testing.T) (list []command) {
	t.Helper()
	list = append(list, p.start(t))
	if !needs.LongProofs(t) {
		return list
	}
	m := p.of(t)
	m.write("main/main.go", mainOf(p))
	for _, bin := range m.startsElsewhere("main") {
		list = append(list, command{bin, p.path})
	}
	return list
}

// own builds a program that has only the decoders of p.
func (p *program) own(t *testing.T, flags ...string) command {
	t.Helper()
	m := p.of(t)
	m.write("main/main.go", mainOf(p))
	return command{m.start("main", nil, flags...), p.path}
}

// of returns the module for another test, such as a subtest of the test of p.
func (p *program) of(t *testing.T) *module { return &module{t, p.dir, p.path} }

// closed reports whether the program was already built or holds much code.
func (r *round) closed() bool {
	const much = 16 << 20
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bin != "" || r.failed || r.bytes > much
}

// build builds the program of all decoders, once.
func (r *round) build(t *testing.T) string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed {
		t.Fatal("the program of all tests is not built: see the first test that fails")
	}
	if r.bin == "" {
		r.failed = true
		m := &module{t, r.dir, "generated"}
		m.write("main/main.go", mainOf(r.programs...))
		r.bin, r.failed = m.start("main", nil), false
	}
	return r.bin
}

// mainOf writes a program. Its arguments are the path of a package from [newProgram], a driver, and
// the driver's arguments.
func mainOf(programs ...*program) []byte {
	var imports, list bytes.Buffer
	n := 0
	imported := func(path string) string {
		n++
		fmt.Fprintf(&imports, "p%d %q\n", n, path)
		return fmt.Sprint("p", n)
	}
	for _, p := range programs {
		fmt.Fprintf(&list, "case %q:\n", p.path)
		for _, pkg := range p.packages {
			fmt.Fprintf(&list, "decoders.Add(%q, %s.Bind", pkg, imported(p.path+"/"+pkg))
			for _, part := range p.parts[pkg] {
				fmt.Fprintf(&list, ", %s.Package", imported(part))
			}
			fmt.Fprintln(&list, ")")
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "package main\n\nimport (\n\"os\"\n\n%s\n", &imports)
	for _, d := range append([]string{"decoders"}, drivers...) {
		fmt.Fprintf(&b, "%q\n", "github.com/tracec/tracec/gen/testdata/drivers/"+d)
	}
	fmt.Fprintf(&b, ")\n\nfunc main() {\nswitch os.Args[1] {\n%s}\nswitch os.Args[2] {\n", &list)
	for _, d := range drivers {
		fmt.Fprintf(&b, "case %q:\n%s.Main(os.Args[3:])\n", d, d)
	}
	fmt.Fprint(&b, "}\n}\n")
	text, err := format.Source(b.Bytes())
	if err != nil {
		panic(err)
	}
	return text
}
