package replay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/color"
)

// TestColors compares with the output of uftrace 0.13 --color=yes for saved recordings.
func TestColors(t *testing.T) {
	files, err := filepath.Glob("testdata/color/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no saved texts: ", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		opts := Options{Layout: Layout{Color: color.New("\x1b")}}
		if d := cmp.Diff(string(want), run(t, uftracetest.Open(t, uftracetest.Files(t, name)), opts)); d != "" {
			t.Errorf("%s (-uftrace +ours):\n%s", name, d)
		}
	}
}
