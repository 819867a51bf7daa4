// Package exporttest opens recordings of all kinds for tests of exports, whole and damaged.
package exporttest

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// Recordings returns the paths of some recordings in testdata. With the long proofs it returns all
// of them, and also the shared ones if they exist. root is the root of the repository.
func Recordings(t testing.TB, root string) []string {
	t.Helper()
	if !needs.LongProofs(t) {
		return Some(t, root)
	}
	return find(t, root+"/testdata", needs.SharedData(t))
}

// Some returns the paths of some recordings in testdata, of all kinds. With the long proofs it
// returns all of them.
func Some(t testing.TB, root string) []string {
	t.Helper()
	return needs.Some(t, Shipped(t, root), 15)
}

// Shipped returns the paths of the recordings in testdata.
func Shipped(t testing.TB, root string) []string {
	t.Helper()
	return find(t, root+"/testdata")
}

func find(t testing.TB, dirs ...string) []string {
	t.Helper()
	var list []string
	for _, dir := range dirs {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && isRecording(path) {
				list = append(list, path)
			}
			return nil
		})
	}
	if len(list) < 50 {
		t.Fatalf("%d recordings in %s", len(list), dirs)
	}
	return list
}

func isRecording(path string) bool {
	// Skip texts of uftrace and babeltrace2.
	if filepath.Base(path) == "expected.tar.gz" || strings.HasSuffix(path, ".text.tar.zst") {
		return false
	}
	switch filepath.Base(path) {
	case "babeltrace.tar.zst", "barectf.tar.zst", "fields.tar.zst", "odd.tar.zst", "random.tar.zst":
		// Each has dozens of traces of CTF, which do not form one recording. Structures have tests
		// of their own (nested_test.go).
		return false
	}
	// Skip recordings of perf in other folders. Their structures have tests of their own.
	if strings.HasSuffix(path, ".data") {
		return filepath.Base(filepath.Dir(path)) == "perf"
	}
	return slices.ContainsFunc([]string{".dat", ".trc", ".tar.gz", ".tar.xz", ".tar.zst"},
		func(ending string) bool { return strings.HasSuffix(path, ending) })
}

// Open opens a recording. It returns nil for a file that is not a recording.
func Open(t testing.TB, path string) record.Recording {
	t.Helper()
	rec, err := tracec.Open(context.Background(), path)
	if err != nil {
		t.Logf("%s: %v", path, err)
		return nil
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// EachDamaged calls check with damaged recordings of all kinds. Some may be completely unreadable.
func EachDamaged(t testing.TB, root string, check func(name string, rec record.Recording)) {
	t.Helper()
	for _, name := range []string{
		"ftrace/amd64-syscalls.dat", "ftrace/amd64-markers.dat", "aix/shop64.trc", "uftrace/args-auto/data.tar.gz",
		"uftrace/kernel-events/data.tar.gz",
		"lttng/synthetic/v26-be64-aligned.tar.xz", "lttng/synthetic/v10-le32-hb-packed.tar.xz",
		"ctf/lttng/lttng-2.16-ctf2.ust-channels.tar.zst", "perf/clock.data",
	} {
		opened, copies := 0, needs.Cases(t, 4, 16)
		for _, path := range Damaged(t, root+"/testdata/"+name, copies) {
			rec, err := tracec.Open(context.Background(), path)
			if err != nil {
				continue // even its head is damaged
			}
			opened++
			check(name+" as "+path, rec)
			rec.Close()
		}
		if opened < copies/2 {
			t.Errorf("%s: only %d of %d damaged copies open", name, opened, copies)
		}
	}
}

// Damaged writes n damaged copies of a recording, which is a file or an archive, and returns their
// paths.
func Damaged(t testing.TB, path string, n int) []string {
	t.Helper()
	tree := treeOf(t, path)
	names := slices.Sorted(maps.Keys(tree))
	r := rand.New(rand.NewPCG(uint64(tree.Size()), 12))
	var list []string
	for range n {
		bad := tree.Clone()
		for range 1 + r.IntN(8) {
			name := names[r.IntN(len(names))]
			bad[name], _, _ = mutate.Blind(r, bad[name], tree[name])
		}
		ending, content := filepath.Ext(path), bad[""]
		if strings.Contains(path, ".tar.") {
			ending = ".tar"
			var err error
			if content, err = mutate.PackIntact(bad, ending); err != nil {
				t.Fatal(err)
			}
		}
		f, err := os.CreateTemp(t.TempDir(), "*"+ending)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Write(content)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		list = append(list, f.Name())
	}
	return list
}

// treeOf reads the files of an archive. A single file has the name "".
func treeOf(t testing.TB, path string) mutate.Tree {
	t.Helper()
	if !strings.Contains(path, ".tar.") {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return mutate.Tree{"": whole}
	}
	in, err := input.Open(context.Background(), path, nil, 0,
		[]input.Kind{{Detect: func(p *input.Probe) bool {
			return p.Dir != nil &&
				(p.Has("info") || lttng.IsTrace(p.Dir))
		}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	tree := mutate.Tree{}
	err = fs.WalkDir(in.Dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			tree[name], err = fs.ReadFile(in.Dir, name)
		}
		return err
	})
	if err != nil || len(tree) == 0 {
		t.Fatal(path, len(tree), err)
	}
	return tree
}
