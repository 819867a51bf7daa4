package trcfiles

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tracec/tracec/internal/testkit/mutate"
)

// TestTemplatesWithNUL: a file of templates with a NUL byte is still recognized. Binary files and
// archives with the text of templates are not files of templates.
func TestTemplatesWithNUL(t *testing.T) {
	var names []string
	for _, pattern := range []string{"../../gen/testdata/hooks/*.trcfmt", "../../compiler/trcfmt/testdata/*.trcfmt"} {
		list, err := filepath.Glob(pattern)
		if err != nil || len(list) == 0 {
			t.Fatal(pattern, err)
		}
		names = append(names, list...)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(stanzaLine().FindAll(text, -1)); n < 2 {
			continue
		}
		for at := range text {
			damaged := slices.Insert(bytes.Clone(text), at, 0)
			if line, _, _ := bytes.Cut(text, []byte("\n")); at <= len(line) && !bytes.HasPrefix(line, []byte("*")) {
				continue // change in the first template itself, or bytes like the magic number of another file
			}
			if !HoldsTemplates(damaged) {
				t.Fatalf("%s with a NUL at %d holds no templates", name, at)
			}
		}
		archive, err := mutate.PackIntact(mutate.Tree{"trcfmt": text}, ".tar")
		if err != nil {
			t.Fatal(err)
		}
		if HoldsTemplates(archive) {
			t.Errorf("an archive of %s is taken for templates", name)
		}
		if HoldsTemplates(slices.Concat([]byte("\x17\x08\x44tracing6\x00"), text)) {
			t.Errorf("a recording with the text of %s is taken for templates", name)
		}
	}
}
