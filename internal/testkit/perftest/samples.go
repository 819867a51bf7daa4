// Package perftest opens the sample recordings of perf (testdata/perf/README.md).
package perftest

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

// Sample is a recording with perf's own texts.
type Sample struct {
	Group string // the recorded machine, such as amd64-6.18
	Name  string // such as sched.p612
	Data  []byte // nil for a directory
	Dir   fs.FS  // nil for a file
	// Texts are perf's texts by kind, such as stats.txt.
	Texts map[string]string
}

// Groups are the recorded machines of the samples.
var Groups = []string{"amd64-6.18", "amd64-7.2", "s390x-6.1", "public"}

// Made is the group of recordings from testdata/perf/made.py. It is not in Groups.
const Made = "made"

// Samples returns the recordings of a group in the order of their names.
func Samples(t testing.TB, group string) (list []*Sample) {
	t.Helper()
	all, texts := files(t, group, ""), fstest.MapFS{}
	if group != Made { // its texts are for single options
		texts = files(t, group, ".text")
	}
	for name, f := range all {
		stem, rest, ok := strings.Cut(name, ".data")
		if !ok {
			continue
		}
		s := &Sample{Group: group, Name: stem + rest, Texts: map[string]string{}}
		if dir, file, is := strings.Cut(rest, "/"); !is {
			s.Data = f.Data
		} else if file == "data" {
			s.Name, s.Dir = stem+dir, sub(t, all, path.Dir(name))
		} else {
			continue
		}
		for text, f := range texts {
			if kind, ok := strings.CutPrefix(text, stem+"."); ok {
				s.Texts[kind] = string(f.Data)
			}
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *Sample) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// All returns the recordings of all groups.
func All(t testing.TB) (list []*Sample) {
	t.Helper()
	for _, g := range Groups {
		list = append(list, Samples(t, g)...)
	}
	return list
}

// File returns another file of a group, such as its kallsyms.
func File(t testing.TB, group, name string) []byte {
	t.Helper()
	f := files(t, group, "")[name]
	if f == nil {
		t.Fatalf("group %s has no %s", group, name)
	}
	return f.Data
}

// files returns the files of an archive by their paths in the group.
func files(t testing.TB, group, kind string) fstest.MapFS {
	t.Helper()
	all := packed.Files(t, filepath.Join(needs.Root(t), "testdata/perf", group+kind+".tar.zst"))
	in := fstest.MapFS{}
	for name, f := range all {
		in[strings.TrimPrefix(name, group+"/")] = f
	}
	return in
}

func sub(t testing.TB, files fs.FS, name string) fs.FS {
	t.Helper()
	dir, err := fs.Sub(files, name)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
