package values_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/runtime/uftrace"
)

const saved = "../../../testdata/uftrace"

// recordings are the names of the saved recordings.
func recordings(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(saved, "*", "data.tar.gz"))
	if err != nil || len(list) < 25 {
		t.Fatalf("%d recordings, want 25 or more; %v", len(list), err)
	}
	for i, f := range list {
		list[i] = filepath.Base(filepath.Dir(f))
	}
	return list
}

func open(t testing.TB, name string) *uftrace.Recording {
	t.Helper()
	dir, err := fs.Sub(unpack(t, filepath.Join(saved, name, "data.tar.gz")), name+".data")
	if err != nil {
		t.Fatal(err)
	}
	r, err := uftrace.OpenFS(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// unpack reads an archive into memory.
func unpack(t testing.TB, archive string) fstest.MapFS {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	out := fstest.MapFS{}
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimPrefix(h.Name, "./")] = &fstest.MapFile{Data: data, ModTime: h.ModTime}
	}
}
