package trcfmt

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
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

var update = flag.Bool("update", false, "write the golden files of the layout")

// TestSamples parses the files of testdata without a finding and compares their layout with golden
// files.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("testdata/*.trc*")
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
		var got bytes.Buffer
		if err := Format(&got, file); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", "layout", filepath.Base(name))
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got.String()); d != "" {
			t.Errorf("%s: %s", golden, d)
		}
	}
}

func ExampleParse() {
	src := "020 1.0 L=APPL \"OUR HOOK\" count=U4 $HD, 1 open, 2 close\n" +
		"021 1.0 \"BROKEN\" U4, 1\n"
	file, errs := Parse("my.trcfmt", []byte(src))
	for _, e := range errs {
		fmt.Println(e)
	}
	for _, s := range file.Stanzas {
		fmt.Printf("%s %d.%d %q: %d nodes, broken: %v\n", s.Hook.Text, s.Version, s.Release, s.Label, len(s.Nodes),
			s.Broken)
	}
	// Output:
	// my.trcfmt:1:33: warning: hook 020: "U4" is part of the text "count=U4": a format code comes after a blank or a string [trcfmt-near]
	// my.trcfmt:2:23: error: hook 021: expected the result of the case ("" for none), found the end of the stanza [trcfmt-switch]
	// 020 1.0 "OUR HOOK": 2 nodes, broken: false
	// 021 1.0 "BROKEN": 1 nodes, broken: true
}

// BenchmarkParse parses as many templates as a full system has.
func BenchmarkParse(b *testing.B) {
	one, err := os.ReadFile("testdata/hooks.trcfmt")
	if err != nil {
		b.Fatal(err)
	}
	src := bytes.Repeat(one, 1<<20/len(one))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, errs := Parse("f", src); errs.Err() != nil {
			b.Fatal(errs)
		}
	}
}
