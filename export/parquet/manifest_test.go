package parquet_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/export/parquet"
)

var update = flag.Bool("update", false, "write the golden files")

// TestManifest: the schema of the manifest changes only on purpose, since programs read it. Sizes
// of files depend on the version of the library.
func TestManifest(t *testing.T) {
	dir := t.TempDir()
	cut := filepath.Join(t.TempDir(), "cut.trc")
	text, err := os.ReadFile("../../testdata/aix/shop32.trc")
	if err != nil {
		t.Fatal(err)
	}
	clear(text[2000:2100]) // destroyed data
	if err := os.WriteFile(cut, text, 0o666); err != nil {
		t.Fatal(err)
	}
	s := source("../../testdata/ftrace/amd64-date.dat")
	s.Chosen = "-e sched:*"
	if _, err := parquet.Write(t.Context(), dir, []parquet.Source{s, source(cut)},
		parquet.Options{Tool: "tracec v1"}); err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join(dir, parquet.ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	have = regexp.MustCompile(`"bytes": \d+`).ReplaceAll(have, []byte(`"bytes": 1`))
	plain := strings.ReplaceAll(string(have), filepath.ToSlash(filepath.Dir(cut)), "DIR")
	const golden = "testdata/manifest.json"
	if *update {
		if err := os.WriteFile(golden, []byte(plain), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), plain); d != "" {
		t.Error("(-want +have)", d)
	}
}

// TestManifestErrors: a file that is not a manifest of this version is not overwritten.
func TestManifestErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"format": "tracec-parquet", "version": 2}`: "version 2",
		`{"format": "other", "version": 1}`:          "no manifest",
		`{`:                                          "unexpected end",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, parquet.ManifestName), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, resume := range []bool{false, true} {
			if _, err := parquet.Write(t.Context(), dir, sources(some[0]),
				parquet.Options{Resume: resume}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}
