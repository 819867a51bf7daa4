// Package packed reads the packed archives of testdata.
package packed

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"
)

// Files returns the files of an archive whose name ends in .gz or .zst.
func Files(t testing.TB, archive string) fstest.MapFS {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files := fstest.MapFS{}
	for r := tar.NewReader(unpacked(t, f)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(h.Name, "./")] = &fstest.MapFile{Data: data, ModTime: h.ModTime}
	}
}

// unpacked returns the unpacked content of a file.
func unpacked(t testing.TB, f *os.File) io.Reader {
	t.Helper()
	if strings.HasSuffix(f.Name(), ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(z.Close)
	return z
}
