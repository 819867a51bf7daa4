package metadata

import (
	"io/fs"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// metadataOf returns the metadata files of samples.
func metadataOf(t testing.TB, groups ...string) (list [][]byte) {
	t.Helper()
	for _, group := range groups {
		for _, s := range ctftest.Samples(t, group) {
			err := fs.WalkDir(s.Dir, ".", func(name string, e fs.DirEntry, err error) error {
				if err != nil || e.Name() != "metadata" {
					return err
				}
				data, err := fs.ReadFile(s.Dir, name)
				list = append(list, data)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return list
}

func FuzzRead(f *testing.F) {
	for _, data := range metadataOf(f, "odd", "tracecompass") {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { readWhole(t, data) })
}

// TestMutants reads mutants of metadata in both languages. Reading ends soon, with bounded memory.
func TestMutants(t *testing.T) {
	var list [][]byte
	for _, data := range metadataOf(t, "odd", "tracecompass") {
		if len(data) > 0 && len(data) < 16<<10 {
			list = append(list, data)
		}
	}
	count, seed := needs.Mutants()
	if count == 0 {
		count = 500
	}
	r := rand.New(rand.NewPCG(seed, 38))
	for i := range count {
		data := list[r.IntN(len(list))]
		for range 1 + r.IntN(3) {
			if data, _, _ = mutate.Blind(r, data, list[r.IntN(len(list))]); len(data) == 0 {
				break
			}
		}
		readWhole(t, data)
		if t.Failed() {
			t.Fatalf("mutant %d of seed %d: %q", i, seed, data)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d mutants, %d MiB of the system", count, m.Sys>>20)
}

// readWhole reads metadata and checks the properties on which readers of a trace rely.
func readWhole(t *testing.T, data []byte) {
	t.Helper()
	m, err := Read("metadata", data)
	if m == nil {
		if err == nil {
			t.Fatal("neither a trace nor an error")
		}
		return
	}
	for _, s := range m.Streams {
		for _, e := range append(s.Events, nil) {
			for _, root := range m.scopes(s, e) {
				root.each(func(c *Class) {
					switch {
					case c.From != nil && len(c.From.Fields) == 0, c.Kind == Variant && c.From == nil:
						t.Errorf("event %v: a reference leads nowhere", e)
					case c.Align < 1 || c.Align&(c.Align-1) != 0, c.Kind == Int && (c.Bits < 1 || c.Bits > 64):
						t.Errorf("event %v: %d bits, aligned to %d", e, c.Bits, c.Align)
					}
				})
			}
		}
	}
}
