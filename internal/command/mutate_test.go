package command

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/internal/testkit/needs"
)

var (
	mutantsAsked, seedAsked = needs.Mutants()

	mutants    = flag.Int("mutants", mutantsAsked, "mutants of each kind of input; 0 is as many as tests have time for")
	mutantSeed = flag.Uint64("mutants-seed", seedAsked, "seed of the mutants")
	mutantFrom = flag.Int("mutants-from", 0, "number of the first mutant")
	mutantsFor = flag.Duration("mutants-for", 0, "how long to make mutants of each kind, in place of a number")
	mutantKeep = flag.String("mutants-keep", keptMutants, "directory for mutants that break something")
)

// kindOfInput holds samples for mutants, and commands. Each mutant is the input of one command. In
// a command, FILE stands for the mutant, and OUT for a directory for generated files.
type kindOfInput struct {
	name     string
	samples  func(t *testing.T) []*mutate.Sample
	commands []string
	// generators take much longer than other commands, mostly to format and type-check. Only one
	// mutant in generate goes through a generator.
	generators []string
	generate   int
	// make replaces Sample.Mutate for kinds with known contents.
	make func(k *kindRun, r *rand.Rand) *mutant
	file string // name of an input that is one file
}

// mutant is a damaged input and its limits.
type mutant struct {
	*mutate.Mutant
	sample string
	intact mutate.Tree
	// check compares the remaining events with the intact ones. It is nil if the loss of a change
	// is unknown.
	check func(k *kindRun, dir string) error
}

// TestMutants runs the whole command on damaged inputs of every kind. Nothing may panic, hang, take
// more memory than allowed, end without an error, lose intact data or generate code that does not
// compile.
//
//	go test ./internal/command -run TestMutants/ftrace -mutants 100000 -mutants-seed 7 -timeout 0 -v
func TestMutants(t *testing.T) {
	for _, kind := range inputKinds {
		t.Run(kind.name, func(t *testing.T) {
			k := newKindRun(t, &kind)
			n := *mutants
			switch {
			case n == 0 && *mutantsFor > 0:
			case n == 0:
				n = needs.Cases(t, 3, 120)
			}
			for begin, told := time.Now(), time.Now(); k.made < n || time.Since(begin) < *mutantsFor; {
				k.one(*mutantFrom + k.made)
				if k.failed >= 20 {
					t.Fatalf("gave up after %d mutants", k.made)
				}
				if time.Since(told) > time.Minute {
					told = time.Now()
					k.print()
				}
			}
			k.print()
		})
	}
}

// kindRun is the work on one kind of input.
type kindRun struct {
	t       *testing.T
	kind    *kindOfInput
	samples []*mutate.Sample
	watch   *watchdog
	dir     string
	written map[string]written // by sample

	made, runs, failed int
	codes              [4]int
	checked            map[string]int // by oracle
}

// written is a mutant on disk.
type written struct {
	dir  string
	tree mutate.Tree
}

func newKindRun(t *testing.T, kind *kindOfInput) *kindRun {
	// files in memory: half of the time is spent in system calls
	if st, err := os.Stat("/dev/shm"); err == nil && st.IsDir() && runtime.GOOS == "linux" {
		t.Setenv("TMPDIR", "/dev/shm")
	}
	// the watchdog collects the garbage of one mutant before it measures the next
	percent := debug.SetGCPercent(400)
	limit := debug.SetMemoryLimit(mutantMemory + mutantReserve*3/4) // garbage must not make the test fail
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
	k := &kindRun{t: t, kind: kind, dir: t.TempDir(), written: map[string]written{}, checked: map[string]int{}}
	k.samples = kind.samples(t)
	if len(k.samples) == 0 {
		t.Fatal("no samples")
	}
	k.watch = newWatchdog(t)
	return k
}

// source is the random source of one mutant.
func (k *kindRun) source(i int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(k.kind.name))
	return rand.New(rand.NewPCG(*mutantSeed, h.Sum64()+uint64(i)))
}

// command chooses a command for a mutant.
func (kind *kindOfInput) command(r *rand.Rand) string {
	list := kind.commands
	if n := len(kind.generators); n > 0 && r.IntN(kind.generate) == 0 {
		list = kind.generators
	}
	return list[r.IntN(len(list))]
}

func (k *kindRun) one(i int) {
	r := k.source(i)
	var m *mutant
	if k.kind.make != nil {
		m = k.kind.make(k, r)
	} else {
		s := k.samples[r.IntN(len(k.samples))]
		m = k.mutate(s, r)
	}
	k.made++
	path := k.put(m)
	name := fmt.Sprintf("%s seed %d mutant %d of %s: %s", k.kind.name, *mutantSeed, i, m.sample,
		strings.Join(m.Steps, "; "))
	command := k.kind.command(r)
	if err := k.run(name, command, path, m.Tree.Size()); err != nil {
		k.report(i, m, name, command, err)
	}
	if m.check != nil {
		k.checked["loss"]++
		if err := m.check(k, path); err != nil {
			k.report(i, m, name, "", err)
		}
	}
}

// mutate makes a mutant of a sample.
func (k *kindRun) mutate(s *mutate.Sample, r *rand.Rand) *mutant {
	return &mutant{Mutant: s.Mutate(r, k.samples), sample: s.Name, intact: s.Tree}
}

// put writes the files that differ from the last mutant of the same sample, and returns the input
// of commands. Most of the time of a small command is spent on system calls.
func (k *kindRun) put(m *mutant) string {
	old := k.written[m.sample]
	if old.dir == "" {
		old.dir = filepath.Join(k.dir, fmt.Sprintf("mutant%d", len(k.written)))
	}
	same := func(name string) bool { // mutators replace files and never change them
		a, b := old.tree[name], m.Tree[name]
		return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0]
	}
	for name := range old.tree {
		if !same(name) {
			os.Remove(k.file(old.dir, name))
		}
	}
	for name, b := range m.Tree {
		if !same(name) {
			k.writeFile(k.file(old.dir, name), b)
		}
	}
	old.tree = m.Tree
	k.written[m.sample] = old
	return k.argument(old.dir, m.Tree)
}

// write writes a tree to a new directory, and returns the input of commands.
func (k *kindRun) write(dir string, tree mutate.Tree) string {
	os.RemoveAll(dir)
	for name, b := range tree {
		k.writeFile(k.file(dir, name), b)
	}
	return k.argument(dir, tree)
}

func (k *kindRun) writeFile(path string, b []byte) {
	err := os.WriteFile(path, b, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
			err = os.WriteFile(path, b, 0o666)
		}
	}
	if err != nil {
		k.t.Fatal(err)
	}
}

// file returns the path for a file of a tree.
func (k *kindRun) file(dir, name string) string {
	if name == "" {
		name = k.kind.file
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

func (k *kindRun) argument(dir string, tree mutate.Tree) string {
	if _, single := tree[""]; single {
		return k.file(dir, "")
	}
	return dir
}

func (k *kindRun) print() {
	fmt.Printf("mutants of %-10s seed %d from %d: %s\n", k.kind.name, *mutantSeed, *mutantFrom, k.counts())
}

// counts returns a line with the numbers of mutants, runs, and outcomes.
func (k *kindRun) counts() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d made, %d runs", k.made, k.runs)
	for code, n := range k.codes {
		fmt.Fprintf(&b, ", exit %d: %d", code, n)
	}
	var names []string
	for name := range k.checked {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, ", %s checked: %d", name, k.checked[name])
	}
	fmt.Fprintf(&b, ", heap at most %d MiB, failed: %d", k.watch.most()>>20, k.failed)
	return b.String()
}
