package gen_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ctf/recorded"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ctf"
)

// describeCTF returns a function that describes the trace in a directory.
func describeCTF(t *testing.T) func(dir string) *ir.Unit {
	return func(dir string) *ir.Unit {
		rec, err := ctf.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		u, _ := recorded.Unit(rec, everything)
		u.Source = filepath.Base(dir)
		return u
	}
}

// ctfTraces writes samples of a group to directories that are called as they are. all chooses every
// nth of them.
func ctfTraces(t *testing.T, group string, every int, wants func(name string) bool) (dirs []string) {
	at := t.TempDir()
	n := 0
	for _, s := range ctftest.Samples(t, group) {
		if !wants(s.Name) {
			continue
		}
		if n++; n%every != 0 {
			continue
		}
		rec, err := ctf.OpenFS(s.Dir, s.Name)
		if err != nil || len(rec.Events()) == 0 {
			continue
		}
		dir := filepath.Join(at, s.Name)
		if err := os.CopyFS(dir, s.Dir); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}
