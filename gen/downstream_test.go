package gen_test

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// A user's module runs go generate with tracec as a tool of its go.mod, and builds for other
// machines. For recordings of several machines, the module's program prints the values that
// trace-cmd prints.
func TestDownstream(t *testing.T) {
	m := newModule(t)
	m.driver("downstream")
	mod, err := os.ReadFile(filepath.Join(m.dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	m.write("go.mod", append(mod, "\ntool github.com/tracec/tracec/cmd/tracec\n"...))
	trace, err := os.ReadFile("../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	m.write("downstream/trace.dat", trace)
	m.must(nil, "go", "generate", "./downstream")
	m.vet("./downstream/...")
	m.cross([]string{"arm64", "386", "s390x", "arm"}, "-o", os.DevNull, "./downstream")
	bins := append(m.starts("downstream"), m.start("downstream", nil, "-tags=purego"))
	for _, name := range []string{"amd64-extract", "amd64-triggers", "i386-userstack", "s390x-markers"} {
		file, err := filepath.Abs(filepath.Join("../testdata/ftrace", name))
		if err != nil {
			t.Fatal(err)
		}
		want := reference(t, file+".report-N.txt.zst")
		for _, bin := range bins {
			if d := cmp.Diff(want, m.must(nil, bin, file+".dat")); d != "" {
				t.Errorf("%s %s (-want +got):\n%s", filepath.Base(bin), name, d)
			}
		}
	}
}

// zstdText unpacks a text.
func zstdText(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// reference extracts the values that the program prints from trace-cmd's report.
func reference(t *testing.T, name string) string {
	t.Helper()
	var b strings.Builder
	for _, m := range regexp.MustCompile(`(?m): (?:sched_switch|sched_process_exec): +(.*)$`).FindAllStringSubmatch(zstdText(t, name), -1) {
		b.WriteString(regexp.MustCompile(` prev_state=\S+ ==>`).ReplaceAllString(m[1], "") + "\n")
	}
	if b.Len() == 0 {
		t.Fatalf("%s has no line to compare with", name)
	}
	return b.String()
}
