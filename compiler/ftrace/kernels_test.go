package ftrace_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// kernels are the complete sets of format files beside the repository, with a description of each.
var kernels = map[string]struct {
	target ir.Target
	files  int
}{
	"bookworm-6.1-amd64": {le64, 4741},
	"bookworm-6.1-arm64": {le64, 4346},
	"bookworm-6.1-i386":  {le32, 4628},
	"bookworm-6.1-s390x": {be64, 3652},
	"sid-amd64":          {le64, 5896},
}

// readFormats reads every format file of a kernel's events-all.tar.zst. It returns nil if the
// archive does not exist.
func readFormats(t testing.TB, kernel string) []ftrace.Source {
	t.Helper()
	f, err := os.Open(needs.Shared(t, "ftrace/"+kernel+"/events-all.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var out []ftrace.Source
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if path.Base(h.Name) != "format" {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		system := path.Base(path.Dir(path.Dir(h.Name)))
		out = append(out, ftrace.Source{System: system, Name: h.Name, Text: text})
	}
}

// TestKernels: every format file of every kernel lowers to a valid event that renders. Both the
// layout and the program work for zeros and for garbage.
func TestKernels(t *testing.T) {
	for _, kernel := range needs.Some(t, []string{"bookworm-6.1-s390x", "bookworm-6.1-amd64", "bookworm-6.1-arm64",
		"bookworm-6.1-i386", "sid-amd64"}, 1) {
		k := kernels[kernel]
		t.Run(kernel, func(t *testing.T) {
			t.Parallel()
			k.target.Kernel = 0x601
			if kernel == "sid-amd64" {
				k.target.Kernel = 0x702
			}
			formats := readFormats(t, kernel)
			u, list := ftrace.Compile(kernel, formats, k.target)
			if len(formats) != k.files || len(u.Events) != k.files {
				t.Errorf("%d files, %d events, want %d", len(formats), len(u.Events), k.files)
			}
			for _, d := range list.Worst(diag.Warning) {
				t.Error(d)
			}
			if err := ir.Check(u); err != nil {
				t.Error(err)
			}
			raw := 0
			for _, ev := range u.Events {
				if !ev.HasText {
					raw++
					t.Errorf("%s:%s falls back to raw: %s", ev.Group, ev.Name, ev.Why)
				}
				if _, err := interp.Compile(ev, k.target); err != nil {
					t.Errorf("%s:%s: %v", ev.Group, ev.Name, err)
				}
			}
			golden(t, filepath.Join("testdata", kernel+".notes"), summary(list))
		})
	}
}

// summary lists the parts of a kernel's print formats that need data outside of a recording, with
// the number of events that need them. The golden files may only shrink.
func summary(list diag.List) []byte {
	events := map[string]map[string]bool{}
	for _, d := range list.Worst(diag.Note) {
		if events[d.Msg] == nil {
			events[d.Msg] = map[string]bool{}
		}
		events[d.Msg][d.Pos.Filename] = true
	}
	var b bytes.Buffer
	for _, msg := range slices.Sorted(maps.Keys(events)) {
		fmt.Fprintf(&b, "%d %s\n", len(events[msg]), msg)
	}
	return b.Bytes()
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	seen := map[string]bool{}
	for l := range strings.Lines(string(want)) {
		seen[l] = true
	}
	for l := range strings.Lines(string(got)) {
		if !seen[l] {
			t.Errorf("%s: new: %s", name, l)
		}
	}
	t.Errorf("%s differs; UPDATE_GOLDEN=1 rewrites it", name)
}

// BenchmarkKernel parses and lowers a whole kernel. The limit is 1.5 s on two cores.
func BenchmarkKernel(b *testing.B) {
	formats := readFormats(b, "sid-amd64")
	for b.Loop() {
		ftrace.Compile("sid-amd64", formats, le64)
	}
}
