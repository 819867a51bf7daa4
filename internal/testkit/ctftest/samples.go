// Package ctftest opens the sample traces of the Common Trace Format (testdata/ctf/README.md).
package ctftest

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/packed"
)

// Sample is a trace, or a session of several traces, with the texts of babeltrace2.
type Sample struct {
	Group string // folder of testdata/ctf
	Name  string // name of the archive, or of the sample if an archive holds its whole group
	Dir   fs.FS
	Texts map[string]string // default.txt and others, by file name
}

// Samples returns the samples of a group in the order of their names.
func Samples(t testing.TB, group string) (list []*Sample) {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(needs.Root(t), "testdata/ctf", group, "*.tar.zst"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("group %s has no archives: %v", group, err)
	}
	for _, a := range archives {
		if stem := strings.TrimSuffix(a, ".tar.zst"); !strings.HasSuffix(stem, ".text") {
			list = append(list, samplesOf(t, group, packed.Files(t, a), packed.Files(t, stem+".text.tar.zst"))...)
		}
	}
	return list
}

// samplesOf returns the samples of an archive. Its files are ARCHIVE/SAMPLE/FILE.
func samplesOf(t testing.TB, group string, traces, texts fstest.MapFS) (list []*Sample) {
	t.Helper()
	found := map[string]*Sample{} // by folder
	for name := range traces {
		archive, rest, _ := strings.Cut(name, "/")
		sample, _, ok := strings.Cut(rest, "/")
		if !ok || found[sample] != nil {
			continue
		}
		dir, err := fs.Sub(traces, path.Join(archive, sample))
		if err != nil {
			t.Fatal(err)
		}
		found[sample] = &Sample{Group: group, Name: sample, Dir: dir, Texts: map[string]string{}}
		if archive != group {
			found[sample].Name = archive
		}
		list = append(list, found[sample])
	}
	for name, f := range texts {
		dir, file := path.Split(name)
		if s := found[path.Base(dir)]; s != nil {
			s.Texts[file] = string(f.Data)
		}
	}
	slices.SortFunc(list, func(a, b *Sample) int { return strings.Compare(a.Name, b.Name) })
	return list
}
