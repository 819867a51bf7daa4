package trcfmt

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/grammar/diag"
)

// checkFile checks the guarantees of the package for any text: positions within the file, errors
// exactly for the marked stanzas, and a canonical layout that is stable and has the same meaning.
func checkFile(t *testing.T, src string) {
	t.Helper()
	file, errs := Parse("f", []byte(src))
	checkErrors(t, src, file, errs)
	if t.Failed() {
		return
	}
	var out bytes.Buffer
	if err := Format(&out, file); err != nil {
		t.Fatal(err)
	}
	again, errs2 := Parse("f", out.Bytes())
	if d := diffFiles(t, file, again); d != "" {
		t.Fatalf("%q was written as %q, which means something else: %s", src, out.String(), d)
	}
	if a, b := len(errs.Worst(diag.Error)), len(errs2.Worst(diag.Error)); a != b {
		t.Fatalf("%q has %d errors, as %q it has %d:\n%v\n%v", src, a, out.String(), b, errs, errs2)
	}
	var twice bytes.Buffer
	if err := Format(&twice, again); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(out.String(), twice.String()); d != "" {
		t.Fatalf("the layout of %q is not stable: %s", src, d)
	}
}

func checkErrors(t *testing.T, src string, file *File, errs diag.List) {
	t.Helper()
	for i, e := range errs {
		if e.Pos.Offset < 0 || e.Pos.Offset > len(src) || e.Pos.Line < 1 || e.Pos.Column < 1 {
			t.Errorf("%q: error outside the file: %+v", src, e)
		}
		if i > 0 && errs[i-1].Pos.Offset > e.Pos.Offset {
			t.Errorf("%q: errors out of order: %v", src, errs)
		}
	}
	broken, last := false, 0
	for _, item := range file.Items {
		if at := item.Position().Offset; at < last || at > len(src) {
			t.Errorf("%q: item at %d after %d", src, at, last)
		} else {
			last = at
		}
		switch x := item.(type) {
		case *Stanza:
			broken = broken || x.Broken
			if x.Broken && (x.End.Offset > len(src) || src[x.Pos.Offset:x.End.Offset] != x.Source) {
				t.Errorf("%q: source of a stanza is %q", src, x.Source)
			}
		case *Junk:
			broken = true
		}
	}
	if fails := len(errs.Worst(diag.Error)) > 0; broken != fails && !(fails && hasDelete(file)) {
		t.Errorf("%q: broken stanzas %v, errors %v", src, broken, errs)
	}
}

// hasDelete reports whether f has the operator `- id`, which can be a misplaced but well-formed
// line.
func hasDelete(f *File) bool {
	for _, item := range f.Items {
		if _, ok := item.(*Delete); ok {
			return true
		}
	}
	return false
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.trc*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no templates: %v", err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		file, _ := Parse(name, src)
		for _, s := range file.Stanzas {
			f.Add(string(src[s.Pos.Offset:s.End.Offset]))
		}
	}
	for _, src := range hostile {
		f.Add(src)
	}
	f.Fuzz(checkFile)
}
