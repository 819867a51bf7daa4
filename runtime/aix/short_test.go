package aix_test

import (
	"bytes"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/aix"
)

// TestDetectShort cuts a byte out of streams of a few entries, at every place. Their kind is still
// detected.
func TestDetectShort(t *testing.T) {
	for _, entries := range []int{3, 4, 6, 10} {
		events := counters(0x0200, false)(rand.New(rand.NewPCG(1, 4)), entries)
		clean := stream(t, events, false, 0x1A5E3)
		refused := 0
		for at := range clean {
			b := append(bytes.Clone(clean[:at]), clean[at+1:]...)
			if k := aix.Detect(b); k != aix.Stream32 {
				refused++
			}
		}
		t.Logf("%d entries: %d of %d refused", entries, refused, len(clean))
		if entries > 3 && refused > 0 || refused > len(clean)*3/5 { // of three, two are left
			t.Errorf("%d entries: %d of %d refused", entries, refused, len(clean))
		}
	}
}

var detectTree = flag.String("detect.tree", "../..",
	"TestDetectOther: no file in this `directory` is a recording of AIX but those of testdata/aix")

// TestDetectOther checks that other data are not detected as AIX: bytes of many kinds, and the
// files of this project.
func TestDetectOther(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	for i := range needs.Cases(t, 600, 3000) {
		b := make([]byte, r.IntN(600))
		switch i % 5 {
		case 0: // noise
			for k := range b {
				b[k] = byte(r.Uint32())
			}
		case 1: // text
			for k := range b {
				b[k] = " etaoinshrdlu\n,.ETAOIN0123456789{}=\"\t"[r.IntN(37)]
			}
		case 2: // small numbers of four bytes, little-endian
			for k := 0; k < len(b); k += 4 {
				b[k] = byte(r.Uint32())
			}
		case 3: // big-endian
			for k := 3; k < len(b); k += 4 {
				b[k] = byte(r.Uint32())
			}
		default: // one byte
			for k := range b {
				b[k] = byte(i)
			}
		}
		if k := aix.Detect(b); k != aix.KindUnknown {
			t.Errorf("case %d of kind %d: %d bytes are taken for %v: % X", i, i%5, len(b), k, b[:min(len(b), 64)])
		}
	}
	files := 0
	err := filepath.WalkDir(*detectTree, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case path == filepath.Join(*detectTree, "bench"): // make bench fills it
			return fs.SkipDir
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "fuzz"):
			return fs.SkipDir
		case !d.Type().IsRegular() || filepath.Ext(path) == ".trc" && filepath.Base(filepath.Dir(path)) == "aix":
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return nil
		}
		defer f.Close()
		head := make([]byte, 8<<10)
		n, _ := f.Read(head)
		files++
		if k := aix.Detect(head[:n]); k != aix.KindUnknown {
			t.Errorf("%s: taken for %v", path, k)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files, %v", files, err)
	}
	t.Logf("%d files", files)
}
