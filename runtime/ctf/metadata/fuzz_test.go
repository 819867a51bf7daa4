package metadata

import (
	"io/fs"
	"testing"

	"github.com/tracec/tracec/internal/testkit/ctftest"
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

// readWhole reads metadata and checks what users of a trace rely on.
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
		for _, e := range s.Events {
			for _, root := range m.scopes(s, e) {
				root.each(func(c *Class) {
					switch {
					case c.From != nil && len(c.From.Fields) == 0, c.Kind == Variant && c.From == nil:
						t.Errorf("event %q: a reference leads nowhere", e.Name.Name)
					case c.Align < 1 || c.Align&(c.Align-1) != 0, c.Kind == Int && (c.Bits < 1 || c.Bits > 64):
						t.Errorf("event %q: %d bits, aligned to %d", e.Name.Name, c.Bits, c.Align)
					}
				})
			}
		}
	}
}
