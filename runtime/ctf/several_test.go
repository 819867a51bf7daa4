package ctf_test

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// TestSeveral opens directories by different forms of names. A trace below two of them is read
// once.
func TestSeveral(t *testing.T) {
	samples := map[string]fs.FS{}
	for _, s := range ctftest.Samples(t, "odd") {
		samples[s.Name] = s.Dir
	}
	session := small(3)
	for _, c := range []struct {
		list  []ctf.Directory
		paths []string // of the traces
		below []string
	}{
		{[]ctf.Directory{{Name: "a/", FS: samples["ties-1"]}, {Name: "./b", FS: samples["tsdl-zoo"]}},
			[]string{"a", "b"}, []string{".", "."}},
		{[]ctf.Directory{{Name: "/x/a", FS: samples["ties-1"]}, {Name: "../b", FS: session},
			{Name: ".", FS: samples["wrap-1"]}, {Name: "/x/a", FS: samples["ties-1"]}},
			[]string{".", "../b", "/x/a"}, []string{".", ".", "."}},
	} {
		rec, err := ctf.OpenSeveral(c.list)
		if err != nil {
			t.Fatal(err)
		}
		var paths, below []string
		for _, tr := range rec.Traces() {
			paths, below = append(paths, tr.Path), append(below, tr.Below())
		}
		if !slices.Equal(paths, c.paths) || !slices.Equal(below, c.below) {
			t.Errorf("%q, %q", paths, below)
		}
		events, m := 0, rec.Merge(record.Options{})
		for range m.All() {
			events++
		}
		if m.Err() != nil || events == 0 || len(rec.Damage()) > 0 {
			t.Errorf("%d events, %v, %v", events, m.Err(), rec.Damage())
		}
	}
	if _, err := ctf.OpenSeveral([]ctf.Directory{{Name: "a", FS: samples["ties-1"]},
		{Name: "b", FS: fstest.MapFS{"stream": {}}}}); !errors.Is(err, ctf.ErrFormat) {
		t.Errorf("a directory without a trace: %v", err)
	}
	if _, err := ctf.OpenSeveral([]ctf.Directory{{Name: "a", FS: samples["ties-1"]}},
		ctf.WithFollow(record.Follow{})); err == nil {
		t.Error("several directories are followed")
	}
}
