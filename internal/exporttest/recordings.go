// Package exporttest opens recordings of all kinds for tests of exports, whole and damaged.
package exporttest

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/mutate"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/runtime/record"
)

// Recordings returns the paths of the recordings in testdata, and of those that are shared where they are there. root is that of the repository.
func Recordings(t testing.TB, root string) []string {
	t.Helper()
	return find(t, root+"/testdata", root+"/../shared/data")
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
	if filepath.Base(path) == "expected.tar.gz" { // texts of uftrace
		return false
	}
	return slices.ContainsFunc([]string{".dat", ".trc", ".tar.gz", ".tar.xz", ".tar.zst"}, func(ending string) bool { return strings.HasSuffix(path, ending) })
}

// Open opens a recording. It returns nil for a file that is none.
func Open(t testing.TB, path string) record.Recording {
	t.Helper()
	rec, err := all.Open(context.Background(), path)
	if err != nil {
		t.Logf("%s: %v", path, err)
		return nil
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// Damaged writes n damaged copies of a file that is not packed, and returns their paths.
func Damaged(t testing.TB, path string, n int) []string {
	t.Helper()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(len(whole)), 12))
	var list []string
	for range n {
		bad := slices.Clone(whole)
		for range 1 + r.IntN(8) {
			bad, _, _ = mutate.Blind(r, bad, whole)
		}
		f, err := os.CreateTemp(t.TempDir(), "*-"+filepath.Base(path))
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Write(bad)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		list = append(list, f.Name())
	}
	return list
}
