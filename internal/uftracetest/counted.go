package uftracetest

import (
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
)

// Counted counts the bytes that are read of the files of threads and of perf.
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
