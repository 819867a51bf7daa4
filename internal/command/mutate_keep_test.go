package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/testkit/mutate"
)

// keptMutants is the directory of inputs that once broke a command. Each has a directory KIND/NAME/
// with its files, and a text KIND/NAME.txt about the fault. TestKeptMutants runs every command on
// them.
const keptMutants = "testdata/mutants"

const (
	// reduceTries bounds the runs of a mutant while it is made smaller.
	reduceTries = 2000
	// reduceFor limits the time of these runs. Inputs that fail because of their size take long in
	// each run.
	reduceFor = 30 * time.Second
	// reduceSize is the largest size of an input whose bytes are left out one after another.
	reduceSize = 1 << 20
)

// report reduces a mutant that broke a command as far as it can, and keeps it. command is "" if a
// check of losses failed. That check compares with the intact input, so only changes can be left
// out.
func (k *kindRun) report(i int, m *mutant, name, command string, err error) {
	k.failed++
	again := fmt.Sprintf("go test ./internal/command -run 'TestMutants/^%s$' -mutants-seed %d -mutants-from %d -mutants 1", k.kind.name, *mutantSeed, i)
	small := k.reduce(m, command, err)
	text := fmt.Sprintf("%s: %v\n%s\n", name, err, again)
	if command != "" {
		text = fmt.Sprintf("%s: tracec %s: %v\n%s\n", name, command, err, again)
	}
	k.t.Error(text)
	if *mutantKeep == "" {
		return
	}
	dir := filepath.Join(*mutantKeep, k.kind.name, fmt.Sprintf("%d-%d", *mutantSeed, i))
	path := k.write(dir, small)
	if command != "" {
		text += "tracec " + strings.NewReplacer("FILE", path, "OUT", "out").Replace(command) + "\n"
	}
	if err := os.WriteFile(dir+".txt", []byte(text), 0o666); err != nil {
		k.t.Error(err)
	}
}

// reduce returns a smaller input that fails in the same way.
func (k *kindRun) reduce(m *mutant, command string, err error) mutate.Tree {
	if m.intact == nil {
		return m.Tree
	}
	counts, checked := *k, k.checked
	k.checked = map[string]int{}
	defer func() { k.runs, k.codes, k.checked = counts.runs, counts.codes, checked }()
	dir := filepath.Join(k.dir, "reduce")
	want := sameness(err)
	shrink := command != "" && m.Tree.Size() <= reduceSize
	begin := time.Now()
	return mutate.Reduce(m.intact, m.Tree, shrink, reduceTries, func(t mutate.Tree) bool {
		if time.Since(begin) > reduceFor {
			return false
		}
		path := k.write(dir, t)
		if command == "" {
			err = m.check(k, path)
		} else {
			err = k.run("reducing", command, path, t.Size())
		}
		return err != nil && sameness(err) == want
	})
}

var changing = regexp.MustCompile(`[0-9]+|0x[0-9a-f]+|/\S+`)

// sameness returns the text that errors of one fault have in common: the message without numbers
// and paths, and for a panic its place.
func sameness(err error) string {
	lines := strings.SplitN(err.Error(), "\n", 30)
	out := lines[0]
	for _, line := range lines[1:] {
		if strings.Contains(line, "tracec/") && !strings.Contains(line, "_test.go") &&
			!strings.Contains(line, "panic") {
			out += line
			break
		}
	}
	return changing.ReplaceAllString(out, "")
}

// keptNumbers are mutants of seed 1 that once broke a command and are too large to keep as files,
// by kind.
var keptNumbers = map[string][]int{
	// bytes lost or added in one CPU's data hid another CPU's
	"trace.dat": {241, 312, 684, 1110, 1381, 1739, 2455, 2630, 2923},
}

// TestKeptMutants runs every command of a kind on inputs that once broke a command.
func TestKeptMutants(t *testing.T) {
	for _, kind := range inputKinds {
		if list := keptNumbers[kind.name]; len(list) > 0 && *mutantSeed == 1 {
			k := newKindRun(t, &kind)
			for _, i := range list {
				k.one(i)
			}
		}
		dirs := slices.DeleteFunc(glob(filepath.Join(keptMutants, kind.name, "*")), func(name string) bool {
			st, err := os.Stat(name)
			return err != nil || !st.IsDir()
		})
		if len(dirs) == 0 {
			continue
		}
		k := newKindRun(t, &kind)
		for _, dir := range dirs {
			tree, err := readTree(dir, kind.file)
			if err != nil {
				t.Fatal(err)
			}
			path := k.write(filepath.Join(k.dir, "kept"), tree)
			for _, command := range slices.Concat(kind.commands, kind.generators) {
				if err := k.run(dir, command, path, tree.Size()); err != nil {
					t.Errorf("%s: tracec %s: %v", dir, command, err)
				}
			}
		}
	}
}

// readTree reads the files below a directory. single is the name of an input that is one file.
func readTree(dir, single string) (mutate.Tree, error) {
	tree := mutate.Tree{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, rel := filepath.Rel(dir, path)
		if name == single {
			name = ""
		}
		tree[filepath.ToSlash(name)] = b
		return errors.Join(err, rel)
	})
	return tree, err
}
