package ctf_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/ctftest"
)

func TestSeeds(t *testing.T) {
	at := os.Getenv("CTFSEEDS")
	if at == "" {
		t.Skip()
	}
	list, _ := filepath.Glob(filepath.Join(at, "*"))
	good, bad := 0, 0
	for _, dir := range list {
		want, err := os.ReadFile(filepath.Join(dir, "expected.txt"))
		if err != nil {
			want, err = os.ReadFile(dir + ".expected.txt")
		}
		if err != nil {
			continue
		}
		s := &ctftest.Sample{Name: filepath.Base(dir), Dir: os.DirFS(dir)}
		a, b := sorted(string(want)), sorted(texts(t, s))
		if d := cmp.Diff(a, b); d != "" {
			bad++
			if bad < 5 {
				t.Errorf("%s (-want +got):\n%.1500s", s.Name, d)
			}
		} else {
			good++
		}
	}
	t.Logf("%d equal, %d differ", good, bad)
}
