package ftrace

import (
	"archive/tar"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// committedFormats returns the format files of testdata by path. They are copies of files of the
// collection, one for each construct, named kernel.system.event (or kernel.recording.event).
func committedFormats(tb testing.TB) map[string][]byte {
	tb.Helper()
	names, err := filepath.Glob("testdata/formats/*")
	if err != nil || len(names) == 0 {
		tb.Fatalf("no formats in testdata: %v", err)
	}
	out := make(map[string][]byte, len(names))
	for _, name := range names {
		if out[name], err = os.ReadFile(name); err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

// kernelFormats returns all format files of one kernel of the project's collection.
func kernelFormats(tb testing.TB, kernel string) map[string][]byte {
	tb.Helper()
	file, err := os.Open(needs.Shared(tb, "ftrace/"+kernel+"/events-all.tar.zst"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	unpacked, err := zstd.NewReader(file, zstd.WithDecoderMaxWindow(1<<27))
	if err != nil {
		tb.Fatal(err)
	}
	defer unpacked.Close()
	out := map[string][]byte{}
	for r := tar.NewReader(unpacked); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			tb.Fatal(err)
		}
		if filepath.Base(h.Name) != "format" {
			continue
		}
		if out[h.Name], err = io.ReadAll(r); err != nil {
			tb.Fatal(err)
		}
	}
}

// checkFormats parses files that real kernels wrote: no error, and every print fmt survives Format.
func checkFormats(t *testing.T, files map[string][]byte) {
	t.Helper()
	seen := map[string]bool{}
	for name, src := range files {
		f, errs := Parse(name, src)
		if err := errs.Err(); err != nil {
			t.Error(err)
			continue
		}
		if f.Print == nil || f.Name == "" || f.ID == 0 || len(f.Fields) < 4 {
			t.Errorf("%s: %d fields, print %v", name, len(f.Fields), f.Print != nil)
			continue
		}
		text := FormatPrint(f.Print)
		if seen[text] {
			continue
		}
		seen[text] = true
		back, err := ParsePrint(text)
		if err != nil {
			t.Errorf("%s: printed as %s: %v", name, text, err)
			continue
		}
		// cmp.Diff would take several times as long as everything else.
		if got, want := sexprs(back.Args), sexprs(f.Print.Args); back.Format != f.Print.Format ||
			!slices.Equal(got, want) {
			t.Errorf("%s: printed as %s:\n got %q %s\nwant %q %s", name, text, back.Format, got, f.Print.Format, want)
		}
	}
}

func TestCommittedFormats(t *testing.T) { checkFormats(t, committedFormats(t)) }

// TestConcurrent parses the same files from several goroutines: parsers are pooled.
func TestConcurrent(t *testing.T) {
	files := committedFormats(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { checkFormats(t, files) })
	}
	group.Wait()
}

// TestKernels parses every format file of every kernel in the collection.
func TestKernels(t *testing.T) {
	counts := map[string]int{
		"bookworm-6.1-amd64": 4741, "bookworm-6.1-arm64": 4346, "bookworm-6.1-i386": 4628,
		"bookworm-6.1-s390x": 3652, "sid-amd64": 5896,
	}
	for _, kernel := range needs.Some(t, slices.Sorted(maps.Keys(counts)), 1) {
		t.Run(kernel, func(t *testing.T) {
			atLeast := counts[kernel]
			files := kernelFormats(t, kernel)
			if len(files) < atLeast {
				t.Errorf("%d formats, want %d", len(files), atLeast)
			}
			checkFormats(t, files)
		})
	}
}

// BenchmarkParse parses the committed formats; BenchmarkKernel all 5,896 of one kernel.
func BenchmarkParse(b *testing.B) { benchmarkFormats(b, committedFormats(b)) }
func BenchmarkKernel(b *testing.B) {
	benchmarkFormats(b, kernelFormats(b, "sid-amd64"))
}

func benchmarkFormats(b *testing.B, files map[string][]byte) {
	size := 0
	for _, src := range files {
		size += len(src)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for name, src := range files {
			if _, errs := Parse(name, src); len(errs) > 0 {
				b.Fatal(errs)
			}
		}
	}
}
