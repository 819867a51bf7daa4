package parquet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestDamaged: for truncated or changed recordings, the tables contain everything that the decoders
// read, and the manifest reports the rest. Derived tables do not change this.
func TestDamaged(t *testing.T) {
	for _, path := range []string{"../../testdata/ftrace/amd64-extract.dat", "../../testdata/ftrace/sid-zlib.dat",
		"../../testdata/aix/shop32.trc"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n := len(text)
		cases := 8
		if needs.LongProofs(t) {
			cases = 24
		}
		for i := range cases {
			bad := append([]byte(nil), text...)
			if i%2 == 0 {
				bad = bad[:n-n*(i+1)*24/cases/40]
			} else {
				for j := range 9 {
					bad[(n/25*(i*24/cases)+j*977)%n] ^= 0xa5
				}
			}
			t.Run(fmt.Sprint(filepath.Base(path), " ", i),
				func(t *testing.T) { writeDamaged(t, bad, filepath.Ext(path)) })
		}
	}
}

func writeDamaged(t *testing.T, text []byte, ext string) {
	path, dir := filepath.Join(t.TempDir(), "damaged"+ext), t.TempDir()
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := parquet.Write(t.Context(), dir, []parquet.Source{source(path)}, parquet.Options{Tables: true})
	r, closer, opened := source(path).Open(t.Context())
	if opened != nil {
		if err == nil || len(m.Sources) != 1 || len(m.Sources[0].Errors) == 0 {
			t.Errorf("what cannot be opened is not in the manifest: %v", err)
		}
		return
	}
	defer closer.Close()
	if err != nil {
		t.Fatal(err)
	}
	for range r.All() { // finds the damage
	}
	e, stats := m.Sources[0], r.Recording().DamageStats()
	if e.Damage.Count != stats.Count || e.Damage.Skipped != stats.Skipped ||
		(stats.Count > 0) != (len(e.Damage.Places) > 0) {
		t.Errorf("damage %+v, want %+v", e.Damage, stats)
	}
	if (r.Err() != nil) != (len(e.Errors) > 0) {
		t.Errorf("errors %q, want %v", e.Errors, r.Err())
	}
	if diff := cmp.Diff(expectDerived(t, path), readDerived(t, dir, e)); diff != "" {
		t.Error(diff)
	}
	compareSums(t, expect(t, path), withoutDerived(readAll(t, dir, m)))
}
