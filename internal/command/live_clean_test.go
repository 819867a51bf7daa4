package command

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
)

// TestCleanParts checks that live --clean -o FILE removes only the parts of the file that killed
// runs have left.
func TestCleanParts(t *testing.T) {
	dir := t.TempDir()
	keep := []string{"t.dat", ".t.dat.012345", ".t.dat.0123abcg", ".u.dat.0123abcd", "t.dat.0123abcd"}
	for _, name := range append([]string{".t.dat.0123abcd", ".t.dat.ffffffff"}, keep...) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	cmd := &cobra.Command{}
	cmd.SetOut(&out)
	output := filepath.Join(dir, "t.dat")
	if err := cleanParts(cmd, output); err != nil {
		t.Fatal(err)
	}
	want := "removed " + filepath.Join(dir, ".t.dat.0123abcd") + "\nremoved " + filepath.Join(dir, ".t.dat.ffffffff") +
		"\n"
	if out.String() != want {
		t.Errorf("prints %q, want %q", &out, want)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != len(keep) {
		t.Errorf("%d files are left, want %d: %v", len(list), len(keep), err)
	}
	for _, output := range []string{"", filepath.Join(dir, "no", "such.dat")} {
		if err := cleanParts(cmd, output); err != nil {
			t.Errorf("%s: %v", output, err)
		}
	}
}
