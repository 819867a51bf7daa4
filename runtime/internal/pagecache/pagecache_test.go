package pagecache_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/internal/pagecache"
)

// made returns a file of n drawn bytes, and the bytes.
func made(t testing.TB, n int) (*os.File, []byte) {
	t.Helper()
	data := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(data)
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, data
}

// TestReader compares reads by several goroutines with reads of the file itself: within it, at its
// end, beyond it, of no bytes, and of more bytes than one read takes.
func TestReader(t *testing.T) {
	f, data := made(t, 3<<20+17)
	r := pagecache.Reader(f)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			draw := rand.New(rand.NewPCG(1, uint64(worker)))
			got, want := make([]byte, 2<<20), make([]byte, 2<<20)
			for range 300 {
				n := draw.IntN(1 << draw.IntN(22))
				off := draw.Int64N(int64(len(data)) + 100)
				if draw.IntN(4) == 0 {
					off = int64(len(data)) - draw.Int64N(int64(n)+2)
				}
				if draw.IntN(50) == 0 {
					off = -off
				}
				gotN, gotErr := r.ReadAt(got[:n], off)
				wantN, wantErr := f.ReadAt(want[:n], off)
				if gotN != wantN || (gotErr == nil) != (wantErr == nil) ||
					gotErr != nil && gotErr.Error() != wantErr.Error() || !bytes.Equal(got[:gotN], want[:wantN]) {
					t.Errorf("%d bytes at %d: %d, %v; want %d, %v", n, off, gotN, gotErr, wantN, wantErr)
				}
			}
		})
	}
	all.Wait()
}

// TestClosed checks that reading a closed file is an error, and never reads another file that has
// its number.
func TestClosed(t *testing.T) {
	f, data := made(t, 100<<10)
	r := pagecache.Reader(f)
	f.Close()
	other, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	p := make([]byte, len(data))
	if n, err := r.ReadAt(p, 0); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("%d, %v", n, err)
	}
}

// TestOther checks that memory is returned unchanged, and that a file that cannot be read at an
// offset returns its own error.
func TestOther(t *testing.T) {
	b := bytes.NewReader([]byte("memory"))
	if r := pagecache.Reader(b); r != io.ReaderAt(b) {
		t.Error("memory became something else")
	}
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	pipe, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	defer w.Close()
	for _, f := range []*os.File{dir, pipe} {
		p := make([]byte, 64<<10)
		r := pagecache.File(f).(io.ReaderAt)
		for range 2 {
			n, err := r.ReadAt(p, 0)
			wantN, want := f.ReadAt(p, 0)
			if n != wantN || want == nil || err == nil || err.Error() != want.Error() {
				t.Errorf("%d, %v; want %d, %v", n, err, wantN, want)
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	f, _ := made(t, 1<<20)
	r, p := pagecache.Reader(f), make([]byte, 128<<10)
	if n := testing.AllocsPerRun(100, func() { r.ReadAt(p, 1000) }); n > 0 {
		t.Errorf("%v allocations a read", n)
	}
}

func BenchmarkReadAt(b *testing.B) {
	f, _ := made(b, 1<<20)
	for _, c := range []struct {
		name string
		r    io.ReaderAt
	}{{"plain", f}, {"pagecache", pagecache.Reader(f)}} {
		for name, size := range map[string]int{"64": 64, "128K": 128 << 10} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				p := make([]byte, size)
				b.SetBytes(int64(size))
				for b.Loop() {
					c.r.ReadAt(p, 1000)
				}
			})
		}
	}
}

// TestFar checks that an offset of more than 32 bits is passed unchanged, even if it takes two
// registers.
func TestFar(t *testing.T) {
	const far = 5<<30 + 12345
	name := filepath.Join(t.TempDir(), "file")
	w, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	want := bytes.Repeat([]byte("far away"), 8<<10)
	if _, err := w.WriteAt(want, far); err != nil {
		needs.Skip(t, "need a file system with holes in files", err)
	}
	got := make([]byte, len(want))
	for range 2 { // the second time, it is in the page cache
		if n, err := pagecache.Reader(w).ReadAt(got, far); n != len(want) || err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d, %v", n, err)
		}
	}
}
