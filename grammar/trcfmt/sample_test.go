package trcfmt

import (
	"os"
	"path/filepath"
	"testing"
)

// sample returns a file of testdata.
func sample(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// TestSamples parses the files of testdata without a finding and holds their layout.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("testdata/*.trcfmt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no templates: %v", err)
	}
	for _, name := range files {
		src := sample(t, filepath.Base(name))
		file, errs := Parse(name, []byte(src))
		if len(errs) > 0 {
			t.Errorf("%v", errs)
		}
		if len(file.Stanzas) == 0 {
			t.Errorf("%s: no stanzas", name)
		}
		checkFile(t, src)
	}
}
