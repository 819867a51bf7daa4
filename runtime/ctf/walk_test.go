package ctf_test

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/ctftest"
)

// sample returns the files of a sample.
func sample(t testing.TB, group, name string) fstest.MapFS {
	t.Helper()
	list := ctftest.Samples(t, group)
	i := slices.IndexFunc(list, func(s *ctftest.Sample) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no sample %s of %s", name, group)
	}
	files := fstest.MapFS{}
	err := fs.WalkDir(list[i].Dir, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(list[i].Dir, path)
		files[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
