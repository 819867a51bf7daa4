package uftracetest

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/uftrace"
)

// Counted counts the bytes that are read from the files of threads and of perf.
type Counted struct {
	fs.FS
	Bytes atomic.Int64
}

// Open implements fs.FS.
func (c *Counted) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if at, ok := f.(io.ReaderAt); ok && err == nil && strings.HasSuffix(name, ".dat") {
		return &countedFile{f, at, c}, nil
	}
	return f, err
}

type countedFile struct {
	fs.File
	at io.ReaderAt
	c  *Counted
}

// ReadAt implements io.ReaderAt.
func (f *countedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.at.ReadAt(p, off)
	f.c.Bytes.Add(int64(n))
	return n, err
}

// FewTwice checks that run writes the same with 3 workers as with one. With 3 it must read at most
// times as many bytes of [Switching].
func FewTwice(t *testing.T, times float64, run func(rec *uftrace.Recording, workers int, w io.Writer) error) {
	t.Helper()
	files := Switching(t)
	print := func(workers int) (string, float64) {
		c := &Counted{FS: files}
		rec, err := uftrace.OpenFS(c, "x")
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		var out bytes.Buffer
		if err := run(rec, workers, &out); err != nil {
			t.Fatal(err)
		}
		return out.String(), float64(c.Bytes.Load())
	}
	want, once := print(1)
	got, read := print(3)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-1 +3 workers):\n%s", d)
	}
	if read > times*once {
		t.Errorf("%v bytes were read, %v by one goroutine", read, once)
	}
}
