// Package hostile makes inputs that could stop a reader of records, and counts its reads. Only
// tests import it.
package hostile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// ErrStuck reports that more was read than the size of the input allows.
var ErrStuck = errors.New("the walk stays at a place")

// Limit bounds the number of reads of the files of an input. A walk that makes no progress ends
// with ErrStuck.
type Limit struct{ left atomic.Int64 }

// NewLimit allows a number of reads.
func NewLimit(reads int64) *Limit {
	l := &Limit{}
	l.left.Store(reads)
	return l
}

// Exceeded reports whether there were more reads than allowed.
func (l *Limit) Exceeded() bool { return l.left.Load() < 0 }

func (l *Limit) count() error {
	if l.left.Add(-1) < 0 {
		return ErrStuck
	}
	return nil
}

// ReaderAt returns r with its reads counted.
func (l *Limit) ReaderAt(r io.ReaderAt) io.ReaderAt { return readerAt{r, l} }

type readerAt struct {
	r io.ReaderAt
	l *Limit
}

func (r readerAt) ReadAt(b []byte, off int64) (int, error) {
	if err := r.l.count(); err != nil {
		return 0, err
	}
	return r.r.ReadAt(b, off)
}

// FS returns dir with the reads of its files counted.
func (l *Limit) FS(dir fs.FS) fs.FS { return fileSystem{dir, l} }

type fileSystem struct {
	fs.FS
	l *Limit
}

func (d fileSystem) Open(name string) (fs.File, error) {
	f, err := d.FS.Open(name)
	if err != nil {
		return nil, err
	}
	switch x := f.(type) {
	case fs.ReadDirFile: // reads of a directory are not counted, since it has an end
		return x, nil
	case io.ReaderAt:
		return fileAt{file{f, d.l}, readerAt{x, d.l}}, nil
	}
	return file{f, d.l}, nil
}

type file struct {
	fs.File
	l *Limit
}

func (f file) Read(b []byte) (int, error) {
	if err := f.l.count(); err != nil {
		return 0, err
	}
	return f.File.Read(b)
}

type fileAt struct {
	file
	readerAt
}

// Mutants yields copies of b in which one aligned word of 2, 4 or 8 bytes is replaced. The
// replacements are invalid as lengths and offsets: 0, all ones, 1, the largest positive number, and
// the word's own offset. They come in both byte orders. The bytes are valid until the next
// iteration.
func Mutants(t testing.TB, b []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		m, n, step := slices.Clone(b), 0, needs.Cases(t, 5, 1)
		for size := 2; size <= 8; size *= 2 {
			for at := 0; at+size <= len(b); at += size {
				for i, v := range values(uint64(at), size) {
					if n++; n%step != 0 {
						continue
					}
					word := m[at : at+size]
					for j := range word {
						word[j] = byte(v >> (8 * j))
					}
					if i%2 == 1 {
						slices.Reverse(word)
					}
					if !yield(fmt.Sprintf("%d bytes at %d: % x", size, at, word), m) {
						return
					}
					copy(word, b[at:])
				}
			}
		}
	}
}

// values returns the replacements of a word. Those with odd indexes are big-endian.
func values(at uint64, size int) []uint64 {
	ones := ^uint64(0) >> (64 - 8*size)
	return []uint64{0, ones, 1, 1, ones >> 1, ones >> 1, at, at}
}

// Constants yields inputs of n bytes that repeat one short pattern.
func Constants(n int) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, word := range []string{"\x00", "\xff", "\x01\x00", "\x00\x01", "\x00\x00\x00\x01", "\x80\x00\x00\x00",
			"\x7f\xff\xff\xff", "\x00\x10\x00\x00"} {
			b := make([]byte, 0, n+len(word))
			for len(b) < n {
				b = append(b, word...)
			}
			if !yield(fmt.Sprintf("% x all over", word), b[:n]) {
				return
			}
		}
	}
}
